//! Records side by side: first the MACs of a group of them, then the cipher over its texts, MACs and paddings.

use super::{
    Hash, Header, Key, mac_bytes,
    open::{Found, Lens, MOST_ENDS},
    outer_block, pseudo_header,
    seal::FIRST,
};
use crate::{
    Error, HashMany, InMessage,
    aes::RoundKeys,
    aes_cbc::{Part, SideBySide},
    many::{
        self, Prices,
        groups::{Chosen, Cost, recorded},
    },
    secret::Wiped,
    sha1::{Sha1, Sha1Many},
    sha256::{Sha256, Sha256Many},
};

/// One of many records.
pub struct Message<'a, H: Hash> {
    /// Its key, which others may have too.
    pub key: &'a Key<H>,
    /// Its initialization vector.
    pub iv: &'a [u8; 16],
    /// Its sequence number, type and version.
    pub header: &'a Header,
    /// The text, and room for its MAC and padding: [`Key::sealed_len`]`(len)` bytes. Opening, the record.
    pub record: &'a mut [u8],
    /// Bytes of text at the beginning of the record. Opening finds it out.
    pub len: usize,
}

/// Seals each record in place, side by side with others. Those of any lengths and of any keys may be mixed.
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
        Many::seal_alone(messages);
        return Ok(());
    }
    Many::new().seal(messages)
}

