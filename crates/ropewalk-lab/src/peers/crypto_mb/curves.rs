//! X25519 and Ed25519, eight at once.

use libloading::os::unix::Library;

use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{self, CurveKey, HashCalls, Signature, Text, Turn, VerifyingCalls},
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, SignatureOp},
};

/// The number of operations in a call, each with separate pointers.
pub(super) const LANES: usize = 8;

functions! {
    /// X25519. A status has four bits for each, of which 0 is no error.
    X25519 {
        fn mbx_x25519_mb8(
            secrets: *const *mut u8,
            privates: *const *const u8,
            publics: *const *const u8,
        ) -> u32;
        fn mbx_x25519_public_key_mb8(publics: *const *mut u8, privates: *const *const u8) -> u32;
    }

    /// Ed25519, with the halves of a signature in separate buffers.
    Ed25519 {
        fn mbx_ed25519_public_key_mb8(publics: *const *mut u8, seeds: *const *const u8) -> u32;
        fn mbx_ed25519_sign_mb8(
            firsts: *const *mut u8,
            seconds: *const *mut u8,
            messages: *const *const u8,
            lens: *const u32,
            seeds: *const *const u8,
            publics: *const *const u8,
        ) -> u32;
        fn mbx_ed25519_verify_mb8(
            firsts: *const *const u8,
            seconds: *const *const u8,
            messages: *const *const u8,
            lens: *const u32,
            publics: *const *const u8,
        ) -> u32;
    }
}

/// A job of X25519.
pub(super) fn x25519(
    cell: &Cell,
    library: &'static Library,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    fills_lanes(cell)?;
    let api = X25519::load(library)?;
    match op {
        AgreementOp::Agree => {
            jobs::agreement_calls(cell, |key| Ok(Box::new(Agreements { api, key: *key })))
        }
        AgreementOp::Generate => jobs::generation_calls(cell, Box::new(Generations(api))),
    }
}

/// A job of Ed25519.
pub(super) fn ed25519(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    fills_lanes(cell)?;
    let api = Ed25519::load(library)?;
    match op {
        SignatureOp::Sign => {
            jobs::signing_calls(cell, |seed| Ok(Box::new(Signatures::new(api, seed)?)))
        }
        SignatureOp::Verify => {
            jobs::verifying_calls(cell, |public| Ok(Box::new(Verifications(api, *public))))
        }
    }
}

/// Fewer than eight take as long as eight.
pub(super) fn fills_lanes(cell: &Cell) -> Result<(), Unavailable> {
    match cell.count.is_multiple_of(LANES) {
        true => Ok(()),
        false => Err(Unavailable("takes eight at once: --count 8".into())),
    }
}

/// Eight pointers, from the first on.
pub(super) fn each<T>(of: impl FnMut(usize) -> T) -> [T; LANES] {
    std::array::from_fn(of)
}

/// The places of the results of a group, which are contiguous.
pub(super) fn places(out: &mut [u8], len: usize) -> [*mut u8; LANES] {
    assert_eq!(out.len(), LANES * len);
    let mut places = out.chunks_exact_mut(len);
    each(|_| places.next().expect("eight of them").as_mut_ptr())
}

/// Clears failed results.
pub(super) fn clear_failed(status: u32, out: &mut [u8], len: usize) {
    for (i, out) in out.chunks_exact_mut(len).enumerate() {
        if failed(status, i) {
            out.fill(0);
        }
    }
}

pub(super) fn failed(status: u32, lane: usize) -> bool {
    status >> (4 * lane) & 0xf != 0
}

/// Calls `group` with the texts and places of each eight in turn.
pub(super) fn groups(
    (calls, turn): (usize, &mut Turn),
    texts: &[Text],
    digests: &mut [u8],
    group: impl Fn(&[Text], &mut [u8]),
) {
    let len = digests.len() / texts.len();
    for _ in 0..calls {
        let range = turn.take(texts.len());
        let digests = &mut digests[range.start * len..range.end * len];
        for (texts, out) in
            texts[range].chunks_exact(LANES).zip(digests.chunks_exact_mut(LANES * len))
        {
            group(texts, out);
        }
    }
}

struct Agreements {
    api: X25519,
    key: CurveKey,
}

