//! What RustCrypto computes of texts past 4 GiB, once in a process for all backends.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use ghash::{GHash, universal_hash::UniversalHash};
use poly1305::Poly1305;
use ropewalk::{aes_ccm, aes_gcm, chacha20_poly1305};

use crate::{
    common::repeated::{PERIOD, Room, text, window_offsets, windows},
    independent,
    kinds::Aead,
};

/// The bytes of a step. It divides the period, and is a multiple of every block.
const STEP: usize = PERIOD / 24;

/// The values of that name. The first call computes them, and others wait for it.
pub(super) fn once(name: &str, compute: impl FnOnce() -> Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    type Known = BTreeMap<String, Arc<OnceLock<Vec<Vec<u8>>>>>;
    static KNOWN: Mutex<Known> = Mutex::new(Known::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let place = Arc::clone(known.entry(name.into()).or_default());
    drop(known);
    place.get_or_init(compute).clone()
}

/// The authenticator of a cipher.
pub(super) trait Tag: Clone {
    /// Absorbs data, and zeros up to whole blocks.
    fn absorb(&mut self, data: &[u8]);
    fn end(self, aad_len: usize, text_len: usize) -> Vec<u8>;
}

/// An authenticated cipher in parts. RustCrypto's own calls read the output again once all of it is written, which
/// [`Room`] does not allow.
pub(super) trait InParts: Aead {
    const NONCE: &[u8];
    /// Whether the tag authenticates the plaintext, and not the ciphertext.
    const OF_PLAINTEXT: bool;
    type Tag: Tag;

    fn tag(secret: &[u8], aad: &[u8], text_len: usize) -> Self::Tag;
    /// Adds the key stream to a part of a text, given the offset of the part.
    fn add_key_stream(secret: &[u8], from: usize, text: &mut [u8]);
}

/// The text as a plaintext and as a ciphertext. Both have the same output, and a tag each.
pub(super) struct Sealed {
    /// The tag of the text as a plaintext.
    pub(super) tag: Vec<u8>,
    /// The tag of the text as a ciphertext.
    pub(super) opened_tag: Vec<u8>,
    pub(super) windows: Vec<Vec<u8>>,
}

/// Where the output of a call goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    /// To other memory than the text.
    Copied,
    /// Over the text: a period then begins with the output of the one before it.
    InPlace,
}

/// Seals and opens the first `len` bytes of the text.
pub(super) fn sealed<A: InParts>(secret: &[u8], aad: &[u8], len: usize, form: Form) -> Sealed {
    let name = format!("{}, {form:?}", A::PORTABLE);
    let known = once(&name, || {
        let [mut of_input, mut of_output] = [(); 2].map(|()| A::tag(secret, aad, len));
        let room = in_steps(len, form, |from, out| {
            of_input.absorb(out);
            A::add_key_stream(secret, from, out);
            of_output.absorb(out);
        });
        let mut known = vec![of_input.end(aad.len(), len), of_output.end(aad.len(), len)];
        if !A::OF_PLAINTEXT {
            known.reverse();
        }
        known.extend(owned(windows(&room[..len])));
        known
    });
    let [tag, opened_tag, windows @ ..] = &known[..] else { unreachable!("two tags") };
    Sealed { tag: tag.clone(), opened_tag: opened_tag.clone(), windows: windows.to_vec() }
}

/// The windows of an output of which any part can be computed: `make` turns a part of the text into output, given its offset,
/// which is a multiple of 4096.
pub(super) fn windows_of(len: usize, mut make: impl FnMut(usize, &mut [u8])) -> Vec<Vec<u8>> {
    let make = |at: usize| {
        let from = at / 4096 * 4096;
        let mut out = text(len)[from..at + PERIOD].to_vec();
        make(from, &mut out);
        out.split_off(at - from)
    };
    window_offsets(len).map(make).to_vec()
}

/// GHASH, and E(J₀).
#[derive(Clone)]
pub(super) struct Ghash(GHash, [u8; 16]);

impl Tag for Ghash {
    fn absorb(&mut self, data: &[u8]) {
        self.0.update_padded(data);
    }
    fn end(mut self, aad_len: usize, text_len: usize) -> Vec<u8> {
        let lens = [aad_len, text_len].map(|len| (8 * len as u64).to_be_bytes());
        self.0.update_padded(lens.as_flattened());
        self.0.finalize().iter().zip(self.1).map(|(a, b)| a ^ b).collect()
    }
}

/// NIST SP 800-38D, section 7.1.
impl InParts for aes_gcm::Key {
    const NONCE: &[u8] = &[9; 12];
    const OF_PLAINTEXT: bool = false;
    type Tag = Ghash;

    fn tag(secret: &[u8], aad: &[u8], _: usize) -> Ghash {
        let (mut hash_key, mut first) = ([0; 16], gcm_counter(0));
        independent::ecb_encrypt(secret, &mut hash_key);
        independent::ecb_encrypt(secret, &mut first);
        let mut hash = Ghash(GHash::new(&hash_key.into()), first);
        hash.absorb(aad);
        hash
    }
    fn add_key_stream(secret: &[u8], from: usize, text: &mut [u8]) {
        independent::ctr(32, secret, &gcm_counter(1 + from / 16), text);
    }
}

