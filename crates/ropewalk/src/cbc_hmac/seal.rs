//! Sealing: the MAC of a text, and then the cipher over both and the padding.

use super::{Header, Mac, pseudo_header};
use crate::{aes::Block, aes_cbc::Cbc, hash::Function, secret::Wiped, text::Text};

/// What records are made of.
pub(super) trait Parts<const W: usize> {
    type Cbc: Cbc;
    type Hash: Function<W>;

    fn cbc(&self) -> &Self::Cbc;
    fn mac(&self) -> &Mac<Self::Hash, W>;

    /// Absorbs the text from its fourth byte on while there is a whole block, and encrypts as much from its
    /// first byte on; it goes on behind that.
    ///
    /// Three bytes, since the pseudo header has thirteen: what is absorbed is then ahead of what is encrypted
    /// in place, by as little as whole blocks of the cipher allow.
    fn seal_blocks(&self, state: &mut [u32; W], chain: &mut Block, text: &mut Text<'_>);

    /// Decrypts the text from [`DECRYPTED`] on, so many times 64 bytes, and absorbs as many from its fourth
    /// byte on.
    fn open_blocks(&self, state: &mut [u32; W], chain: &mut Block, text: Text<'_>, blocks: usize);

    /// Whole blocks, or none.
    #[inline(always)]
    fn encrypt(&self, chain: &mut Block, text: Text<'_>) {
        encrypt(self.cbc(), chain, text);
    }

    /// Whole blocks, or none.
    #[inline(always)]
    fn decrypt(&self, chain: &mut Block, text: Text<'_>) {
        decrypt(self.cbc(), chain, text);
    }
}

#[inline(always)]
fn encrypt<C: Cbc>(cbc: &C, chain: &mut Block, mut text: Text<'_>) {
    if text.len() > 0 {
        cbc.encrypt(chain, text.reborrow());
        *chain = *text.output().last_chunk().expect("a block");
    }
}

#[inline(always)]
fn decrypt<C: Cbc>(cbc: &C, chain: &mut Block, text: Text<'_>) {
    if text.len() > 0 {
        let last = *text.input().last_chunk().expect("a block");
        cbc.decrypt(chain, text);
        *chain = last;
    }
}

/// Out of line: these ciphers are short, and take long. By value, a text would be copied in halves that wait for words that
/// have just been stored.
#[inline(never)]
fn encrypt_apart<C: Cbc>(cbc: &C, chain: &mut Block, text: &mut Text<'_>) {
    encrypt(cbc, chain, text.reborrow());
}

/// The same. What is taken of a text is in registers.
#[inline(never)]
fn decrypt_apart<C: Cbc>(cbc: &C, chain: &mut Block, text: &mut Text<'_>) {
    decrypt(cbc, chain, text.take(text.len()));
}

/// Bytes by which a hash function is ahead of the cipher.
pub(super) const AHEAD: usize = 3;
/// Bytes of text in the first block of a hash function, where they fill it.
pub(super) const FIRST: usize = 64 - 13;
/// Bytes of those that are whole blocks of the cipher.
pub(super) const FIRST_ENCRYPTED: usize = FIRST - AHEAD;
/// Bytes that are decrypted when a block is absorbed that begins at the fourth: those of three blocks more, so
/// that nobody loads what is still being stored.
pub(super) const DECRYPTED: usize = 16 + 3 * 64;

/// First the hash function, and then the cipher.
#[inline(always)]
pub(super) fn seal_blocks<P: Parts<W>, const W: usize>(
    parts: &P,
    state: &mut [u32; W],
    chain: &mut Block,
    text: &mut Text<'_>,
) {
    let blocks = text.input()[AHEAD..].as_chunks().0;
    let len = size_of_val(blocks);
    if len > 0 {
        parts.mac().hash.absorb(state, blocks);
        parts.encrypt(chain, text.take(len));
    }
}

/// The other way round.
#[inline(always)]
pub(super) fn open_blocks<P: Parts<W>, const W: usize>(
    parts: &P,
    state: &mut [u32; W],
    chain: &mut Block,
    mut text: Text<'_>,
    blocks: usize,
) {
    let mut next = text.reborrow();
    next.take(DECRYPTED);
    parts.decrypt(chain, next.take(64 * blocks));
    let (blocks, _) = text.output()[AHEAD..][..64 * blocks].as_chunks();
    parts.mac().hash.absorb(state, blocks);
}

/// One after the other.
pub(super) struct Sequential<'k, C, H, const W: usize> {
    cbc: &'k C,
    mac: &'k Mac<H, W>,
}

impl<'k, C, H, const W: usize> Sequential<'k, C, H, W> {
    #[inline(always)]
    pub(super) fn new<Cpu>(_: Cpu, cbc: &'k C, mac: &'k Mac<H, W>) -> Self {
        Self { cbc, mac }
    }
}

impl<C: Cbc, H: Function<W>, const W: usize> Parts<W> for Sequential<'_, C, H, W> {
    type Cbc = C;
    type Hash = H;

