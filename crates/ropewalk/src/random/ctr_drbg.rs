//! CTR_DRBG with AES-256, without a derivation function. `seedlen` is 384 bits, `ctr_len` 128.

use crate::{
    aes::aes_ctr::{self, Counter, Key},
    core::{Error, backend::Primitive, block::Block, ct, secret::Wiped, text::Text},
};

/// Bytes of entropy for a state, and the longest other input.
pub const SEED_LEN: usize = 48;

/// The longest request in bytes: 2^19 bits (table 3).
pub const LONGEST_REQUEST: usize = 1 << 16;

/// The most requests between two seeds (table 3).
pub(super) const RESEED_INTERVAL: u64 = 1 << 48;

type Seed = [u8; SEED_LEN];

pub(super) const PRIMITIVE: Primitive = Primitive {
    name: "ctr-drbg",
    standard: "NIST SP 800-90A Rev. 1, section 10.2.1",
    backends: aes_ctr::PRIMITIVE.backends,
    self_test: |backend| {
        let mut drbg = CtrDrbg::with_backend(&EXAMPLE_ENTROPY, b"", backend)?;
        let mut out = [0; 64];
        for _ in 0..2 {
            drbg.generate(b"", &mut out)?;
        }
        Ok(out == EXAMPLE_OUTPUT)
    },
};

/// CTR_DRBG of AES-256 without a derivation function: the same inputs give the same bytes. It is wiped when it is dropped.
///
/// Its input must have full entropy, as no derivation function condenses it.
///
/// ```
/// use ropewalk::random::CtrDrbg;
///
/// let (mut drbg, mut out) = (CtrDrbg::new(&[7; 48], b"an example")?, [0; 32]);
/// drbg.generate(b"", &mut out)?;
/// assert_eq!(out[..4], [33, 45, 121, 117]);
/// drbg.reseed(&[8; 48], b"")?;
/// drbg.generate(b"additional input", &mut out)?;
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub struct CtrDrbg(Wiped<State>);

/// The working state (section 10.2.1.1).
struct State {
    /// Key.
    key: Key,
    /// V.
    v: Block,
    reseed_counter: u64,
}

impl CtrDrbg {
    /// Makes a generator from entropy, with the best backend of this processor (section 10.2.1.3.1). The personalization string
    /// should differ between generators; it may be empty, and need not be secret.
    ///
    /// # Errors
    /// [`Error::Length`] for a personalization string of more than [`SEED_LEN`] bytes.
    pub fn new(entropy: &[u8; SEED_LEN], personalization: &[u8]) -> Result<Self, Error> {
        let mut seed = Wiped::new(*entropy);
        add("personalization string", &mut seed, personalization)?;
        Ok(Self::instantiate(Key::new_256(&[0; 32]), &seed))
    }

