//! Known answers of AES-GCM.

use super::{
    Key, Stream, Tag,
    many::{Many, Message},
};
use crate::{
    aeads::known::aead,
    core::{Error, known::aes_keys},
};

/// Whether that backend computes them, with a key for a single message as well.
pub(super) fn engine(backend: &str) -> Result<bool, Error> {
    Ok(one(backend)? && once(backend)?)
}

#[cfg(not(target_arch = "x86_64"))]
fn once(_: &str) -> Result<bool, Error> {
    Ok(true)
}

/// Whether the kernel for single-message keys, which exists for one backend, agrees with that backend.
#[cfg(target_arch = "x86_64")]
fn once(backend: &str) -> Result<bool, Error> {
    use super::once;
    use crate::core::{
        cpu::{Token, VaesClmul512},
        known::{SECRET, bytes},
        text::Text,
    };

    let (Some(cpu), true) = (VaesClmul512::detect(), backend.ends_with("vaes512")) else {
        return Ok(true);
    };
    let (nonce, mut right) = (&bytes(), true);
    for (secret, (aad, len)) in aes_keys().into_iter().zip([(0, 16), (13, 9), (16, 0)]) {
        let (aad, mut text, mut copy) = (&SECRET[..aad], bytes::<16>(), bytes::<16>());
        let tag = Key::with_backend(secret, backend)?.seal(nonce, aad, &mut text[..len])?;
        for (open, want) in [(false, text), (true, bytes())] {
            let (out, mut got) = (Text::in_place(&mut copy[..len]), [0; 16]);
            once::crypt(cpu, secret, nonce, aad, out, &mut got, open);
            right &= copy == want && got == *tag;
        }
    }
    Ok(right)
}

aead! {
    keys aes_keys(); nonces [12, 12, 12, 8];
    [(0, 16), (5, 64), (16, 1), (20, 100)],
    wide [(0, 47), (13, 145), (70, 200), (16, 272), (3, 330), (280, 0), (0, 700), (33, 1100)], up to 1100;
    pieces by Stream; many: [(13, 16, 1), (5, 64, 1), (0, 33, 2), (20, 0, 3)]
}

const ONE: u64 = 0xbbda_4a7a_bb43_f5c9;
const WIDE: u64 = 0xceec_6952_37ed_03a7;
const MANY: u64 = 0x2062_aacb_c081_8cca;
