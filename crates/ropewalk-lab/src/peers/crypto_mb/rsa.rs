//! RSA, eight at once: powers, of messages that are hashed and encoded here. Numbers are words, the least significant first;
//! messages and signatures are big-endian.

use std::ffi::{c_int, c_void};

use libloading::os::unix::Library;

use super::{
    curves::{LANES, clear_failed, each, failed, fills_lanes, places},
    nist::hashed,
};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{
            self, HashCalls, Text, Turn, VerifyingCalls,
            rsa::{Numbers, Signature, encode},
        },
    },
    tasks::{Cell, SignatureOp},
};

functions! {
    /// Powers, and the size of a buffer for one. A status has four bits for each, of which 0 is no error.
    Rsa {
        fn mbx_RSA_private_crt_Method(bits: c_int) -> *const c_void;
        fn mbx_RSA_pub65537_Method(bits: c_int) -> *const c_void;
        fn mbx_RSA_Method_BufSize(method: *const c_void) -> c_int;
        fn mbx_rsa_private_crt_mb8(
            from: *const *const u8,
            to: *const *mut u8,
            p: *const *const u64,
            q: *const *const u64,
            d_p: *const *const u64,
            d_q: *const *const u64,
            q_inverse: *const *const u64,
            bits: c_int,
            method: *const c_void,
            buffer: *mut u8,
        ) -> u32;
        fn mbx_rsa_public_mb8(
            from: *const *const u8,
            to: *const *mut u8,
            n: *const *const u64,
            bits: c_int,
            method: *const c_void,
            buffer: *mut u8,
        ) -> u32;
    }
}

/// A job of signatures.
pub(super) fn job(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    fills_lanes(cell)?;
    let api = Rsa::load(library)?;
    match op {
        SignatureOp::Sign => {
            jobs::rsa::signing_calls(cell, |key| Ok(Box::new(Signatures::new(api, &key.numbers)?)))
        }
        SignatureOp::Verify => jobs::rsa::verifying_calls(cell, |key| {
            Ok(Box::new(Verifications::new(api, &key.numbers)?))
        }),
    }
}

/// A number of big-endian bytes, with as many words as half of the modulus or the whole of it.
fn words(bytes: &[u8], count: usize) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let mut words: Vec<u64> = bytes.rchunks(8).map(word).collect();
    words.resize(count, 0);
    words
}

/// A power, and memory for eight.
struct Power {
    api: Rsa,
    bits: c_int,
    method: *const c_void,
    buffer: Vec<u8>,
    /// The encoded messages.
    encoded: Vec<u8>,
}

impl Power {
    fn new(
        api: Rsa,
        numbers: &Numbers,
        method: unsafe extern "C" fn(c_int) -> *const c_void,
    ) -> Result<Self, Unavailable> {
        let len = numbers.n.len();
        let bits = 8 * len as c_int;
        // SAFETY: it takes any number.
        let method = unsafe { method(bits) };
        if method.is_null() {
            return Err(Unavailable(format!("has no RSA-{bits}")));
        }
        // SAFETY: the method is a constant of the library.
        let size = unsafe { (api.mbx_RSA_Method_BufSize)(method) };
        let buffer = vec![0; usize::try_from(size).unwrap_or(0)];
        Ok(Self { api, bits, method, buffer, encoded: vec![0; LANES * len] })
    }

    /// Encodes eight messages.
    fn encode(&mut self, messages: [&[u8]; LANES]) {
        let len = self.encoded.len() / LANES;
        for (digest, place) in hashed(messages).iter().zip(self.encoded.chunks_exact_mut(len)) {
            encode(digest, place);
        }
    }
}

struct Signatures {
    power: Power,
    /// p, q, d modulo p − 1 and q − 1, and the inverse of q.
    numbers: [Vec<u64>; 5],
}