    /// With the backend of that name in the list of [`PRIMITIVE`](super::PRIMITIVE).
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`CtrDrbg::new`].
    pub fn with_backend(
        entropy: &[u8; SEED_LEN],
        personalization: &[u8],
        name: &str,
    ) -> Result<Self, Error> {
        let mut seed = Wiped::new(*entropy);
        add("personalization string", &mut seed, personalization)?;
        Ok(Self::instantiate(Key::with_backend(&[0; 32], name)?, &seed))
    }

    fn instantiate(key: Key, seed: &Seed) -> Self {
        let mut drbg = Self(Wiped::new(State { key, v: [0; 16], reseed_counter: 1 }));
        drbg.0.update(seed);
        drbg
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.key.backend()
    }

    /// Adds entropy to the state, and additional input, which may be empty (section 10.2.1.4.1).
    ///
    /// # Errors
    /// [`Error::Length`] for additional input of more than [`SEED_LEN`] bytes; the state is then as it was.
    pub fn reseed(&mut self, entropy: &[u8; SEED_LEN], additional: &[u8]) -> Result<(), Error> {
        let mut seed = Wiped::new(*entropy);
        add("additional input", &mut seed, additional)?;
        self.0.update(&seed);
        self.0.reseed_counter = 1;
        Ok(())
    }

    /// Fills `out`, which is one request, and changes the state, so that the output cannot be recomputed (section 10.2.1.5.1).
    /// Additional input may be empty.
    ///
    /// # Errors
    /// [`Error::Length`] for a request of more than [`LONGEST_REQUEST`] bytes, or additional input of more
    /// than [`SEED_LEN`]; [`Error::Exhausted`] where 2^48 requests have been answered since the last seed.
    /// `out` is then untouched, and the state as it was.
    pub fn generate(&mut self, additional: &[u8], out: &mut [u8]) -> Result<(), Error> {
        let got = out.len();
        if got > LONGEST_REQUEST {
            return Err(Error::Length { what: "request", got, allowed: "up to 2^16 bytes" });
        }
        let mut input = Wiped::new([0; SEED_LEN]);
        add("additional input", &mut input, additional)?;
        let state = &mut *self.0;
        if state.reseed_counter > RESEED_INTERVAL {
            return Err(Error::Exhausted);
        }
        if !additional.is_empty() {
            state.update(&input);
        }
        out.fill(0);
        state.add_blocks(out);
        state.update(&input);
        state.reseed_counter += 1;
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn set_reseed_counter(&mut self, count: u64) {
        self.0.reseed_counter = count;
    }
}

impl State {
    /// CTR_DRBG_Update (section 10.2.1.2).
    fn update(&mut self, provided_data: &Seed) {
        let mut temp = Wiped::new(*provided_data);
        self.add_blocks(&mut *temp);
        let (key, v) = temp.split_first_chunk().expect("48 bytes");
        self.key.rekey_256(key);
        self.v.copy_from_slice(v);
    }

    /// XORs encrypted blocks into the text. V is incremented before each.
    fn add_blocks(&mut self, text: &mut [u8]) {
        let v = u128::from_be_bytes(self.v);
        let blocks = text.len().div_ceil(16) as u128;
        self.v = v.wrapping_add(blocks).to_be_bytes();
        // The time reveals when the last byte of V wraps, and when its last 32 bits do. V is encrypted with a key that is secret
        // and is gone afterwards: knowing V completely would be of no use.
        let first = ct::known(v.wrapping_add(1).to_be_bytes());
        self.key.apply(Counter::Bits128, &first, Text::in_place(text));
    }
}

/// XORs other input, padded with zeros, into entropy in place: a move would leave a copy.
fn add(what: &'static str, seed: &mut Seed, input: &[u8]) -> Result<(), Error> {
    let got = input.len();
    if got > SEED_LEN {
        return Err(Error::Length { what, got, allowed: "up to 48 bytes" });
    }
    for (byte, input) in seed.iter_mut().zip(input) {
        *byte ^= input;
    }
    Ok(())
}

/// NIST CAVP: AES-256 without a derivation function, without additional input, number 0. The second of two
/// requests.
const EXAMPLE_ENTROPY: [u8; 48] =
    *b"\xdf\x5d\x73\xfa\xa4\x68\x64\x9e\xdd\xa3\x3b\x5c\xca\x79\xb0\xb0\
       \x56\x00\x41\x9c\xcb\x7a\x87\x9d\xdf\xec\x9d\xb3\x2e\xe4\x94\xe5\
       \x53\x1b\x51\xde\x16\xa3\x0f\x76\x92\x62\x47\x4c\x73\xbe\xc0\x10";
const EXAMPLE_OUTPUT: [u8; 64] =
    *b"\xd1\xc0\x7c\xd9\x5a\xf8\xa7\xf1\x10\x12\xc8\x4c\xe4\x8b\xb8\xcb\
       \x87\x18\x9e\x99\xd4\x0f\xcc\xb1\x77\x1c\x61\x9b\xdf\x82\xab\x22\
       \x80\xb1\xdc\x2f\x25\x81\xf3\x91\x64\xf7\xac\x0c\x51\x04\x94\xb3\
       \xa4\x3c\x41\xb7\xdb\x17\x51\x4c\x87\xb1\x07\xae\x79\x3e\x01\xc5";
