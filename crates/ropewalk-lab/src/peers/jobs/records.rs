//! Work of TLS records: AES-CBC with HMAC, in one call or in steps.

use std::hint::black_box;

use ropewalk::{cbc_hmac, sha1::Sha1, sha256::Sha256};

use super::{
    Text, Turn, inputs, iv, keys,
    keys::{mac_keys, new_keys, new_mac_keys, of_message},
    of_mut, places, whole,
};
use crate::{
    peers::{Job, Unavailable},
    tasks::{AeadOp, Cell, Function, Kind, Mode},
};

/// AES-CBC with HMAC, for TLS records, with its keys.
pub trait Records {
    /// Additional work when sealing, which other libraries do not need.
    const SEAL_NOTE: &str = "";

    /// Encrypts the first `len` bytes of a record in place; their MAC and the padding fill the rest.
    fn seal(&mut self, iv: &[u8; 16], header: &[u8; 11], record: &mut [u8], len: usize);

    /// Decrypts a record to `text`, which has the same length, and returns the length of its text; none if it
    /// is forged.
    fn open(
        &mut self,
        iv: &[u8; 16],
        header: &[u8; 11],
        record: &[u8],
        text: &mut [u8],
    ) -> Option<usize>;

    /// Takes other keys of the same lengths, if that is the recommended way of its library, and returns
    /// whether it did: otherwise a new one is made, and this one dropped.
    fn rekey(&mut self, _: RecordKeys<'_>) -> bool {
        false
    }
}

/// Consecutive calls that seal and open records, which a job times. A function for batches implements it
/// directly.
pub trait RecordCalls {
    /// Makes `calls` calls that seal the next records: the first bytes of each are its text.
    fn seal(&mut self, calls: usize, turn: &mut Turn, records: &mut [Record]);

    /// Makes `calls` calls that open records to texts, as many as a call has, each as long as its record. It
    /// stores the length of the text of each; none if it is forged.
    fn open(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        records: &[Record],
        texts: &mut [Text],
        lens: &mut [Option<usize>],
    );

    /// Seals all records, `count` in a call, to compare their answers. An implementation that chooses vectors
    /// itself writes another record here, if its own is right.
    fn seal_known(&mut self, count: usize, records: &mut [Record]) {
        self.seal(records.len() / count, &mut Turn::new(count), records);
    }

    /// Additional work when sealing, which other libraries do not need.
    fn seal_note(&self) -> &'static str {
        ""
    }

    /// Additional work when opening, which other libraries do not need.
    fn open_note(&self) -> &'static str {
        ""
    }
}

/// A vector, the text of a record, and the record.
pub type Record = ([u8; 16], Text, Text);

/// The keys of a record.
#[derive(Clone, Copy)]
pub struct RecordKeys<'a> {
    /// The AES key.
    pub aes: &'a [u8],
    /// The MAC key.
    pub mac: &'a [u8],
}

/// Sequence number, type and version of every record: that of TLS 1.0, since with a later one OpenSSL takes
/// the vector for a block of the record.
pub const HEADER: [u8; 11] = *b"\0\0\0\0\0\0\0\x01\x17\x03\x01";

/// A job of records. The records to open were sealed by ropewalk's portable backend, which is the reference.
/// `make` makes one from its keys.
///
/// # Errors
/// For a stream, for texts that are longer than a record's, and if `make` fails.
pub fn records<C: Records + 'static>(
    cell: &Cell,
    make: impl Fn(RecordKeys<'_>) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    if cell.mode == Mode::Setup {
        let keys = all_keys(cell)?;
        let (aes, mac) = &keys[0];
        let one = make(RecordKeys { aes, mac })?;
        return with(cell, &borrowed(&keys), Box::new(Fresh { one, make, keys: keys.clone() }));
    }
    record_calls(cell, |keys| {
        Ok(Each(keys.iter().map(|keys| make(*keys)).collect::<Result<_, _>>()?))
    })
}

/// The same from an implementation of the calls, which has the keys of each record: `make` makes it from all
/// of them.
///
/// # Errors
/// As above.
pub fn record_calls<C: RecordCalls + 'static>(
    cell: &Cell,
    make: impl FnOnce(&[RecordKeys<'_>]) -> Result<C, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    let keys = all_keys(cell)?;
    let borrowed = borrowed(&keys);
    with(cell, &borrowed, Box::new(make(&borrowed)?))
}

/// For AES, and for the MAC.
type OwnedKeys = (Vec<u8>, Vec<u8>);

fn all_keys(cell: &Cell) -> Result<Vec<OwnedKeys>, Unavailable> {
    let Kind::Records { function, key_len, .. } = cell.task.kind else {
        return Err(Unavailable("has nothing to do with records".into()));
    };
    let (aes, mac) = match cell.mode {
        Mode::Setup => (new_keys(cell, key_len), new_mac_keys(cell, function)),
        _ => (keys(cell, key_len), mac_keys(cell, function)),
    };
    Ok(aes.into_iter().zip(mac).collect())
}

fn borrowed(keys: &[OwnedKeys]) -> Vec<RecordKeys<'_>> {
    keys.iter().map(|(aes, mac)| RecordKeys { aes, mac }).collect()
}