/// The counter block of that number, from J₀ on.
fn gcm_counter(count: usize) -> [u8; 16] {
    let mut block = [9; 16];
    block[12..].copy_from_slice(&(1 + count as u32).to_be_bytes());
    block
}

impl Tag for Poly1305 {
    fn absorb(&mut self, data: &[u8]) {
        self.update_padded(data);
    }
    fn end(mut self, aad_len: usize, text_len: usize) -> Vec<u8> {
        let lens = [aad_len, text_len].map(|len| (len as u64).to_le_bytes());
        self.update_padded(lens.as_flattened());
        self.finalize().to_vec()
    }
}

/// RFC 8439, section 2.8.
impl InParts for chacha20_poly1305::Key {
    const NONCE: &[u8] = &[9; 12];
    const OF_PLAINTEXT: bool = false;
    type Tag = Poly1305;

    fn tag(secret: &[u8], aad: &[u8], _: usize) -> Poly1305 {
        let mut key = [0; 32];
        independent::chacha20(0, secret, Self::NONCE, &mut key);
        let mut mac = poly1305::universal_hash::KeyInit::new(&key.into());
        Tag::absorb(&mut mac, aad);
        mac
    }
    fn add_key_stream(secret: &[u8], from: usize, text: &mut [u8]) {
        independent::chacha20(1 + (from / 64) as u32, secret, Self::NONCE, text);
    }
}

/// CBC-MAC, and S₀.
#[derive(Clone)]
pub(super) struct CbcMac {
    secret: Vec<u8>,
    state: [u8; 16],
    mask: [u8; 16],
}

impl Tag for CbcMac {
    fn absorb(&mut self, data: &[u8]) {
        let mut blocks = data.to_vec();
        blocks.resize(data.len().next_multiple_of(16), 0);
        independent::cbc_encrypt(&self.secret, &self.state, &mut blocks);
        self.state = *blocks.last_chunk().unwrap_or(&self.state);
    }
    fn end(self, _: usize, _: usize) -> Vec<u8> {
        self.state.iter().zip(self.mask).map(|(a, b)| a ^ b).collect()
    }
}

/// NIST SP 800-38C, section 6.1 and appendix A, with a tag of 16 bytes and additional data of 1 to 0xfeff bytes.
impl InParts for aes_ccm::Key {
    const NONCE: &[u8] = &[9; 10];
    const OF_PLAINTEXT: bool = true;
    type Tag = CbcMac;

    fn tag(secret: &[u8], aad: &[u8], text_len: usize) -> CbcMac {
        let mut mask = ccm_block(4, 0);
        independent::ecb_encrypt(secret, &mut mask);
        let mut mac = CbcMac { secret: secret.to_vec(), state: [0; 16], mask };
        mac.absorb(&ccm_block(0x40 | 7 << 3 | 4, text_len));
        mac.absorb(&[&(aad.len() as u16).to_be_bytes(), aad].concat());
        mac
    }
    fn add_key_stream(secret: &[u8], from: usize, text: &mut [u8]) {
        independent::ctr(128, secret, &ccm_block(4, 1 + from / 16), text);
    }
}

/// Flags, the nonce of ten bytes, and a number of five.
fn ccm_block(flags: u8, number: usize) -> [u8; 16] {
    let mut block = [9; 16];
    block[0] = flags;
    block[11..].copy_from_slice(&(number as u64).to_be_bytes()[3..]);
    block
}

/// AES-CBC of the first `len` bytes of the text.
pub(super) fn cbc_encrypted(secret: &[u8], iv: &[u8; 16], len: usize, form: Form) -> Vec<Vec<u8>> {
    once(&format!("aes-cbc, {form:?}"), || {
        let mut before = *iv;
        let room = in_steps(len, form, |_, out| {
            independent::cbc_encrypt(secret, &before, out);
            before = *out.last_chunk().expect("a block");
        });
        owned(windows(&room[..len])).to_vec()
    })
}

/// AES-CTR in place, with a counter of 128 bits.
pub(super) fn ctr_in_place(secret: &[u8], iv: &[u8; 16], len: usize) -> Vec<Vec<u8>> {
    once("aes-ctr, in place", || {
        let later = |byte: usize| u128::from_be_bytes(*iv).wrapping_add(byte as u128 / 16);
        let room = in_steps(len, Form::InPlace, |from, out| {
            independent::ctr(128, secret, &later(from).to_be_bytes(), out);
        });
        owned(windows(&room[..len])).to_vec()
    })
}

/// Memory with the output of a text. `step` turns a part of the text into output, given its offset.
fn in_steps(len: usize, form: Form, mut step: impl FnMut(usize, &mut [u8])) -> Room {
    let mut room = Room::new();
    for from in (0..len).step_by(STEP) {
        let part = from..len.min(from + STEP);
        let out = &mut room[part.clone()];
        if form == Form::Copied {
            out.copy_from_slice(&text(len)[part]);
        }
        step(from, out);
    }
    room
}

pub(super) fn owned(windows: [&[u8]; 2]) -> [Vec<u8>; 2] {
    windows.map(<[u8]>::to_vec)
}
