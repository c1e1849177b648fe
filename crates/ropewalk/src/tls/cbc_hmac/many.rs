//! Batches of records: first the MACs of a group, then the cipher over texts, MACs and paddings.

mod groups;

use super::{Hash, Header, Key};
use crate::{
    aes::{
        RoundKeys,
        aes_cbc::{Part, SideBySide},
        groups::{Chosen, Cost, recorded},
    },
    core::{Error, InMessage, lengths::bits_of},
    hashes::{
        HashMany,
        many::{Batch, BatchOf},
    },
};
use groups::{open_group, seal_group};

/// A record of a batch.
pub struct Message<'a, H: Hash> {
    /// Its key. Messages may share a key.
    pub key: &'a Key<H>,
    /// Its initialization vector.
    pub iv: &'a [u8; 16],
    /// Its sequence number, type and version.
    pub header: &'a Header,
    /// The text, with space for its MAC and padding: [`Key::sealed_len`]`(len)` bytes. For opening, the record.
    pub record: &'a mut [u8],
    /// Bytes of text at the beginning of the record. Opening sets it.
    pub len: usize,
}

/// Seals each record in place, in lanes where that is faster. Records may differ in length and key.
///
/// # Errors
/// [`InMessage`] with [`Error::Length`] for the first that [`Key::seal`] would refuse; nothing is then written.
///
/// # Examples
/// ```
/// use ropewalk::{
///     cbc_hmac::{Key, Message, open_many, seal_many},
///     sha256::Sha256,
/// };
///
/// let key = Key::<Sha256>::new(&[7; 16], &[8; 32])?;
/// let (ivs, header) = ([[0; 16], [1; 16]], b"\0\0\0\0\0\0\0\x01\x17\x03\x03");
/// let mut records = [vec![b'a'; 64], vec![b'b'; 1056]];
/// let [first, second] = &mut records;
/// let mut messages = [
///     Message { key: &key, iv: &ivs[0], header, record: first, len: 20 },
///     Message { key: &key, iv: &ivs[1], header, record: second, len: 1010 },
/// ];
/// seal_many(&mut messages).map_err(|wrong| wrong.error)?;
///
/// let mut results = [Ok(()); 2];
/// open_many(&mut messages, &mut results).map_err(|wrong| wrong.error)?;
/// assert_eq!(results, [Ok(()); 2]);
/// assert_eq!(messages[1].len, 1010);
/// assert_eq!(messages[0].record[..20], [b'a'; 20]);
/// # Ok::<(), ropewalk::Error>(())
/// ```
#[inline]
pub fn seal_many<H: Hash>(messages: &mut [Message<'_, H>]) -> Result<(), InMessage> {
    if let [Message { key, iv, header, record, len }] = messages {
        return key.seal(iv, header, record, *len).map_err(|error| InMessage { index: 0, error });
    }
    if messages.len() < LEAST_SEALED && all_right(messages) {
        Many::seal_serial(messages);
        return Ok(());
    }
    Many::new().seal(messages)
}

/// Opens each record in place: a result for each, and the length of the text where it is right. The result of one record reveals
/// nothing about others.
///
/// # Errors
/// In the results, as [`Key::open`]: a record that is forged is zeroed, and one of a wrong length untouched. [`InMessage`] with
/// [`Error::Length`] where there are not as many results as records, for the first without a counterpart; nothing is then
/// written.
#[inline]
pub fn open_many<H: Hash>(
    messages: &mut [Message<'_, H>],
    results: &mut [Result<(), Error>],
) -> Result<(), InMessage> {
    if messages.len() == results.len()
        && (messages.len() < 2 || messages.len() <= FEW && are_short(messages))
    {
        open_serial(messages, results);
        return Ok(());
    }
    Many::new().open(messages, results)
}

#[inline(always)]
fn open_serial<H: Hash>(messages: &mut [Message<'_, H>], results: &mut [Result<(), Error>]) {
    for (message, result) in messages.iter_mut().zip(results) {
        *result = message.open();
    }
}

/// A cheap check whether lanes cannot be faster for a small batch.
#[inline(always)]
fn are_short<H: Hash>(messages: &[Message<'_, H>]) -> bool {
    bits_of(messages, |message| message.record.len()) < 256
}

/// AES-CBC with HMAC of batches of records. Each call takes up to 16 KiB of stack; nothing is allocated.
pub struct Many<H: Hash> {
    hash: H::Many,
    cbc: SideBySide,
    /// Whether lanes are always used.
    forced: bool,
}

impl<H: Hash> Many<H> {
    /// With the best backends of this processor.
    #[inline]
    pub fn new() -> Self {
        Self { hash: H::Many::default(), cbc: SideBySide::new(), forced: false }
    }

    /// With the backend of that name in the batch list of the hash function, for the MACs, even where serial processing is
    /// faster. Records whose key has a backend without AES instructions are sealed serially.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self { hash: H::Many::with_backend(name)?, cbc: SideBySide::new(), forced: true })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.hash.backend()
    }

    /// Seals each record in place.
    ///
    /// # Errors
    /// As [`seal_many`].
    #[inline]
    pub fn seal(&self, messages: &mut [Message<'_, H>]) -> Result<(), InMessage> {
        if !all_right(messages) {
            return first_wrong(messages);
        }
        if !self.forced && too_little(messages) {
            Self::seal_serial(messages);
        } else {
            self.seal_groups(messages);
        }
        Ok(())
    }

    #[inline(never)]
    fn seal_groups(&self, messages: &mut [Message<'_, H>]) {
        let mut messages = messages;
        while let (group @ [_, ..], rest) = messages.split_at_mut(group_len(messages, GROUP)) {
            if self.sealing_pays(group) {
                // A small batch has a smaller stack frame, which is wiped faster.
                match group.len() {
                    ..=FEW => seal_group::<H, FEW>(self.batch(), group),
                    _ => seal_group::<H, GROUP>(self.batch(), group),
                }
                self.encrypt(group);
            } else {
                Self::seal_serial(group);
            }
            messages = rest;
        }
    }

    #[inline]
    fn seal_serial(messages: &mut [Message<'_, H>]) {
        for Message { key, iv, header, record, len } in messages {
            key.seal_checked(iv, header, record, *len);
        }
    }

    /// Opens each record in place.
    ///
    /// # Errors
    /// As [`open_many`].
    pub fn open(
        &self,
        messages: &mut [Message<'_, H>],
        results: &mut [Result<(), Error>],
    ) -> Result<(), InMessage> {
        if messages.len() != results.len() {
            let (got, allowed) = (results.len(), "as many as there are messages");
            let error = Error::Length { what: "results", got, allowed };
            return Err(InMessage { index: got.min(messages.len()), error });
        }
        // Narrow batches are filled by a few records, which stay in a nearer cache.
        let most = if self.batch().prices().width() > FEW { OPENED } else { FEW };
        if !self.forced && (most == FEW || messages.len() <= FEW) && are_short(messages) {
            open_serial(messages, results);
            return Ok(());
        }
        let (mut messages, mut results) = (messages, results);
        while !messages.is_empty() {
            let right =
                |message: &&Message<'_, H>| Key::<H>::check_record(message.record.len()).is_ok();
            let run = messages[..group_len(messages, most)].iter().take_while(right).count();
            let done = if run > 0 && self.opening_pays(&messages[..run]) {
                let (group, results) = (&mut messages[..run], &mut results[..run]);
                match run {
                    ..=FEW => open_group::<H, FEW>(self.batch(), &self.cbc, group, results),
                    _ => open_group::<H, OPENED>(self.batch(), &self.cbc, group, results),
                }
                run
            } else {
                // A record that is wrong, or a group that is too small.
                let run = run.max(1);
                open_serial(&mut messages[..run], &mut results[..run]);
                run
            };
            messages = &mut messages[done..];
            results = &mut results[done..];
        }
        Ok(())
    }

    #[inline]
    fn batch(&self) -> Batch<'_, H::Function> {
        self.hash.many().batch()
    }

    /// Whether all records of a group suit lanes, and lanes are faster.
    fn sealing_pays(&self, group: &[Message<'_, H>]) -> bool {
        let prices = self.batch().prices();
        let mut cost = Cost::default();
        let many = self.cbc.info();
        let costs = recorded(many);
        let (mut sum, mut most, mut serial, mut one_key) = (0, 0, 0, true);
        let mut first = None;
        for Message { key, record, len, .. } in group {
            let Some(keys) = key.0.engine.round_keys() else { return false };
            one_key &= core::ptr::eq(*first.get_or_insert(keys), keys);
            let (hashed, encrypted) = ((len + 13 + 9).div_ceil(64) + 1, record.len() / 16);
            (sum, most) = (sum + hashed, most.max(hashed));
            cost.add(encrypted, costs.one.into());
            // Four blocks of the cipher are interleaved with one of the hash, except for the last ones.
            let chain = (3 * keys.rounds as u64 - 1) * encrypted as u64;
            let ends = 2 * prices.block();
            serial += chain.max(prices.block() * (hashed as u64 - 2)) + ends;
        }
        let lanes = GROUP_COST
            + RECORD_COST * group.len() as u64
            + prices.cost(group.len(), sum, most)
            + cost.side_by_side(many.lanes, &costs, one_key);
        self.forced || many.lanes > 1 && lanes <= serial
    }

    /// Whether lanes are faster for opening a group.
    fn opening_pays(&self, group: &[Message<'_, H>]) -> bool {
        if self.forced || group.len() < 2 {
            return self.forced;
        }
        let prices = self.batch().prices();
        let (mut sum, mut most, mut decrypted) = (0, 0, 0);
        for Message { key, record, .. } in group {
            let blocks = record.len().div_ceil(64) + 1;
            (sum, most) = (sum + blocks, most.max(blocks));
            // In serial, decryption is interleaved with the hash.
            let rounds = key.0.engine.round_keys().map_or(0, |keys| keys.rounds);
            decrypted += rounds * record.len() / 16 / 2;
        }
        let lanes = OPENING_COST
            + OPENED_COST * group.len() as u64
            + prices.cost(group.len(), sum, most)
            + decrypted as u64;
        lanes <= prices.block() * sum as u64
    }

    /// Encrypts records with their MAC and padding.
    fn encrypt(&self, group: &mut [Message<'_, H>]) {
        for rounds in [10, 14] {
            let mut keys = group.iter().filter_map(|message| message.round_keys(rounds));
            let Some(first) = keys.next() else { continue };
            let one_key = keys.all(|keys| core::ptr::eq(keys, first)).then_some(first);
            let of = |message: &&mut Message<'_, H>| message.round_keys(rounds).is_some();
            let mut parts =
                group.iter_mut().filter(of).map(|Message { key, iv, record, .. }| Part {
                    cbc: key.0.engine.cbc(),
                    before: iv,
                    text: record,
                });
            self.cbc.encrypt(Chosen::all_of(rounds, one_key), &mut parts);
        }
    }
}

impl<H: Hash> Default for Many<H> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a, H: Hash> Message<'a, H> {
    #[inline]
    fn open(&mut self) -> Result<(), Error> {
        let Self { key, iv, header, record, len } = self;
        key.open(iv, header, record).map(|text| *len = text.len())
    }

    /// The round keys, if they have that many rounds.
    #[inline]
    fn round_keys(&self, rounds: usize) -> Option<&'a RoundKeys> {
        self.key.0.engine.round_keys().filter(|keys| keys.rounds == rounds)
    }
}

/// Whether [`Key::seal`] accepts all lengths.
#[inline]
fn all_right<H: Hash>(messages: &[Message<'_, H>]) -> bool {
    let right = |message: &Message<'_, H>| Key::<H>::check_text(message.len, message.record.len());
    messages.iter().all(|message| right(message).is_ok())
}

#[cold]
#[inline(never)]
fn first_wrong<H: Hash>(messages: &[Message<'_, H>]) -> Result<(), InMessage> {
    for (index, message) in messages.iter().enumerate() {
        Key::<H>::check_text(message.len, message.record.len())
            .map_err(|error| InMessage { index, error })?;
    }
    Ok(())
}

/// Whether lanes are certainly slower, whatever their costs.
#[inline]
fn too_little<H: Hash>(messages: &[Message<'_, H>]) -> bool {
    let bytes = |messages: &[Message<'_, H>]| -> usize {
        messages.iter().map(|message| message.record.len()).sum()
    };
    messages.len() < LEAST_SEALED || bytes(messages) < SHORT
}

/// With fewer records, lanes are never faster.
const LEAST_SEALED: usize = 4;
/// Nor are they if all records are shorter.
const SHORT: usize = 1000;

/// The largest groups of records that are sealed together, which is twice the largest number of lanes; and that are opened.
const GROUP: usize = 32;
const OPENED: usize = 16;
const FEW: usize = 4;
/// The largest number of lanes, and the bytes that stay in the L2 cache until they are encrypted.
const LEAST: usize = 16;
const CACHED: usize = 192 << 10;

/// The overhead of lanes: for a group, and for a record.
const GROUP_COST: u64 = 400;
const RECORD_COST: u64 = 60;
/// The same for opening.
const OPENING_COST: u64 = 500;
const OPENED_COST: u64 = 290;

/// How many of the first records are processed together: a few more than there are lanes would be a second pass with most lanes
/// empty.
fn group_len<H: Hash>(messages: &[Message<'_, H>], most: usize) -> usize {
    let mut bytes = 0;
    for (i, message) in messages.iter().take(most).enumerate() {
        if i >= LEAST && bytes >= CACHED {
            return LEAST;
        }
        bytes += message.record.len();
    }
    messages.len().min(most)
}
