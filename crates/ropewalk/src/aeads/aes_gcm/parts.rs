//! AES-GCM from its parts: GCTR and GHASH, one after the other. It serves nonces that are not twelve bytes long, and backends
//! without a combined kernel.

use super::{Block, CtrGhash, Nonce};
use crate::{
    aeads::stream::Way,
    aes::{join, split},
    core::{secret::Wiped, text::Text},
};

/// Up to this length, the text is copied, so that E(J₀) is computed together with the key stream, and the end and the lengths are
/// hashed together. With J₀ that makes sixteen blocks, which is one run of counter mode.
const SHORT: usize = 240;

/// Bytes that are encrypted before they are hashed: few enough to stay in the L1 cache.
const PIECE: usize = 4096;

/// Section 7.1 from step 2 on, where J₀ is `first`.
pub(super) fn seal(
    aead: &(impl CtrGhash + ?Sized),
    first: &First,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    if text.len() <= SHORT {
        return short(aead, first, aad, text, tag, Way::Seal);
    }
    let lengths = lengths(aad.len() as u64, text.len() as u64);
    let mut hash = [0; 16];
    aead.absorb(&mut hash, aad);
    let mut count = 1;
    while text.len() > 0 {
        let mut piece = text.take(PIECE);
        first.ctr(aead, count, piece.reborrow());
        aead.absorb(&mut hash, piece.output());
        count = count.wrapping_add((PIECE / 16) as u32);
    }
    finish(aead, first, hash, &lengths, tag);
}

/// Section 7.2 from step 3 on, except for the comparison.
pub(super) fn open(
    aead: &(impl CtrGhash + ?Sized),
    first: &First,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    if text.len() <= SHORT {
        return short(aead, first, aad, text, tag, Way::Open);
    }
    let lengths = lengths(aad.len() as u64, text.len() as u64);
    let mut hash = [0; 16];
    aead.absorb(&mut hash, aad);
    let mut count = 1;
    while text.len() > 0 {
        let piece = text.take(PIECE);
        aead.absorb(&mut hash, piece.input());
        first.ctr(aead, count, piece);
        count = count.wrapping_add((PIECE / 16) as u32);
    }
    finish(aead, first, hash, &lengths, tag);
}

/// Seals or opens up to [`SHORT`] bytes as one text: J₀ first, and the lengths last.
fn short(
    aead: &(impl CtrGhash + ?Sized),
    first: &First,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
    way: Way,
) {
    if text.len() == 0 {
        let mut hash = [0; 16];
        aead.absorb(&mut hash, aad);
        return finish(aead, first, hash, &lengths(aad.len() as u64, 0), tag);
    }
    let mut buffer = Wiped::new([0; 16 + SHORT + 16]);
    let end = 16 + text.len();
    let padded = end.next_multiple_of(16);
    buffer[16..end].copy_from_slice(text.input());
    buffer[padded..padded + 16].copy_from_slice(&lengths(aad.len() as u64, text.len() as u64));
    *tag = [0; 16];
    aead.absorb(tag, aad);
    if way == Way::Open {
        aead.absorb(tag, &buffer[16..padded + 16]);
    }
    first.ctr(aead, 0, Text::in_place(&mut buffer[..end]));
    if way == Way::Seal {
        aead.absorb(tag, &buffer[16..padded + 16]);
    }
    text.output().copy_from_slice(&buffer[16..end]);
    for (sum, mask) in tag.iter_mut().zip(&buffer[..16]) {
        *sum ^= mask;
    }
}

/// The state of a message in chunks. A kernel stores and loads it with single instructions: across two cache lines that would
/// take 12 ns.
#[derive(Clone)]
#[repr(C, align(16))]
pub struct Place {
    pub(super) hash: Block,
    pub(super) first: First,
    /// Blocks of the text so far.
    pub(super) blocks: u32,
}

impl Place {
    #[inline]
    pub(super) fn new(first: First) -> Self {
        Self { first, blocks: 0, hash: [0; 16] }
    }

    /// GCTR of the next blocks, the last of which may be short.
    #[inline]
    pub(super) fn ctr(&mut self, aead: &(impl CtrGhash + ?Sized), text: Text<'_>) {
        let later = self.blocks.wrapping_add(1);
        self.blocks = self.blocks.wrapping_add(text.len().div_ceil(16) as u32);
        self.first.ctr(aead, later, text);
    }
}

/// Whole blocks of such a message. Not inlined: one function serves both directions.
#[inline(never)]
pub(super) fn piece(
    aead: &(impl CtrGhash + ?Sized),
    place: &mut Place,
    text: &mut Text<'_>,
    way: Way,
) {
    while text.len() > 0 {
        let mut piece = text.take(PIECE);
        if way == Way::Open {
            aead.absorb(&mut place.hash, piece.input());
        }
        place.ctr(aead, piece.reborrow());
        if way == Way::Seal {
            aead.absorb(&mut place.hash, piece.output());
        }
    }
}

/// J₀ (section 7.1, step 2). The field order keeps the blocks of a [`Place`] within cache lines.
#[derive(Clone)]
#[repr(C)]
pub(super) struct First {
    pub(super) block: Block,
    /// Whether it is an output of GHASH, which reveals something about its key.
    secret: bool,
}

impl First {
    /// From a nonce of twelve bytes.
    #[inline]
    pub(super) fn of(nonce: &Nonce) -> Self {
        Self { block: join(*nonce, 1), secret: false }
    }

    /// From any other nonce.
    pub(super) fn of_any(aead: &(impl CtrGhash + ?Sized), nonce: &[u8]) -> Self {
        let mut block = [0; 16];
        aead.absorb(&mut block, nonce);
        aead.absorb(&mut block, &lengths(0, nonce.len() as u64));
        Self { block, secret: true }
    }

    /// Whether it is secret.
    #[inline]
    pub(super) fn is_secret(&self) -> bool {
        self.secret
    }

    /// The bytes before the counter.
    #[inline]
    pub(super) fn nonce(&self) -> &Nonce {
        self.block.first_chunk().unwrap_or_else(|| unreachable!("four bytes less"))
    }

    /// GCTR from the counter `later` blocks further.
    fn ctr(&self, aead: &(impl CtrGhash + ?Sized), later: u32, text: Text<'_>) {
        let counter = add(&self.block, later);
        if self.secret { aead.ctr_secret(&counter, text) } else { aead.ctr(&counter, text) }
    }
}

/// Section 7.1, steps 5 and 6.
pub(super) fn finish(
    aead: &(impl CtrGhash + ?Sized),
    first: &First,
    mut hash: Block,
    lengths: &Block,
    tag: &mut Block,
) {
    aead.absorb(&mut hash, lengths);
    first.ctr(aead, 0, Text::in_place(&mut hash));
    *tag = hash;
}

/// The last block of GHASH: both lengths in bits.
pub(super) fn lengths(aad: u64, text: u64) -> Block {
    (u128::from(8 * aad) << 64 | u128::from(8 * text)).to_be_bytes()
}

/// inc₃₂ (section 6.2), `n` times.
fn add(counter: &Block, n: u32) -> Block {
    let (nonce, count) = split(counter);
    join(nonce, count.wrapping_add(n))
}
