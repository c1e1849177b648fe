//! What a group of records asks of a hash function, and how groups are sealed and opened.

use super::{FEW, GROUP, Message, OPENED};
use crate::{
    aes::aes_cbc::{Part, SideBySide},
    core::{Error, secret::Wiped},
    hashes::{
        chained_block,
        many::{self, Prices},
        sha1::{Sha1, Sha1Many},
        sha256::{Sha256, Sha256Many},
    },
    tls::cbc_hmac::{
        Hash, Key,
        open::{Found, Lens, MOST_ENDS},
        pseudo_header,
        seal::FIRST,
    },
};

/// What a group of records asks of a hash function.
pub(in super::super) trait OfGroups: crate::hashes::Hash {
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
        *inner = words(key.0.mac.inner.as_ref());
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
        Item { text, blocks_before, inner: &inner[i], outer: key.0.mac.outer.as_ref() }
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
        core::array::from_fn(|i| Lens::of::<H>(group[i.min(count - 1)].record.len()));
    let mut opening = Opening {
        found: [Found::default(); G],
        heads: [[0; 64]; G],
        ends: [[[0; 64]; MOST_ENDS]; G],
        states: [[0; W]; G],
        digests: [[0; W]; G],
        tags: [[0; 32]; G],
    };
    let Opening { found, heads, ends, states, digests, .. } = &mut opening;
    for (i, Message { key, iv, header, record, .. }) in group.iter_mut().enumerate() {
        cbc.decrypt(Part { cbc: key.0.engine.cbc(), before: iv, text: record });
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
        states[i] = words(key.0.mac.inner.as_ref());
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

    outer_group(
        hash,
        group,
        &opening.digests,
        &mut opening.heads,
        &mut opening.states,
        &mut opening.tags,
    );
    let Opening { found, tags, .. } = &opening;
    for (i, (Message { record, len, .. }, result)) in group.iter_mut().zip(results).enumerate() {
        let opened = found[i].judge::<H>(&lens[i], record, &tags[i]);
        *result = Key::<H>::tell(&opened, record).map(|text| *len = text);
    }
}

/// The outer hash of each record (FIPS 198-1, table 1, steps 8 and 9).
#[inline(never)]
fn outer_group<H, M, const W: usize, const LANES: usize, const DIGEST: usize, const G: usize>(
    hash: &M,
    group: &[Message<'_, H>],
    digests: &[[u32; W]; G],
    heads: &mut [[u8; 64]; G],
    states: &mut [[u32; W]; G],
    tags: &mut [[u8; 32]; G],
) where
    H: Hash,
    M: many::Hash<W, LANES, 64, DIGEST, Word = u32>,
{
    let count = group.len();
    for i in 0..count {
        heads[i] = chained_block(&digests[i]);
        states[i] = words(group[i].key.0.mac.outer.as_ref());
    }
    let texts: [_; G] = core::array::from_fn(|i| core::slice::from_ref(&heads[i]));
    many::absorb_and_show(hash, &mut states[..count], &texts[..count], |i, _, state| {
        // Word by word, where it stays: a whole tag would be left in this frame too.
        for (bytes, word) in tags[i].as_chunks_mut().0.iter_mut().zip(state) {
            *bytes = word.to_be_bytes();
        }
    });
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
