//! Sealing and opening of groups of records.

use super::{Message, Part, SideBySide};
use crate::{
    core::{Error, secret::Wiped},
    hashes::{
        StateOf,
        function::HashFunction,
        many::{self, Batch, Item, LaneHash},
    },
    tls::cbc_hmac::{
        Hash, Key,
        open::{Found, Lens, MOST_ENDS},
        pseudo_header,
        seal::FIRST,
    },
};

/// Writes the MACs of records, and their padding.
#[inline(never)]
pub(super) fn seal_group<H: Hash, const G: usize>(
    batch: Batch<'_, H::Function>,
    group: &mut [Message<'_, H>],
) {
    let mut tags = Wiped::new([<H::Function as HashFunction>::ZERO; G]);
    let tags = &mut tags[..group.len()];
    mac_group::<H, G>(batch, group, tags);
    for (Message { record, len, .. }, tag) in group.iter_mut().zip(tags) {
        // Each byte of padding is the number of the others.
        let (mac, padding) = record[*len..].split_at_mut(H::DIGEST_LEN);
        mac.copy_from_slice(tag.as_ref());
        padding.fill((padding.len() - 1) as u8);
    }
}

fn mac_group<H: Hash, const G: usize>(
    batch: Batch<'_, H::Function>,
    group: &[Message<'_, H>],
    tags: &mut [H::Digest],
) {
    let mut heads = Wiped::new([[0; 64]; G]);
    let mut inner = Wiped::new([<StateOf<H>>::default(); G]);
    let (heads, inner) = (&mut heads[..group.len()], &mut inner[..group.len()]);
    for ((message, head), inner) in group.iter().zip(&mut *heads).zip(&mut *inner) {
        let Message { key, header, record, len, .. } = message;
        head[..13].copy_from_slice(&pseudo_header(header, *len as u16));
        let text = &record[..*len];
        match text.first_chunk::<FIRST>() {
            Some(first) => head[13..].copy_from_slice(first),
            None => head[13..13 + len].copy_from_slice(text),
        }
        *inner = key.0.mac.inner;
    }
    // The pseudo header and the beginning of the text, if they fill a block.
    let mut texts: [&[_]; G] = [&[]; G];
    for ((text, head), message) in texts.iter_mut().zip(&*heads).zip(group) {
        if message.len >= FIRST {
            *text = core::slice::from_ref(head);
        }
    }
    many::absorb_each(batch, inner, &texts[..group.len()]);
    let item = |i: usize| {
        let Message { key, record, len, .. } = &group[i];
        let (text, blocks_before) = match len.checked_sub(FIRST) {
            Some(_) => (&record[FIRST..*len], 2),
            None => (&heads[i][..13 + len], 1),
        };
        Begun { text, blocks_before, inner: &inner[i], outer: &key.0.mac.outer }
    };
    let mut items = [item(0); G];
    for i in 1..group.len() {
        items[i] = item(i);
    }
    if many::hash(batch, &items[..group.len()], tags).is_err() {
        unreachable!("as many tags as records");
    }
}

/// Opens records. All of them are decrypted. All possible last blocks of their hashes are absorbed in lanes, and the right states
/// are selected: as in `open.rs`, nothing depends on the data.
#[inline(never)]
pub(super) fn open_group<H: Hash, const G: usize>(
    batch: Batch<'_, H::Function>,
    cbc: &SideBySide,
    group: &mut [Message<'_, H>],
    results: &mut [Result<(), Error>],
) {
    let count = group.len();
    let lens: [_; G] =
        core::array::from_fn(|i| Lens::of::<H>(group[i.min(count - 1)].record.len()));
    let mut opening = Opening {
        found: [Found::default(); G],
        heads: [[0; 64]; G],
        ends: [[[0; 64]; MOST_ENDS]; G],
        states: [<StateOf<H>>::default(); G],
        digests: [<StateOf<H>>::default(); G],
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
        states[i] = key.0.mac.inner;
    }

    // Blocks that certainly belong to the text.
    let mut texts: [&[[u8; 64]]; G] = [&[]; G];
    for i in (0..count).filter(|i| lens[*i].sure > 0) {
        texts[i] = core::slice::from_ref(&heads[i]);
    }
    many::absorb_each(batch, &mut states[..count], &texts[..count]);
    for i in (0..count).filter(|i| lens[*i].sure > 0) {
        texts[i] = group[i].record[FIRST..][..64 * (lens[i].sure - 1)].as_chunks().0;
    }
    many::absorb_each(batch, &mut states[..count], &texts[..count]);

    // Blocks one of which is the last.
    let texts: [_; G] = core::array::from_fn(|i| &ends[i][..lens[i].ends]);
    many::absorb_and_show(batch, &mut states[..count], &texts[..count], |i, end, state| {
        let is_last = found[i].is_last(&lens[i], end);
        for (word, of) in digests[i].as_mut().iter_mut().zip(state.as_ref()) {
            *word |= of & is_last;
        }
    });

    outer_group::<H, G>(
        batch,
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
fn outer_group<H: Hash, const G: usize>(
    batch: Batch<'_, H::Function>,
    group: &[Message<'_, H>],
    digests: &[StateOf<H>; G],
    heads: &mut [[u8; 64]; G],
    states: &mut [StateOf<H>; G],
    tags: &mut [[u8; 32]; G],
) {
    let count = group.len();
    for i in 0..count {
        heads[i] = H::chained_block(&digests[i]);
        states[i] = group[i].key.0.mac.outer;
    }
    let texts: [_; G] = core::array::from_fn(|i| core::slice::from_ref(&heads[i]));
    many::absorb_and_show(batch, &mut states[..count], &texts[..count], |i, _, state| {
        // Word by word, in place: a whole tag would be left in this frame too.
        for (bytes, word) in tags[i].as_chunks_mut().0.iter_mut().zip(state.as_ref()) {
            *bytes = word.to_be_bytes();
        }
    });
}

/// The state of records during opening. It is made in place, and wiped: moving a few kilobytes would take longer than all the
/// rest.
struct Opening<State: Copy + Default, const G: usize> {
    found: [Found; G],
    /// Blocks of the inner hash that begin with a pseudo header, and those of the outer one.
    heads: [[u8; 64]; G],
    ends: [[[u8; 64]; MOST_ENDS]; G],
    states: [State; G],
    /// The digests of the inner hash.
    digests: [State; G],
    tags: [[u8; 32]; G],
}

impl<State: Copy + Default, const G: usize> Drop for Opening<State, G> {
    fn drop(&mut self) {
        self.found = [Found::default(); G];
        self.heads = [[0; 64]; G];
        self.ends = [[[0; 64]; MOST_ENDS]; G];
        self.states = [State::default(); G];
        self.digests = [State::default(); G];
        self.tags = [[0; 32]; G];
        zeroize::optimization_barrier(self);
    }
}

/// The part of a record that the batch scheduler hashes.
#[derive(Clone, Copy)]
struct Begun<'a, State> {
    text: &'a [u8],
    /// The block of the key, and that of the pseudo header and the beginning of the text, if they fill one.
    blocks_before: usize,
    inner: &'a State,
    outer: &'a State,
}

impl<State: Copy, Digest> Item<State, Digest> for Begun<'_, State> {
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
    fn inner(&self) -> Option<State> {
        Some(*self.inner)
    }
    #[inline]
    fn outer(&self) -> Option<State> {
        Some(*self.outer)
    }
    #[inline]
    fn shares_key(&self, other: &Self) -> bool {
        core::ptr::eq(self.inner, other.inner)
    }
    fn digest<H: LaneHash<State = State, Output = Digest>>(&self, batch: Batch<'_, H>) -> Digest {
        many::hash_serial(batch, self)
    }
}