    #[inline(always)]
    fn cbc(&self) -> &C {
        self.cbc
    }
    #[inline(always)]
    fn mac(&self) -> &Mac<H, W> {
        self.mac
    }
    #[inline(always)]
    fn encrypt(&self, chain: &mut Block, mut text: Text<'_>) {
        encrypt_apart(self.cbc, chain, &mut text);
    }
    #[inline(always)]
    fn decrypt(&self, chain: &mut Block, mut text: Text<'_>) {
        decrypt_apart(self.cbc, chain, &mut text);
    }
    #[inline(always)]
    fn seal_blocks(&self, state: &mut [u32; W], chain: &mut Block, text: &mut Text<'_>) {
        seal_blocks(self, state, chain, text);
    }
    #[inline(always)]
    fn open_blocks(&self, state: &mut [u32; W], chain: &mut Block, text: Text<'_>, blocks: usize) {
        open_blocks(self, state, chain, text, blocks);
    }
}

#[inline(always)]
pub(super) fn seal<P: Parts<W>, const W: usize>(
    parts: &P,
    iv: &Block,
    header: &Header,
    mut text: Text<'_>,
    rest: &mut [u8],
) {
    let mac = parts.mac();
    // A block of HMAC's key comes before all.
    let bits = 8 * (64 + 13 + text.len() as u64);
    let pseudo = pseudo_header(header, text.len() as u16);
    let mut state = Wiped::new(mac.inner);
    let mut chain = *iv;

    // The last block or two of the inner hash.
    let mut last = Wiped::new([[0; 64]; 2]);
    let bytes = last.as_flattened_mut();
    let filled = if let Some(first) = text.input().first_chunk::<FIRST>() {
        bytes[..13].copy_from_slice(&pseudo);
        bytes[13..64].copy_from_slice(first);
        // The processor goes on with the hash while the cipher waits for itself.
        parts.encrypt(&mut chain, text.take(FIRST_ENCRYPTED));
        mac.hash.absorb(&mut state, &last[..1]);
        parts.seal_blocks(&mut state, &mut chain, &mut text);

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
    parts.encrypt(&mut chain, text.take(whole));
    mac.hash.absorb(&mut state, &last[..end / 64]);
    let tag = Wiped::new(mac.outer(&state));

    // What is left of the text, the MAC, and the padding, each byte of which is the number of the others.
    let mut end = Wiped::new([0; 64]);
    let (filled, len) = (text.len(), text.len() + rest.len());
    let padded = filled + 4 * W;
    end[..filled].copy_from_slice(text.input());
    end[filled..padded].copy_from_slice(&tag[..4 * W]);
    end[padded..len].fill((len - padded - 1) as u8);
    parts.encrypt(&mut chain, Text::in_place(&mut end[..len]));
    text.output().copy_from_slice(&end[..filled]);
    rest.copy_from_slice(&end[filled..len]);
}
