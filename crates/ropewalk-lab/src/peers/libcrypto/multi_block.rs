//! OpenSSL's multi-block: four or eight records of TLS 1.1 or later, sealed in parallel in one call.
//!
//! As libssl calls it for a long text, which is contiguous and is split into records of one length. It
//! generates their vectors, counts their numbers, and writes them contiguously, with their headers.

use std::{
    ffi::{c_int, c_uint, c_void},
    ptr::{from_mut, null_mut},
};

use super::{records::Records, source::Source};
use crate::{
    peers::{Unavailable, jobs},
    tasks::{Cell, Direction, Function},
};

/// The name of the row.
pub(super) const MULTI_BLOCK: &str = "multi-block";

/// Whether the library has it, and supports that number of records in a call.
pub(super) fn is_in(source: Source, function: Function, key_len: usize, count: usize) -> bool {
    let keys = (jobs::key(key_len), jobs::mac_key(function));
    let keys = jobs::RecordKeys { aes: &keys.0, mac: &keys.1 };
    let records = || Records::new(source, function, Direction::Encrypt, keys).ok();
    count >= LANES[1] && records().is_some_and(|one| announced(&one, &HEADER, LANES[1], LEAST) > 0)
}

/// Records of one length, with one key.
pub(super) struct MultiBlock {
    one: Records,
    function: Function,
    keys: (Vec<u8>, Vec<u8>),
    len: usize,
    sealed_len: usize,
    /// The texts of a call, which are the same for every call.
    texts: Vec<u8>,
    /// The buffer for the records.
    out: Vec<u8>,
}

impl MultiBlock {
    pub(super) fn new(
        source: Source,
        function: Function,
        cell: &Cell,
        keys: jobs::RecordKeys<'_>,
    ) -> Result<Self, Unavailable> {
        let (len, mac_len) = (cell.bytes, function.output_len());
        if cell.mix.is_some() || cell.key_count() > 1 {
            return Err(Unavailable("takes records of one length and one key".into()));
        }
        if len < LEAST {
            return Err(Unavailable(format!("takes records of {LEAST} bytes or more")));
        }
        let sealed_len = (len + mac_len + 1).next_multiple_of(16);
        Ok(Self {
            one: Records::new(source, function, Direction::Encrypt, keys)?,
            function,
            keys: (keys.aes.to_vec(), keys.mac.to_vec()),
            len,
            sealed_len,
            texts: vec![0; cell.count * len],
            out: vec![0; cell.count * (BEFORE + sealed_len)],
        })
    }

    /// Seals as many records as fill the remaining lanes, from index `from` on, and returns whether it did.
    fn group(&mut self, header: &[u8; 11], from: usize, lanes: usize) -> bool {
        let packed = lanes * (BEFORE + self.sealed_len);
        if announced(&self.one, &numbered(header, from), lanes, self.len) != packed as c_int {
            return false;
        }
        let mut group = Group {
            out: self.out[from * (BEFORE + self.sealed_len)..][..packed].as_mut_ptr(),
            text: self.texts[from * self.len..][..lanes * self.len].as_ptr(),
            len: lanes * self.len,
            lanes: lanes as c_uint,
        };
        // SAFETY: the texts have the given lengths, and there is space for as much as it has just announced.
        unsafe { command(&self.one, ENCRYPT, &mut group) == packed as c_int }
    }

    /// Whether it seals record `i` as ropewalk does with the vector that it has generated.
    fn is_right(&self, header: &[u8; 11], i: usize, text: &[u8]) -> Result<bool, Unavailable> {
        let made = &self.out[i * (BEFORE + self.sealed_len)..][..BEFORE + self.sealed_len];
        let (before, sealed) = made.split_at(BEFORE);
        let (start, iv) = before.split_first_chunk::<5>().expect("a header is there");
        let header = numbered(header, i);
        let [high, low] = ((16 + self.sealed_len) as u16).to_be_bytes();
        let right = self.portable(&header, iv.try_into().expect("sixteen bytes"), text)?;
        Ok(*start == [header[8], header[9], header[10], high, low] && sealed == right)
    }

    fn portable(
        &self,
        header: &[u8; 11],
        iv: &[u8; 16],
        text: &[u8],
    ) -> Result<Vec<u8>, Unavailable> {
        let keys = jobs::RecordKeys { aes: &self.keys.0, mac: &self.keys.1 };
        jobs::sealed(self.function, keys, iv, header, text)
    }