impl HashCalls for Agreements {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        groups((calls, turn), texts, digests, |publics, out| {
            let (places, privates) = (places(out, CURVE_KEY), [self.key.as_ptr(); LANES]);
            let publics = each(|i| of_key(&publics[i]));
            let agree = self.api.mbx_x25519_mb8;
            // SAFETY: each of them has eight pointers to 32 bytes.
            let status = unsafe { agree(places.as_ptr(), privates.as_ptr(), publics.as_ptr()) };
            clear_failed(status, out, CURVE_KEY);
        });
    }
}

struct Generations(X25519);

impl HashCalls for Generations {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        groups((calls, turn), texts, digests, |privates, out| {
            let places = places(out, CURVE_KEY);
            let privates = each(|i| of_key(&privates[i]));
            let generate = self.0.mbx_x25519_public_key_mb8;
            // SAFETY: each of them has eight pointers to 32 bytes.
            let status = unsafe { generate(places.as_ptr(), privates.as_ptr()) };
            clear_failed(status, out, CURVE_KEY);
        });
    }
}

fn of_key(key: &[u8]) -> *const u8 {
    assert_eq!(key.len(), CURVE_KEY);
    key.as_ptr()
}

struct Signatures {
    api: Ed25519,
    seed: CurveKey,
    public: CurveKey,
}

impl Signatures {
    fn new(api: Ed25519, seed: &CurveKey) -> Result<Self, Unavailable> {
        let mut publics = [0; LANES * CURVE_KEY];
        let (places, seeds) = (places(&mut publics, CURVE_KEY), [seed.as_ptr(); LANES]);
        // SAFETY: each of them has eight pointers to 32 bytes.
        let status = unsafe { (api.mbx_ed25519_public_key_mb8)(places.as_ptr(), seeds.as_ptr()) };
        match status {
            0 => {
                let public = *publics.first_chunk().expect("eight of them");
                Ok(Self { api, seed: *seed, public })
            }
            _ => Err(Unavailable("mbx_ed25519_public_key_mb8 failed".into())),
        }
    }
}

impl HashCalls for Signatures {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        groups((calls, turn), texts, digests, |messages, out| {
            let mut halves = out.chunks_exact_mut(CURVE_KEY);
            let mut half = || halves.next().expect("sixteen of them").as_mut_ptr();
            let places = each(|_| [half(), half()]);
            let [firsts, seconds] = [0, 1].map(|half| places.map(|place| place[half]));
            let (starts, lens) = (starts(messages), lens(messages));
            let (seeds, publics) = ([self.seed.as_ptr(); LANES], [self.public.as_ptr(); LANES]);
            let (firsts, seconds) = (firsts.as_ptr(), seconds.as_ptr());
            let (starts, lens) = (starts.as_ptr(), lens.as_ptr());
            let sign = self.api.mbx_ed25519_sign_mb8;
            // SAFETY: each of them has eight: pointers to 32 bytes, or to messages that have the given lengths.
            let status =
                unsafe { sign(firsts, seconds, starts, lens, seeds.as_ptr(), publics.as_ptr()) };
            clear_failed(status, out, 2 * CURVE_KEY);
        });
    }
}

fn starts(messages: &[Text]) -> [*const u8; LANES] {
    each(|i| messages[i].as_ptr())
}

fn lens(messages: &[Text]) -> [u32; LANES] {
    each(|i| messages[i].len() as u32)
}

struct Verifications(Ed25519, CurveKey);

impl VerifyingCalls for Verifications {
    fn verify(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        signed: &[(Text, Signature)],
        right: &mut [bool],
    ) {
        let publics = [self.1.as_ptr(); LANES];
        for _ in 0..calls {
            let signed = signed[turn.take(signed.len())].chunks_exact(LANES);
            for (signed, right) in signed.zip(right.chunks_exact_mut(LANES)) {
                let half = |at| each(|i| signed[i].1[at..at + CURVE_KEY].as_ptr());
                let (firsts, seconds) = (half(0), half(CURVE_KEY));
                let (starts, lens) =
                    (each(|i| signed[i].0.as_ptr()), each(|i| signed[i].0.len() as u32));
                let (firsts, seconds) = (firsts.as_ptr(), seconds.as_ptr());
                let (starts, lens) = (starts.as_ptr(), lens.as_ptr());
                let verify = self.0.mbx_ed25519_verify_mb8;
                // SAFETY: as for what signs.
                let status = unsafe { verify(firsts, seconds, starts, lens, publics.as_ptr()) };
                for (i, right) in right.iter_mut().enumerate() {
                    *right = !failed(status, i);
                }
            }
        }
    }
}
