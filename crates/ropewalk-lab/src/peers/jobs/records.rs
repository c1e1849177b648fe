//! Work of records of TLS: AES-CBC with HMAC, in one call or in steps.

use std::hint::black_box;

use ropewalk::{cbc_hmac, sha1::Sha1, sha256::Sha256};

use super::{bytes, inputs, iv, key, whole};
use crate::{
    peers::{Job, Unavailable},
    tasks::{AeadOp, Cell, Function, Kind},
};

/// AES-CBC with HMAC, of the records of TLS, that has its keys.
pub trait Records {
    /// What sealing does besides, that others do not need.
    const SEAL_NOTE: &str = "";

    /// Encrypts the first `len` bytes of a record in place; their MAC and the padding fill the rest.
    fn seal(&mut self, iv: &[u8; 16], header: &[u8; 11], record: &mut [u8], len: usize);

    /// Seals records.
    fn seal_all(&mut self, header: &[u8; 11], records: &mut [Record]) {
        for (iv, text, record) in records {
            self.seal(iv, header, record, text.len());
        }
    }

    /// Decrypts a record to `text`, which is as long, and says how many bytes of it are its text; none where it
    /// is not right.
    fn open(
        &mut self,
        iv: &[u8; 16],
        header: &[u8; 11],
        record: &[u8],
        text: &mut [u8],
    ) -> Option<usize>;
}

/// A vector, what the text of a record is, and the record.
pub type Record = ([u8; 16], Vec<u8>, Vec<u8>);

/// A job of records. Those that are opened were sealed by ropewalk's portable backend, against which all is
/// compared.
///
/// # Errors
/// For a stream, for texts that are longer than a record's, and for what is neither sealed nor opened.
pub fn records<C: Records + 'static>(cell: &Cell, cipher: C) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let Kind::Records { op, function, key_len } = cell.task.kind else {
        return Err(Unavailable("has nothing to do with records".into()));
    };
    let job = RecordsJob::new(cell, cipher, function, key_len)?;
    Ok(match op {
        AeadOp::Open => Box::new(OpenRecords(job)),
        _ => Box::new(SealRecords(job)),
    })
}

/// The key of every peer's MAC.
pub fn mac_key(function: Function) -> Vec<u8> {
    bytes(1 << 33, function.output_len())
}

struct RecordsJob<C> {
    cell: Cell,
    cipher: C,
    records: Vec<Record>,
    /// One place for all that is opened.
    text: Vec<u8>,
    next: usize,
}

/// Sequence number, type and version: that of TLS 1.0, for with a later one OpenSSL takes the vector for a block of the
/// record.
const HEADER: [u8; 11] = *b"\0\0\0\0\0\0\0\x01\x17\x03\x01";

impl<C: Records> RecordsJob<C> {
    fn new(
        cell: &Cell,
        cipher: C,
        function: Function,
        key_len: usize,
    ) -> Result<Self, Unavailable> {
        let key = key(key_len);
        let mut records = Vec::new();
        for (i, text) in inputs(cell).into_iter().enumerate() {
            let iv = iv(i as u64);
            let sealed = match function {
                Function::Sha1 => sealed::<Sha1>(&key, function, &iv, &text),
                _ => sealed::<Sha256>(&key, function, &iv, &text),
            };
            records.push((iv, text, sealed.map_err(|error| Unavailable(error.to_string()))?));
        }
        let longest = records.iter().map(|(_, _, sealed)| sealed.len()).max();
        let text = vec![0; longest.unwrap_or(0)];
        Ok(Self { cell: *cell, cipher, records, text, next: 0 })
    }

    fn after(&mut self) {
        self.next = if self.next + 1 == self.records.len() { 0 } else { self.next + 1 };
    }
}

fn sealed<H: cbc_hmac::Hash>(
    key: &[u8],
    function: Function,
    iv: &[u8; 16],
    text: &[u8],
) -> Result<Vec<u8>, ropewalk::Error> {
    let key = cbc_hmac::Key::<H>::with_backend(key, &mac_key(function), "cbc_hmac/portable")?;
    let mut record = vec![0; cbc_hmac::Key::<H>::sealed_len(text.len())];
    key.seal_to(iv, &HEADER, text, &mut record)?;
    Ok(record)
}

struct SealRecords<C>(RecordsJob<C>);

impl<C: Records> Job for SealRecords<C> {
    fn run(&mut self, calls: usize) {
        let count = self.0.cell.count;
        for _ in 0..calls {
            let RecordsJob { cipher, records, next, .. } = &mut self.0;
            cipher.seal_all(&HEADER, &mut records[*next..*next + count]);
            *next = if *next + count == records.len() { 0 } else { *next + count };
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        let RecordsJob { cell, cipher, records, .. } = &mut self.0;
        for (_, text, record) in &mut *records {
            record[..text.len()].copy_from_slice(text);
        }
        records.chunks_mut(cell.count).for_each(|records| cipher.seal_all(&HEADER, records));
        records.iter().flat_map(|(.., record)| record.clone()).collect()
    }

    fn note(&self) -> &'static str {
        C::SEAL_NOTE
    }
}

struct OpenRecords<C>(RecordsJob<C>);

impl<C: Records> Job for OpenRecords<C> {
    fn run(&mut self, calls: usize) {
        let job = &mut self.0;
        for _ in 0..calls * job.cell.count {
            let (iv, _, record) = &job.records[job.next];
            let place = &mut job.text[..record.len()];
            black_box(job.cipher.open(iv, &HEADER, record, place));
            job.after();
        }
    }

    /// Each text, its length, and whether a record was taken for right of which the last bit is wrong.
    fn answer(&mut self) -> Vec<u8> {
        let RecordsJob { cipher, records, text, .. } = &mut self.0;
        let mut out = Vec::new();
        for (iv, _, record) in records {
            let text = &mut text[..record.len()];
            let len = cipher.open(iv, &HEADER, record, text).unwrap_or(0);
            out.extend_from_slice(&text[..len]);
            out.extend(len.to_le_bytes());
            let last = record.len() - 1;
            record[last] ^= 1;
            out.push(u8::from(cipher.open(iv, &HEADER, record, text).is_some()));
            record[last] ^= 1;
        }
        out
    }
}