    fn seal_all(&mut self, records: &mut [jobs::Record]) {
        let mut done = 0;
        for lanes in LANES {
            while records.len() - done >= lanes {
                if !self.group(&jobs::HEADER, done, lanes) {
                    // A failed call must not look like an answer.
                    self.out.fill(0);
                }
                done += lanes;
            }
        }
        for (iv, text, record) in &mut records[done..] {
            jobs::Records::seal(&mut self.one, iv, &jobs::HEADER, record, text.len());
        }
    }
}

impl jobs::RecordCalls for MultiBlock {
    fn seal(&mut self, calls: usize, turn: &mut jobs::Turn, records: &mut [jobs::Record]) {
        let all = records.len();
        for _ in 0..calls {
            self.seal_all(&mut records[turn.take(all)]);
        }
    }

    fn open(
        &mut self,
        _: usize,
        _: &mut jobs::Turn,
        _: &[jobs::Record],
        _: &mut [jobs::Text],
        _: &mut [Option<usize>],
    ) {
        unreachable!("it only seals");
    }

    fn seal_note(&self) -> &'static str {
        "draws the vectors and writes headers, which count"
    }

    fn seal_known(&mut self, count: usize, records: &mut [jobs::Record]) {
        records.chunks_mut(count).for_each(|records| self.seal_known_call(records));
    }
}

impl MultiBlock {
    fn seal_known_call(&mut self, records: &mut [jobs::Record]) {
        let header = &jobs::HEADER;
        for (place, (_, text, _)) in self.texts.chunks_mut(self.len).zip(&*records) {
            place.copy_from_slice(text);
        }
        self.seal_all(records);
        let side_by_side = records.len() / LANES[1] * LANES[1];
        for (i, (iv, text, record)) in records[..side_by_side].iter_mut().enumerate() {
            record.fill(0);
            if self.is_right(header, i, text) == Ok(true)
                && let Ok(known) = self.portable(header, iv, text)
            {
                record.copy_from_slice(&known);
            }
        }
    }
}

/// `EVP_CTRL_TLS1_1_MULTIBLOCK_PARAM`.
#[repr(C)]
struct Group {
    out: *mut u8,
    text: *const u8,
    len: usize,
    lanes: c_uint,
}

/// As in libssl, eight if there are enough.
const LANES: [usize; 2] = [8, 4];

/// It takes the first block of a hash, with the thirteen bytes before the text, from each record.
const LEAST: usize = 64 - 13;

/// Bytes of a record before the sealed part: header and vector.
const BEFORE: usize = 5 + 16;

const HEADER: [u8; 11] = *b"\0\0\0\0\0\0\0\x01\x17\x03\x02";

/// The header of the `i`th record of a call, of the first version with a vector in each record.
fn numbered(header: &[u8; 11], i: usize) -> [u8; 11] {
    let (first, _) = header.split_first_chunk().expect("a number is in front");
    let mut numbered = *header;
    numbered[..8].copy_from_slice(&(u64::from_be_bytes(*first) + i as u64).to_be_bytes());
    numbered[9..].copy_from_slice(&[3, 2]);
    numbered
}

/// Announces what will be sealed, and returns its length; zero or less if it is not possible.
fn announced(one: &Records, header: &[u8; 11], lanes: usize, len: usize) -> c_int {
    // Length zero means the one in the header.
    let mut pseudo = [0; 13];
    pseudo[..11].copy_from_slice(header);
    let mut group =
        Group { out: null_mut(), text: pseudo.as_ptr(), len: lanes * len, lanes: lanes as c_uint };
    // SAFETY: it reads thirteen bytes, and the length says how long the texts will be.
    unsafe { command(one, AAD, &mut group) }
}

/// # Safety
/// As the command requires.
unsafe fn command(one: &Records, command: c_int, group: &mut Group) -> c_int {
    let of = from_mut(group).cast::<c_void>();
    // SAFETY: it has the given length, and the rest is as the caller promises.
    unsafe { one.command(command, of, size_of::<Group>()) }
}

/// `EVP_CTRL_TLS1_1_MULTIBLOCK_AAD` and `_ENCRYPT`.
const AAD: c_int = 0x19;
const ENCRYPT: c_int = 0x1a;
