//! AES in its modes, and ChaCha20, in place; AES key wrap; random bytes.

use libloading::os::unix::Library;

use super::{
    Context, Key, Slot,
    api::{self, AES_CTR, AES_ECB, CtrParams, DES3_CBC, Item, Mechanism, NSS_AES_KEY_WRAP, RC4},
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// A key, and the call that processes a whole message in one direction. A new vector requires a new start,
/// since no function changes it in a context.
pub(super) struct Whole {
    api: api::Whole,
    key: Key,
    mechanism: Mechanism,
    direction: Direction,
}

impl Whole {
    fn new(
        library: &'static Library,
        slot: Slot,
        mechanism: Mechanism,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let keys = api::Keys::load(library)?;
        let key = Key::new(keys, slot, mechanism, super::operation(direction), key)?;
        Ok(Self { api: api::Whole::load(library)?, key, mechanism, direction })
    }

    /// Returns the length of the output; none if it failed.
    fn message(
        &self,
        mut parameter: Item,
        text: (*const u8, usize),
        out: (*mut u8, usize),
    ) -> Option<usize> {
        let crypt = match self.direction {
            Direction::Encrypt => self.api.PK11_Encrypt,
            Direction::Decrypt => self.api.PK11_Decrypt,
        };
        let mut out_len = 0;
        // SAFETY: the key is there, the parameter is that of the mechanism, both places are as long
        // as they say, and the text may be in place.
        let done = unsafe {
            crypt(
                self.key.get(),
                self.mechanism,
                &mut parameter,
                out.0,
                &mut out_len,
                out.1 as u32,
                text.0,
                text.1 as u32,
            )
        };
        (done == 0).then_some(out_len as usize)
    }

    /// The same in place.
    fn in_place(&self, parameter: &[u8], text: &mut [u8]) {
        // It refuses to write zero bytes.
        if text.is_empty() {
            return;
        }
        let (start, len) = (text.as_mut_ptr(), text.len());
        if self.message(Item::of(parameter), (start, len), (start, len)) != Some(len) {
            // A failed call must not look like an answer.
            text.fill(0);
        }
    }
}

/// AES in counter mode, ChaCha20 or RC4: a key, and a context for a stream.
pub(super) struct Ctr {
    whole: Whole,
    pieces: Pieces,
}

impl Ctr {
    pub(super) fn new(
        library: &'static Library,
        slot: Slot,
        mechanism: Mechanism,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let whole = Whole::new(library, slot, mechanism, Direction::Encrypt, key)?;
        Ok(Self { whole, pieces: Pieces { api: api::Pieces::load(library)?, context: None } })
    }

    /// Calls with the mechanism's parameter for a counter block.
    fn with_parameter<R>(&self, iv: &[u8; 16], call: impl FnOnce(&Whole, &[u8]) -> R) -> R {
        match self.whole.mechanism {
            AES_CTR => {}
            RC4 => return call(&self.whole, &[]),
            _ => return call(&self.whole, iv),
        }
        let parameter = CtrParams { counter_bits: 128, block: *iv };
        // SAFETY: it has no padding, and lives until the call is over.
        let bytes = unsafe {
            std::slice::from_raw_parts((&raw const parameter).cast::<u8>(), size_of::<CtrParams>())
        };
        call(&self.whole, bytes)
    }
}

impl jobs::Ctr for Ctr {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.with_parameter(iv, |whole, parameter| whole.in_place(parameter, text));
    }

    fn start(&mut self, iv: &[u8; 16]) {
        let context = self.with_parameter(iv, |whole, parameter| {
            whole.key.context(super::operation(Direction::Encrypt), &Item::of(parameter))
        });
        self.pieces.context = context.ok();
    }

    fn update(&mut self, text: &mut [u8]) {
        self.pieces.next(text);
    }
}

/// A context that continues from call to call.
struct Pieces {
    api: api::Pieces,
    /// None if it could not be made.
    context: Option<Context>,
}

impl Pieces {
    fn next(&mut self, text: &mut [u8]) {
        let (start, len) = (text.as_mut_ptr(), text.len() as i32);
        let mut out_len = 0;
        let done = self.context.as_ref().map(|context| {
            // SAFETY: the context has been started, and the text has the given length; it may be in
            // place.
            unsafe { (self.api.PK11_CipherOp)(context.get(), start, &mut out_len, len, start, len) }
        });
        if done != Some(0) || out_len != len {
            // A failed call must not look like an answer.
            text.fill(0);
        }
    }
}

/// AES or triple DES in cipher block chaining, one way.
pub(super) struct Cbc {
    whole: Whole,
    iv_len: usize,
}

impl Cbc {
    pub(super) fn new(
        library: &'static Library,
        slot: Slot,
        mechanism: Mechanism,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let iv_len = if mechanism == DES3_CBC { 8 } else { 16 };
        Ok(Self { whole: Whole::new(library, slot, mechanism, direction, key)?, iv_len })
    }
}

impl jobs::Cbc for Cbc {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.whole.in_place(&iv[..self.iv_len], text);
    }
}

/// AES block by block, one way, on a context that keeps its key.
pub(super) struct Ecb(Pieces);

impl Ecb {
    pub(super) fn new(
        library: &'static Library,
        slot: Slot,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let (keys, operation) = (api::Keys::load(library)?, super::operation(direction));
        let key = Key::new(keys, slot, AES_ECB, operation, key)?;
        let context = Some(key.context(operation, &Item::none())?);
        Ok(Self(Pieces { api: api::Pieces::load(library)?, context }))
    }
}

impl jobs::Cbc for Ecb {
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        self.0.next(text);
    }
}

/// AES key wrap, one way.
pub(super) struct KeyWrap(Whole);

impl KeyWrap {
    pub(super) fn new(
        library: &'static Library,
        slot: Slot,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        Whole::new(library, slot, NSS_AES_KEY_WRAP, direction, key).map(Self)
    }
}

impl jobs::KeyWrap for KeyWrap {
    const NOTE: &str = "keeps no key ready: to take it counts";

    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        let out = (wrapped.as_mut_ptr(), wrapped.len());
        if self.0.message(Item::none(), (key.as_ptr(), key.len()), out) != Some(wrapped.len()) {
            wrapped.fill(0);
        }
    }

    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        let out = (key.as_mut_ptr(), key.len());
        self.0.message(Item::none(), (wrapped.as_ptr(), wrapped.len()), out) == Some(key.len())
    }
}

/// Its generator.
pub(super) struct Random(pub(super) api::Random);

impl jobs::Fill for Random {
    fn fill(&mut self, out: &mut [u8]) {
        // SAFETY: the library has been set up, and there is space for that many bytes.
        if unsafe { (self.0.PK11_GenerateRandom)(out.as_mut_ptr(), out.len() as i32) } != 0 {
            out.fill(0);
        }
    }
}
