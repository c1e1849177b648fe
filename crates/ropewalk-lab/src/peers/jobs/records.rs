//! Work of records of TLS: AES-CBC with HMAC, in one call or in steps.

use std::hint::black_box;

use ropewalk::{cbc_hmac, sha1::Sha1, sha256::Sha256};

use super::{
    inputs, iv, keys,
    keys::{Made, mac_keys},
    of, whole,
};
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

    /// The same of the `i`th of a call, which may have a key of its own.
    fn open_nth(
        &mut self,
        i: usize,
        iv: &[u8; 16],
        header: &[u8; 11],
        record: &[u8],
        text: &mut [u8],
    ) -> Option<usize> {
        let _ = i;
        self.open(iv, header, record, text)
    }

    /// Seals records for their answers to be compared. What chooses vectors by itself puts out another record here, if
    /// the one that it made is right.
    fn seal_known(&mut self, header: &[u8; 11], records: &mut [Record]) {
        self.seal_all(header, records);
    }
}

/// A vector, what the text of a record is, and the record.
pub type Record = ([u8; 16], Vec<u8>, Vec<u8>);

/// The keys of a record.
#[derive(Clone, Copy)]
pub struct RecordKeys<'a> {
    /// That of AES.
    pub aes: &'a [u8],
    /// That of the MAC.
    pub mac: &'a [u8],
}

/// A job of records. Those that are opened were sealed by ropewalk's portable backend, against which all is
/// compared. `make` makes what has its keys.
///
/// # Errors
/// For a stream, for texts that are longer than a record's, and where `make` fails.
pub fn records<C: Records + 'static>(
    cell: &Cell,
    make: impl Fn(RecordKeys<'_>) -> Result<C, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    let keys = all_keys(cell)?;
    match Made::new(cell, &keys, |(aes, mac)| make(RecordKeys { aes, mac }))? {
        Made::One(cipher) => with(cell, &keys, cipher),
        Made::Each(ciphers) => with(cell, &keys, ciphers),
    }
}

/// The same of what knows the keys of each record: `make` makes it from all of them.
///
/// # Errors
/// As above.
pub fn records_of_keys<C: Records + 'static>(
    cell: &Cell,
    make: impl FnOnce(&[RecordKeys<'_>]) -> Result<C, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    let keys = all_keys(cell)?;
    let borrowed: Vec<_> = keys.iter().map(|(aes, mac)| RecordKeys { aes, mac }).collect();
    with(cell, &keys, make(&borrowed)?)
}

/// Of AES, and of the MAC.
type OwnedKeys = (Vec<u8>, Vec<u8>);

fn all_keys(cell: &Cell) -> Result<Vec<OwnedKeys>, Unavailable> {
    let Kind::Records { function, key_len, .. } = cell.task.kind else {
        return Err(Unavailable("has nothing to do with records".into()));
    };
    Ok(keys(cell, key_len).into_iter().zip(mac_keys(cell, function)).collect())
}

fn with<C: Records + 'static>(
    cell: &Cell,
    keys: &[OwnedKeys],
    cipher: C,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let Kind::Records { op, function, .. } = cell.task.kind else { unreachable!("records") };
    let job = RecordsJob::new(cell, cipher, function, keys)?;
    Ok(match op {
        AeadOp::Open => Box::new(OpenRecords(job)),
        _ => Box::new(SealRecords(job)),
    })
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
        keys: &[OwnedKeys],
    ) -> Result<Self, Unavailable> {
        let mut records = Vec::new();
        for (i, text) in inputs(cell).into_iter().enumerate() {
            let iv = iv(i as u64);
            let (aes, mac) = of(keys, i % cell.count);
            let sealed = sealed(function, RecordKeys { aes, mac }, &iv, &HEADER, &text)?;
            records.push((iv, text, sealed));
        }
        let longest = records.iter().map(|(_, _, sealed)| sealed.len()).max();
        let text = vec![0; longest.unwrap_or(0)];
        Ok(Self { cell: *cell, cipher, records, text, next: 0 })
    }

    fn after(&mut self) {
        self.next = if self.next + 1 == self.records.len() { 0 } else { self.next + 1 };
    }
}

/// A record as ropewalk's portable backend seals it.
///
/// # Errors
/// For a text that is longer than a record's.
pub fn sealed(
    function: Function,
    keys: RecordKeys<'_>,
    iv: &[u8; 16],
    header: &[u8; 11],
    text: &[u8],
) -> Result<Vec<u8>, Unavailable> {
    fn seal<H: cbc_hmac::Hash>(
        keys: RecordKeys<'_>,
        iv: &[u8; 16],
        header: &[u8; 11],
        text: &[u8],
    ) -> Result<Vec<u8>, ropewalk::Error> {
        let key = cbc_hmac::Key::<H>::with_backend(keys.aes, keys.mac, "cbc_hmac/portable")?;
        let mut record = vec![0; cbc_hmac::Key::<H>::sealed_len(text.len())];
        key.seal_to(iv, header, text, &mut record)?;
        Ok(record)
    }
    let record = match function {
        Function::Sha1 => seal::<Sha1>(keys, iv, header, text),
        _ => seal::<Sha256>(keys, iv, header, text),
    };
    record.map_err(|error| Unavailable(error.to_string()))
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
        records.chunks_mut(cell.count).for_each(|records| cipher.seal_known(&HEADER, records));
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
        let count = job.cell.count;
        for i in (0..count).cycle().take(calls * count) {
            let (iv, _, record) = &job.records[job.next];
            let place = &mut job.text[..record.len()];
            black_box(job.cipher.open_nth(i, iv, &HEADER, record, place));
            job.after();
        }
    }

    /// Each text, its length, and whether a record was taken for right of which the last bit is wrong.
    fn answer(&mut self) -> Vec<u8> {
        let RecordsJob { cell, cipher, records, text, .. } = &mut self.0;
        let mut out = Vec::new();
        for (i, (iv, _, record)) in records.iter_mut().enumerate() {
            let i = i % cell.count;
            let text = &mut text[..record.len()];
            let len = cipher.open_nth(i, iv, &HEADER, record, text).unwrap_or(0);
            out.extend_from_slice(&text[..len]);
            out.extend(len.to_le_bytes());
            let last = record.len() - 1;
            record[last] ^= 1;
            out.push(u8::from(cipher.open_nth(i, iv, &HEADER, record, text).is_some()));
            record[last] ^= 1;
        }
        out
    }
}