impl Signatures {
    fn new(api: Rsa, numbers: &Numbers) -> Result<Self, Unavailable> {
        let power = Power::new(api, numbers, api.mbx_RSA_private_crt_Method)?;
        let Numbers { n, p, q, d_p, d_q, q_inverse, .. } = numbers;
        let numbers = [p, q, d_p, d_q, q_inverse].map(|number| words(number, n.len() / 16));
        Ok(Self { power, numbers })
    }
}

impl HashCalls for Signatures {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        let len = digests.len() / texts.len();
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let places_of_all =
                digests[range.start * len..range.end * len].chunks_exact_mut(LANES * len);
            for (messages, out) in texts[range].chunks_exact(LANES).zip(places_of_all) {
                self.power.encode(each(|i| &messages[i][..]));
                let Power { api, bits, method, buffer, encoded } = &mut self.power;
                let from: [_; LANES] = each(|i| encoded[i * len..].as_ptr());
                let to = places(out, len);
                let numbers = self.numbers.each_ref().map(|number| [number.as_ptr(); LANES]);
                let [p, q, d_p, d_q, q_inverse] = numbers.each_ref().map(|all| all.as_ptr());
                let (from, to, buffer) = (from.as_ptr(), to.as_ptr(), buffer.as_mut_ptr());
                let sign = api.mbx_rsa_private_crt_mb8;
                // SAFETY: each of them has eight pointers: to as many bytes as the modulus has, or to numbers of half of its
                // words; the buffer has the size of the method.
                let status =
                    unsafe { sign(from, to, p, q, d_p, d_q, q_inverse, *bits, *method, buffer) };
                clear_failed(status, out, len);
            }
        }
    }

    fn note(&self) -> &'static str {
        "has neither SHA-256 nor an encoding of digests: those of ropewalk and the lab count"
    }
}

struct Verifications {
    power: Power,
    n: Vec<u64>,
    /// The powers of signatures.
    found: Vec<u8>,
}

impl Verifications {
    fn new(api: Rsa, numbers: &Numbers) -> Result<Self, Unavailable> {
        // 65537.
        if numbers.e != [1, 0, 1] {
            return Err(Unavailable("has no other public exponent than 65537".into()));
        }
        let (len, power) =
            (numbers.n.len(), Power::new(api, numbers, api.mbx_RSA_pub65537_Method)?);
        Ok(Self { power, n: words(&numbers.n, len / 8), found: vec![0; LANES * len] })
    }
}

impl VerifyingCalls<Signature> for Verifications {
    fn verify(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        signed: &[(Text, Signature)],
        right: &mut [bool],
    ) {
        let len = self.found.len() / LANES;
        for _ in 0..calls {
            let signed = signed[turn.take(signed.len())].chunks_exact(LANES);
            for (signed, right) in signed.zip(right.chunks_exact_mut(LANES)) {
                self.power.encode(each(|i| &signed[i].0[..]));
                let Power { api, bits, method, buffer, encoded } = &mut self.power;
                let from: [_; LANES] = each(|i| signed[i].1.as_ptr());
                let (to, n) = (places(&mut self.found, len), [self.n.as_ptr(); LANES]);
                let (from, to, n) = (from.as_ptr(), to.as_ptr(), n.as_ptr());
                let (verify, buffer) = (api.mbx_rsa_public_mb8, buffer.as_mut_ptr());
                // SAFETY: each of them has eight pointers: to as many bytes as the modulus has, as each right signature and each
                // that is made of one, or to its words; the buffer has the size of the method.
                let status = unsafe { verify(from, to, n, *bits, *method, buffer) };
                let powers = self.found.chunks_exact(len).zip(encoded.chunks_exact(len));
                for (i, (right, (found, encoded))) in right.iter_mut().zip(powers).enumerate() {
                    *right = !failed(status, i) && found == encoded;
                }
            }
        }
    }

    fn note(&self) -> &'static str {
        "has neither SHA-256 nor an encoding of digests: those of ropewalk and the lab count"
    }
}