fn with(
    cell: &Cell,
    keys: &[RecordKeys<'_>],
    work: Box<dyn RecordCalls>,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let Kind::Records { op, function, .. } = cell.task.kind else { unreachable!("records") };
    let mut all = Vec::new();
    for (i, text) in inputs(cell).into_iter().enumerate() {
        let iv = iv(i as u64);
        let sealed = sealed(function, *of_message(cell, keys, i), &iv, &HEADER, &text)?;
        if let Some(stride) = cell.stride.filter(|stride| sealed.len() > *stride) {
            let len = sealed.len();
            return Err(Unavailable(format!("a record has {len} bytes, and the stride {stride}")));
        }
        all.push((iv, text, sealed));
    }
    // The record is sealed and opened: it has the stride.
    let mut places_of_records = places(cell, all.iter().map(|(.., sealed)| sealed.len()));
    for (place, (.., sealed)) in places_of_records.iter_mut().zip(&all) {
        place.copy_from_slice(sealed);
    }
    let with_places = all.into_iter().zip(places_of_records);
    let records: Vec<Record> =
        with_places.map(|((iv, text, _), record)| (iv, text, record)).collect();
    let texts = places(cell, records[..cell.count].iter().map(|(.., record)| record.len()));
    let (lens, turn) = (vec![None; cell.count], Turn::new(cell.count));
    Ok(match op {
        AeadOp::Open => Box::new(OpenJob { work, records, texts, lens, turn }),
        _ => Box::new(SealJob { work, records, turn }),
    })
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

struct SealJob {
    work: Box<dyn RecordCalls>,
    records: Vec<Record>,
    turn: Turn,
}

impl Job for SealJob {
    fn run(&mut self, calls: usize) {
        self.work.seal(calls, &mut self.turn, &mut self.records);
    }

    fn answer(&mut self) -> Vec<u8> {
        for (_, text, record) in &mut self.records {
            record[..text.len()].copy_from_slice(text);
        }
        self.work.seal_known(self.turn.count(), &mut self.records);
        self.records.iter().flat_map(|(.., record)| record.to_vec()).collect()
    }

    fn note(&self) -> &'static str {
        self.work.seal_note()
    }
}

struct OpenJob {
    work: Box<dyn RecordCalls>,
    records: Vec<Record>,
    /// A buffer for each record of a call.
    texts: Vec<Text>,
    lens: Vec<Option<usize>>,
    turn: Turn,
}

impl Job for OpenJob {
    fn run(&mut self, calls: usize) {
        let Self { work, records, texts, lens, turn } = self;
        work.open(calls, turn, records, texts, lens);
        black_box(lens);
    }

    /// Each text, its length, and whether a record with a wrong last bit was accepted.
    fn answer(&mut self) -> Vec<u8> {
        let Self { work, records, texts, lens, turn } = self;
        let mut out = Vec::new();
        *turn = Turn::new(turn.count());
        for _ in 0..records.len() / turn.count() {
            let mut again = turn.clone();
            let opened = turn.clone().take(records.len());
            work.open(1, turn, records, texts, lens);
            for (text, len) in texts.iter().zip(&*lens) {
                let len = len.unwrap_or(0);
                out.extend_from_slice(&text[..len]);
                out.extend(len.to_le_bytes());
            }
            let change = |records: &mut [Record]| {
                for (.., record) in records {
                    *record.last_mut().expect("it is not empty") ^= 1;
                }
            };
            change(&mut records[opened.clone()]);
            work.open(1, &mut again, records, texts, lens);
            change(&mut records[opened]);
            out.extend(lens.iter().map(|len| u8::from(len.is_some())));
        }
        out
    }

    fn note(&self) -> &'static str {
        self.work.open_note()
    }
}

/// One key for all records, or one for each.
struct Each<C>(Vec<C>);

impl<C: Records> RecordCalls for Each<C> {
    fn seal(&mut self, calls: usize, turn: &mut Turn, records: &mut [Record]) {
        for _ in 0..calls {
            let range = turn.take(records.len());
            for (i, (iv, text, record)) in records[range].iter_mut().enumerate() {
                of_mut(&mut self.0, i).seal(iv, &HEADER, record, text.len());
            }
        }
    }

    fn open(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        records: &[Record],
        texts: &mut [Text],
        lens: &mut [Option<usize>],
    ) {
        for _ in 0..calls {
            let records = &records[turn.take(records.len())];
            let places = texts.iter_mut().zip(&mut *lens);
            for (i, ((iv, _, record), (text, len))) in records.iter().zip(places).enumerate() {
                *len = of_mut(&mut self.0, i).open(iv, &HEADER, record, text);
            }
        }
    }

    fn seal_note(&self) -> &'static str {
        C::SEAL_NOTE
    }
}

/// New keys for each record.
struct Fresh<C, M> {
    one: C,
    make: M,
    keys: Vec<OwnedKeys>,
}

impl<C: Records, M: Fn(RecordKeys<'_>) -> Result<C, Unavailable>> Fresh<C, M> {
    #[inline(always)]
    fn of_record(&mut self, i: usize) -> &mut C {
        let (aes, mac) = &self.keys[i];
        let keys = RecordKeys { aes, mac };
        if !self.one.rekey(keys) {
            self.one = (self.make)(keys).expect("it has been made before");
        }
        &mut self.one
    }
}

impl<C: Records, M: Fn(RecordKeys<'_>) -> Result<C, Unavailable>> RecordCalls for Fresh<C, M> {
    fn seal(&mut self, calls: usize, turn: &mut Turn, records: &mut [Record]) {
        for _ in 0..calls {
            for i in turn.take(records.len()) {
                let (iv, text, record) = &mut records[i];
                self.of_record(i).seal(iv, &HEADER, record, text.len());
            }
        }
    }

    fn open(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        records: &[Record],
        texts: &mut [Text],
        lens: &mut [Option<usize>],
    ) {
        for _ in 0..calls {
            let places = texts.iter_mut().zip(&mut *lens);
            for (i, (text, len)) in turn.take(records.len()).zip(places) {
                let (iv, _, record) = &records[i];
                *len = self.of_record(i).open(iv, &HEADER, record, text);
            }
        }
    }

    fn seal_note(&self) -> &'static str {
        C::SEAL_NOTE
    }
}