/// Opens each record in place: a result for each, and where it is right the length of its text. What one of them is
/// found to be says nothing of the others.
///
/// # Errors
/// In the results, as [`Key::open`]: a record that is forged is zeroed, and one of a wrong length untouched.
/// [`InMessage`] with [`Error::Length`] where there are not as many results as records, for the first without its
/// other; nothing is then written.
#[inline]
pub fn open_many<H: Hash>(
    messages: &mut [Message<'_, H>],
    results: &mut [Result<(), Error>],
) -> Result<(), InMessage> {
    if let ([message], [result]) = (&mut *messages, &mut *results) {
        *result = message.open();
        return Ok(());
    }
    Many::new().open(messages, results)
}

/// AES-CBC with HMAC of many records side by side. Each call has up to 16 KiB on the stack; nothing is allocated.
pub struct Many<H: Hash> {
    hash: H::Many,
    cbc: SideBySide,
    /// Whether lanes are used whatever they cost.
    forced: bool,
}

impl<H: Hash> Many<H> {
    /// With the best backends of this processor.
    #[inline]
    pub fn new() -> Self {
        Self { hash: H::Many::default(), cbc: SideBySide::new(), forced: false }
    }

    /// With one backend for the MACs, by its name in the hash function's list of those for many, even where one record
    /// at a time is faster. Records whose key has no AES instructions are sealed one by one.
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
            Self::seal_alone(messages);
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
                // What few records take of the stack is wiped sooner.
                match group.len() {
                    ..=FEW => H::seal_few(&self.hash, group),
                    _ => H::seal_group(&self.hash, group),
                }
                self.encrypt(group);
            } else {
                Self::seal_alone(group);
            }
            messages = rest;
        }
    }

    #[inline]
    fn seal_alone(messages: &mut [Message<'_, H>]) {
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
        // Few lanes have enough with few records, which stay in a cache nearer by.
        let most = if H::prices(&self.hash).lanes() > FEW { OPENED } else { FEW };
        let (mut messages, mut results) = (messages, results);
        while !messages.is_empty() {
            let right =
                |message: &&Message<'_, H>| Key::<H>::check_record(message.record.len()).is_ok();
            let run = messages[..group_len(messages, most)].iter().take_while(right).count();
            let done = if run > 0 && self.opening_pays(&messages[..run]) {
                match run {
                    ..=FEW => H::open_few(
                        &self.hash,
                        &self.cbc,
                        &mut messages[..run],
                        &mut results[..run],
                    ),
                    _ => H::open_group(
                        &self.hash,
                        &self.cbc,
                        &mut messages[..run],
                        &mut results[..run],
                    ),
                }
                run
            } else {
                // One that is wrong, or those that are too few.
                let run = run.max(1);
                for (message, result) in messages[..run].iter_mut().zip(&mut results[..run]) {
                    *result = message.open();
                }
                run
            };
            messages = &mut messages[done..];
            results = &mut results[done..];
        }
        Ok(())
    }

    /// Whether lanes can take all of a group, and it is worth it.
    fn sealing_pays(&self, group: &[Message<'_, H>]) -> bool {
        let prices = H::prices(&self.hash);
        let mut cost = Cost::default();
        let many = self.cbc.info();
        let costs = recorded(many);
        let (mut sum, mut most, mut alone, mut one_key) = (0, 0, 0, true);
        let mut first = None;
        for Message { key, record, len, .. } in group {
            let Some(keys) = key.engine.round_keys() else { return false };
            one_key &= core::ptr::eq(*first.get_or_insert(keys), keys);
            let (hashed, encrypted) = ((len + 13 + 9).div_ceil(64) + 1, record.len() / 16);
            (sum, most) = (sum + hashed, most.max(hashed));
            cost.add(encrypted, costs.one.into());
            // Four blocks of the one go beside one of the other, and the last ones by themselves.
            let chain = (3 * keys.rounds as u64 - 1) * encrypted as u64;
            let ends = 2 * prices.block();
            alone += chain.max(prices.block() * (hashed as u64 - 2)) + ends;
        }
        let lanes = GROUP_COST
            + RECORD_COST * group.len() as u64
            + prices.cost(group.len(), sum, most)
            + cost.side_by_side(many.lanes, &costs, one_key);
        self.forced || many.lanes > 1 && lanes <= alone
    }

    /// Whether lanes are worth it for a group of records to open.
    fn opening_pays(&self, group: &[Message<'_, H>]) -> bool {
        if self.forced || group.len() < 2 {
            return self.forced;
        }
        let prices = H::prices(&self.hash);
        let (mut sum, mut most, mut decrypted) = (0, 0, 0);
        for Message { key, record, .. } in group {
            let blocks = record.len().div_ceil(64) + 1;
            (sum, most) = (sum + blocks, most.max(blocks));
            // One by one they are decrypted beside the hash.
            let rounds = key.engine.round_keys().map_or(0, |keys| keys.rounds);
            decrypted += rounds * record.len() / 16 / 2;
        }
        let lanes = OPENING_COST
            + OPENED_COST * group.len() as u64
            + prices.cost(group.len(), sum, most)
            + decrypted as u64;
        lanes <= prices.block() * sum as u64
    }

    /// Encrypts records that have their MAC and padding.
    fn encrypt(&self, group: &mut [Message<'_, H>]) {
        for rounds in [10, 14] {
            let mut keys = group.iter().filter_map(|message| message.round_keys(rounds));
            let Some(first) = keys.next() else { continue };
            let one_key = keys.all(|keys| core::ptr::eq(keys, first)).then_some(first);
            let of = |message: &&mut Message<'_, H>| message.round_keys(rounds).is_some();
            let mut parts =
                group.iter_mut().filter(of).map(|Message { key, iv, record, .. }| Part {
                    cbc: key.engine.cbc(),
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

    /// The round keys, if there are so many rounds.
    #[inline]
    fn round_keys(&self, rounds: usize) -> Option<&'a RoundKeys> {
        self.key.engine.round_keys().filter(|keys| keys.rounds == rounds)
    }
}

/// Whether all lengths are as [`Key::seal`] takes them.
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

/// Where lanes are not thought of.
#[inline]
fn too_little<H: Hash>(messages: &[Message<'_, H>]) -> bool {
    let bytes = |messages: &[Message<'_, H>]| -> usize {
        messages.iter().map(|message| message.record.len()).sum()
    };
    messages.len() < LEAST_SEALED || bytes(messages) < SHORT
}

/// With fewer records, lanes never pay for what they cost besides.
const LEAST_SEALED: usize = 4;
/// Where all records have fewer bytes, they do not either.
const SHORT: usize = 1000;

/// Records that are sealed together, at most: as many as all lanes take twice; and that are opened.
const GROUP: usize = 32;
const OPENED: usize = 16;
const FEW: usize = 4;
/// As many as all lanes take, and bytes that stay in the second cache until they are encrypted.
const LEAST: usize = 16;
const CACHED: usize = 192 << 10;

/// What lanes cost besides blocks: a group, and a record.
const GROUP_COST: u64 = 400;
const RECORD_COST: u64 = 60;
/// And what they cost where they are opened.
const OPENING_COST: u64 = 500;
const OPENED_COST: u64 = 120;

/// How many of the first records are worked on together.
fn group_len<H: Hash>(messages: &[Message<'_, H>], most: usize) -> usize {
    let mut bytes = 0;
    for (i, message) in messages.iter().take(most).enumerate() {
        if i >= LEAST && bytes >= CACHED {
            return i;
        }
        bytes += message.record.len();
    }
    messages.len().min(most)
}

/// What a group of records asks of a hash function.
pub(super) trait OfGroups: crate::Hash {
    fn prices(many: &Self::Many) -> Prices;
    /// Writes the MACs of records, and their padding.
    fn seal_group(hash: &Self::Many, group: &mut [Message<'_, Self>])
    where
        Self: Hash;
    /// The same of few.
    fn seal_few(hash: &Self::Many, group: &mut [Message<'_, Self>])
    where
        Self: Hash;
    /// Opens records, whose lengths are right.
    fn open_group(
        hash: &Self::Many,
        cbc: &SideBySide,
        group: &mut [Message<'_, Self>],
        results: &mut [Result<(), Error>],
    ) where
        Self: Hash;
    /// The same of few.
    fn open_few(
        hash: &Self::Many,
        cbc: &SideBySide,
        group: &mut [Message<'_, Self>],
        results: &mut [Result<(), Error>],
    ) where
        Self: Hash;
}

macro_rules! of_groups {
    ($Hash:ident, $Many:ident of $W:literal words) => {
        impl OfGroups for $Hash {
            fn prices(many: &$Many) -> Prices {
                many::Hash::<$W, _, _, _>::prices(many)
            }
            fn seal_group(hash: &$Many, group: &mut [Message<'_, Self>]) {
                seal_group::<_, _, $W, _, _, { GROUP }>(hash, group);
            }
            fn seal_few(hash: &$Many, group: &mut [Message<'_, Self>]) {
                seal_group::<_, _, $W, _, _, { FEW }>(hash, group);
            }
            fn open_group(
                hash: &$Many,
                cbc: &SideBySide,
                group: &mut [Message<'_, Self>],
                results: &mut [Result<(), Error>],
            ) {
                open_group::<_, _, $W, _, _, { OPENED }>(hash, cbc, group, results);
            }
            fn open_few(
                hash: &$Many,
                cbc: &SideBySide,
                group: &mut [Message<'_, Self>],
                results: &mut [Result<(), Error>],
            ) {
                open_group::<_, _, $W, _, _, { FEW }>(hash, cbc, group, results);
            }
        }
    };
}

of_groups! { Sha1, Sha1Many of 5 words }
of_groups! { Sha256, Sha256Many of 8 words }

/// Writes the MACs of records, and their padding.
#[inline(never)]
fn seal_group<H, M, const W: usize, const LANES: usize, const DIGEST: usize, const G: usize>(
    hash: &M,
    group: &mut [Message<'_, H>],
) where
    H: Hash,
    M: many::Hash<W, LANES, 64, DIGEST, Word = u32>,
{
    let mut tags = Wiped::new([[0; DIGEST]; G]);
    let tags = &mut tags[..group.len()];
    mac_group::<_, _, _, _, _, G>(hash, group, tags);
    for (Message { record, len, .. }, tag) in group.iter_mut().zip(tags) {
        // Each byte of padding is the number of the others.
        let (mac, padding) = record[*len..].split_at_mut(DIGEST);
        mac.copy_from_slice(tag);
        padding.fill((padding.len() - 1) as u8);
    }
}

fn mac_group<H, M, const W: usize, const LANES: usize, const DIGEST: usize, const G: usize>(
    hash: &M,
    group: &[Message<'_, H>],
    tags: &mut [[u8; DIGEST]],
) where
    H: Hash,
    M: many::Hash<W, LANES, 64, DIGEST, Word = u32>,
{
    let mut heads = Wiped::new([[0; 64]; G]);
    let mut inner = Wiped::new([[0; W]; G]);
    let (heads, inner) = (&mut heads[..group.len()], &mut inner[..group.len()]);
    for ((message, head), inner) in group.iter().zip(&mut *heads).zip(&mut *inner) {
        let Message { key, header, record, len, .. } = message;
        head[..13].copy_from_slice(&pseudo_header(header, *len as u16));
        let text = &record[..*len];
        match text.first_chunk::<FIRST>() {
            Some(first) => head[13..].copy_from_slice(first),
            None => head[13..13 + len].copy_from_slice(text),
        }
        *inner = words(key.engine.mac_states().0);
    }
    // A header and the beginning of the text, where they fill a block.
    let mut texts: [&[_]; G] = [&[]; G];
    for ((text, head), message) in texts.iter_mut().zip(&*heads).zip(group) {
        if message.len >= FIRST {
            *text = core::slice::from_ref(head);
        }
    }
    many::absorb_each(hash, inner, &texts[..group.len()]);
    let item = |i: usize| {
        let Message { key, record, len, .. } = &group[i];
        let (text, blocks_before) = match len.checked_sub(FIRST) {
            Some(_) => (&record[FIRST..*len], 2),
            None => (&heads[i][..13 + len], 1),
        };
        Item { text, blocks_before, inner: &inner[i], outer: key.engine.mac_states().1 }
    };
    let mut items = [item(0); G];
    for i in 1..group.len() {
        items[i] = item(i);
    }
    if many::hash(hash, &items[..group.len()], tags).is_err() {
        unreachable!("as many tags as records");
    }
}

/// Opens records. All of them are decrypted, and blocks that could be the last of their hashes are hashed side by side
/// and the right ones kept: nothing depends on what is found, as in `open.rs`.
#[inline(never)]
fn open_group<H, M, const W: usize, const LANES: usize, const DIGEST: usize, const G: usize>(
    hash: &M,
    cbc: &SideBySide,
    group: &mut [Message<'_, H>],
    results: &mut [Result<(), Error>],
) where
    H: Hash,
    M: many::Hash<W, LANES, 64, DIGEST, Word = u32>,
{
    let count = group.len();
    let lens: [_; G] =
        core::array::from_fn(|i| Lens::of::<W>(group[i.min(count - 1)].record.len()));
    let mut opening = Opening {
        found: [Found::default(); G],
        heads: [[0; 64]; G],
        ends: [[[0; 64]; MOST_ENDS]; G],
        states: [[0; W]; G],
        digests: [[0; W]; G],
        tags: [[0; 32]; G],
    };
    let Opening { found, heads, ends, states, digests, tags } = &mut opening;
    for (i, Message { key, iv, header, record, .. }) in group.iter_mut().enumerate() {
        cbc.decrypt(Part { cbc: key.engine.cbc(), before: iv, text: record });
        let last = record.last().copied().unwrap_or_else(|| unreachable!("a record has blocks"));
        found[i] = Found::of(last, &lens[i]);
        let pseudo = pseudo_header(header, found[i].len as u16);
        heads[i][..13].copy_from_slice(&pseudo);
        if lens[i].sure > 0 {
            heads[i][13..].copy_from_slice(&record[..FIRST]);
        }
        let ends = lens[i].last_blocks(&found[i], &pseudo, record, &mut ends[i]);
        for (end, block) in ends.iter_mut().enumerate() {
            found[i].add_length(block, found[i].is_last(&lens[i], end));
        }
        states[i] = words(key.engine.mac_states().0);
    }

    // Blocks that are of the text and nothing else.
    let mut texts: [&[[u8; 64]]; G] = [&[]; G];
    for i in (0..count).filter(|i| lens[*i].sure > 0) {
        texts[i] = core::slice::from_ref(&heads[i]);
    }
    many::absorb_each(hash, &mut states[..count], &texts[..count]);
    for i in (0..count).filter(|i| lens[*i].sure > 0) {
        texts[i] = group[i].record[FIRST..][..64 * (lens[i].sure - 1)].as_chunks().0;
    }
    many::absorb_each(hash, &mut states[..count], &texts[..count]);

    // Those of which one is the last.
    let texts: [_; G] = core::array::from_fn(|i| &ends[i][..lens[i].ends]);
    many::absorb_and_show(hash, &mut states[..count], &texts[..count], |i, end, state| {
        let is_last = found[i].is_last(&lens[i], end);
        for (word, of) in digests[i].iter_mut().zip(state) {
            *word |= of & is_last;
        }
    });

    // The outer hash (FIPS 198-1, table 1, steps 8 and 9).
    for i in 0..count {
        heads[i] = outer_block(&digests[i]);
        states[i] = words(group[i].key.engine.mac_states().1);
    }
    let texts: [_; G] = core::array::from_fn(|i| core::slice::from_ref(&heads[i]));
    many::absorb_and_show(hash, &mut states[..count], &texts[..count], |i, _, state| {
        tags[i] = mac_bytes(state);
    });
    for (i, (Message { record, len, .. }, result)) in group.iter_mut().zip(results).enumerate() {
        let opened = found[i].judge::<W>(&lens[i], record, &tags[i]);
        *result = Key::<H>::tell(&opened, record).map(|text| *len = text);
    }
}

/// What is known of records while they are opened. It is made where it stays, and wiped: moved, a few kilobytes would take
/// longer than all else.
struct Opening<const W: usize, const G: usize> {
    found: [Found; G],
    /// Blocks of the inner hash that begin with a header, and those of the outer one.
    heads: [[u8; 64]; G],
    ends: [[[u8; 64]; MOST_ENDS]; G],
    states: [[u32; W]; G],
    /// Of the inner hash.
    digests: [[u32; W]; G],
    tags: [[u8; 32]; G],
}

impl<const W: usize, const G: usize> Drop for Opening<W, G> {
    fn drop(&mut self) {
        self.found = [Found::default(); G];
        self.heads = [[0; 64]; G];
        self.ends = [[[0; 64]; MOST_ENDS]; G];
        self.states = [[0; W]; G];
        self.digests = [[0; W]; G];
        self.tags = [[0; 32]; G];
        zeroize::optimization_barrier(self);
    }
}

/// What is hashed of a record, by the scheduler of many messages.
#[derive(Clone, Copy)]
struct Item<'a, const W: usize> {
    text: &'a [u8],
    /// The key's, and the header and the beginning of the text where they fill another one.
    blocks_before: usize,
    inner: &'a [u32; W],
    outer: &'a [u32],
}

impl<const W: usize, const DIGEST: usize> many::Item<u32, W, DIGEST> for Item<'_, W> {
    const KEYED: bool = true;
    type Keep<R> = Wiped<R>;

    #[inline]
    fn text(&self) -> &[u8] {
        self.text
    }
    #[inline]
    fn blocks_before(&self) -> usize {
        self.blocks_before
    }
    #[inline]
    fn inner(&self) -> [u32; W] {
        *self.inner
    }
    #[inline]
    fn outer(&self) -> [u32; W] {
        words(self.outer)
    }
    #[inline]
    fn shares_key(&self, other: &Self) -> bool {
        core::ptr::eq(self.inner, other.inner)
    }
    fn alone<const LANES: usize, const BLOCK: usize, H>(&self, hash: &H) -> [u8; DIGEST]
    where
        H: many::Hash<W, LANES, BLOCK, DIGEST, Word = u32>,
    {
        many::hash_alone(hash, self)
    }
}

#[inline]
fn words<const W: usize>(state: &[u32]) -> [u32; W] {
    *state.first_chunk().unwrap_or_else(|| unreachable!("a key has one hash function"))
}
