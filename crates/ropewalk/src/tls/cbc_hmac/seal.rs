//! Sealing: the MAC of a text, and then the cipher over both and the padding.

use super::{Engine, Hash, Header, Key, pseudo_header};
use crate::{
    aes::aes_cbc::Cbc,
    core::{block::Block, secret::Wiped, text::Text},
    hashes::merkle_damgard::{Compress, CompressionFunction},
};

/// Bytes by which the hash function is ahead of the cipher.
pub(super) const AHEAD: usize = 3;
/// Bytes of text in the first block of the hash function, if they fill it.
pub(super) const FIRST: usize = 64 - 13;
/// How many of them are whole blocks of the cipher.
pub(super) const FIRST_ENCRYPTED: usize = FIRST - AHEAD;
/// Bytes that are decrypted when a block from the fourth byte on is absorbed: those of three more blocks, so that no load stalls
/// on a store.
pub(super) const DECRYPTED: usize = 16 + 3 * 64;

/// Blocks of text for both the cipher and the hash function: see [`super::Records`].
pub(super) trait RecordBlocks<F: CompressionFunction> {
    fn seal_blocks(&self, state: &mut F::State, chain: &mut Block, text: Text<'_>);
    fn open_blocks(&self, state: &mut F::State, chain: &mut Block, text: Text<'_>, blocks: usize);
}

/// One after the other.
pub(super) struct Sequential<'k, C, H> {
    cbc: &'k C,
    hash: &'k H,
}

impl<'k, C, H> Sequential<'k, C, H> {
    #[inline(always)]
    pub(super) fn new<Cpu>(_: Cpu, cbc: &'k C, hash: &'k H) -> Self {
        Self { cbc, hash }
    }
}

impl<C, H, F> RecordBlocks<F> for Sequential<'_, C, H>
where
    C: Cbc,
    H: Compress<F>,
    F: CompressionFunction<Block = [u8; 64]>,
{
    #[inline(always)]
    fn seal_blocks(&self, state: &mut F::State, chain: &mut Block, mut text: Text<'_>) {
        let blocks = text.input()[AHEAD..].as_chunks().0;
        self.hash.compress(state, blocks);
        let mut text = text.take(size_of_val(blocks));
        // Never shorter, so that the cipher's separate path for one block is left out.
        if text.len() >= 64 {
            self.cbc.encrypt(chain, text.reborrow());
            *chain = *text.output().last_chunk().expect("a block");
        }
    }

    #[inline(always)]
    fn open_blocks(
        &self,
        state: &mut F::State,
        chain: &mut Block,
        mut text: Text<'_>,
        blocks: usize,
    ) {
        let mut next = text.reborrow();
        next.take(DECRYPTED);
        let next = next.take(64 * blocks);
        if next.len() >= 64 {
            let last = *next.input().last_chunk().expect("a block");
            self.cbc.decrypt(chain, next);
            *chain = last;
        }
        let (blocks, _) = text.output()[AHEAD..][..64 * blocks].as_chunks();
        self.hash.compress(state, blocks);
    }
}

/// Encrypts whole blocks, or none.
#[inline(always)]
fn encrypt(engine: &Engine, chain: &mut Block, mut text: Text<'_>) {
    if text.len() > 0 {
        engine.encrypt(chain, text.reborrow());
        *chain = *text.output().last_chunk().expect("a block");
    }
}

/// Decrypts whole blocks, or none.
#[inline(always)]
pub(super) fn decrypt(engine: &Engine, chain: &mut Block, text: Text<'_>) {
    if text.len() > 0 {
        let last = *text.input().last_chunk().expect("a block");
        engine.decrypt(chain, text);
        *chain = last;
    }
}

#[inline(always)]
pub(super) fn seal<H: Hash>(
    key: &Key<H>,
    iv: &Block,
    header: &Header,
    mut text: Text<'_>,
    rest: &mut [u8],
) {
    let engine = &key.0.engine;
    // A block of HMAC's key comes first.
    let bits = 8 * (64 + 13 + text.len() as u64);
    let pseudo = pseudo_header(header, text.len() as u16);
    let mut state = Wiped::new(key.0.mac.inner);
    let mut chain = *iv;

    // The last block or two of the inner hash.
    let mut last = Wiped::new([[0; 64]; 2]);
    let bytes = last.as_flattened_mut();
    let filled = if let Some(first) = text.input().first_chunk::<FIRST>() {
        bytes[..13].copy_from_slice(&pseudo);
        bytes[13..64].copy_from_slice(first);
        // An out-of-order processor continues with the hash during the latency of the cipher.
        encrypt(engine, &mut chain, text.take(FIRST_ENCRYPTED));
        H::absorb(engine, &mut state, &last[..1]);
        let blocks = (text.len() - AHEAD) / 64;
        if blocks > 0 {
            H::seal_blocks(engine, &mut state, &mut chain, text.reborrow());
            text.take(64 * blocks);
        }

        let (left, bytes) = (&text.input()[AHEAD..], last.as_flattened_mut());
        bytes[..64].fill(0);
        bytes[..left.len()].copy_from_slice(left);
        left.len()
    } else {
        bytes[..13].copy_from_slice(&pseudo);
        bytes[13..13 + text.len()].copy_from_slice(text.input());
        13 + text.len()
    };
    let bytes = last.as_flattened_mut();
    let end = if filled < 56 { 64 } else { 128 };
    bytes[filled] = 0x80;
    bytes[end - 8..end].copy_from_slice(&bits.to_be_bytes());
    let whole = text.len() / 16 * 16;
    encrypt(engine, &mut chain, text.take(whole));
    H::absorb(engine, &mut state, &last[..end / 64]);
    let tag = Wiped::new(key.outer(&state));

    // The rest of the text, the MAC, and the padding, each byte of which is the number of the others.
    let mut end = Wiped::new([0; 64]);
    let (filled, len) = (text.len(), text.len() + rest.len());
    let padded = filled + H::DIGEST_LEN;
    end[..filled].copy_from_slice(text.input());
    end[filled..padded].copy_from_slice(&tag[..H::DIGEST_LEN]);
    end[padded..len].fill((len - padded - 1) as u8);
    encrypt(engine, &mut chain, Text::in_place(&mut end[..len]));
    text.output().copy_from_slice(&end[..filled]);
    rest.copy_from_slice(&end[filled..len]);
}
