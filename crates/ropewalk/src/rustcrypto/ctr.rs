//! AES in counter mode, as in the crate `ctr`.
//!
//! ```
//! use ropewalk::rustcrypto::{aes::Aes256, ctr::{Ctr128BE, cipher::{KeyIvInit, StreamCipher}}};
//!
//! let mut text = *b"attack at dawn";
//! let mut stream = Ctr128BE::<Aes256>::new(&[7; 32].into(), &[0; 16].into());
//! let (head, rest) = text.split_at_mut(6);
//! stream.apply_keystream(head);
//! stream.apply_keystream(rest);
//! ```

use core::{fmt, marker::PhantomData};

use cipher::{
    AlgorithmName, Iv, IvSizeUser, IvState, Key, KeyIvInit, KeySizeUser, SetIvState,
    StreamCipherCoreWrapper, StreamCipherCounter, consts::U16,
};

use super::{
    aes::{Aes, KEY, Sealed},
    stream::stream_core,
};
use crate::aes::aes_ctr::{self, Counter};

pub use cipher;

/// Counter mode where the counter is the last four bytes, big-endian.
pub type Ctr32BE<C> = StreamCipherCoreWrapper<CtrCore<C, u32>>;
/// Counter mode where the counter is the last eight bytes, big-endian.
pub type Ctr64BE<C> = StreamCipherCoreWrapper<CtrCore<C, u64>>;
/// Counter mode where the counter is all sixteen bytes, big-endian.
pub type Ctr128BE<C> = StreamCipherCoreWrapper<CtrCore<C, u128>>;

/// Counter mode on whole blocks, with a counter of the size of a number.
pub struct CtrCore<C, N> {
    key: aes_ctr::Key,
    iv: [u8; 16],
    /// Blocks so far.
    at: N,
    cipher: PhantomData<C>,
}

impl<C: Aes, N: Count> KeySizeUser for CtrCore<C, N> {
    type KeySize = C::KeySize;
}

impl<C: Aes, N: Count> IvSizeUser for CtrCore<C, N> {
    type IvSize = U16;
}

impl<C: Aes, N: Count> KeyIvInit for CtrCore<C, N> {
    #[inline]
    fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
        let key = aes_ctr::Key::new(key).expect(KEY);
        Self { key, iv: (*iv).into(), at: N::ZERO, cipher: PhantomData }
    }
}

impl<C: Aes, N: Count> IvState for CtrCore<C, N> {
    #[inline]
    fn iv_state(&self) -> Iv<Self> {
        self.at.after(&self.iv).into()
    }
}

impl<C: Aes, N: Count> SetIvState for CtrCore<C, N> {
    #[inline]
    fn set_iv(&mut self, iv: &Iv<Self>) {
        (self.iv, self.at) = ((*iv).into(), N::ZERO);
    }
}

impl<C: Aes, N: Count> AlgorithmName for CtrCore<C, N> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ctr{}BE<", 8 * size_of::<N>())?;
        C::write_alg_name(f)?;
        f.write_str(">")
    }
}

impl<C: Aes, N: Count> fmt::Debug for CtrCore<C, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::write_alg_name(f)?;
        f.write_str(" { ... }")
    }
}

stream_core! { [C: Aes, N: Count] CtrCore<C, N>, blocks of U16, counted by N }

impl<C: Aes, N: Count> CtrCore<C, N> {
    #[inline]
    fn remaining(&self) -> Option<usize> {
        self.at.remaining()
    }

    #[inline]
    fn apply(&mut self, text: &mut [u8]) {
        let iv = self.at.after(&self.iv);
        self.key.apply_keystream(N::COUNTER, &iv, text).expect("no counter comes twice in a call");
        self.at = self.at.add(text.len() / 16);
    }
}

/// The type of a block counter. It is sealed.
pub trait Count: Sealed + StreamCipherCounter {
    #[doc(hidden)]
    const ZERO: Self;
    #[doc(hidden)]
    const COUNTER: Counter;

    /// The counter block that many blocks after `iv`.
    #[doc(hidden)]
    fn after(self, iv: &[u8; 16]) -> [u8; 16];

    #[doc(hidden)]
    fn add(self, blocks: usize) -> Self;

    /// The number of blocks up to the last counter value.
    #[doc(hidden)]
    fn remaining(self) -> Option<usize>;
}

macro_rules! count {
    ($($Number:ty, $Bits:ident;)+) => { $(
        impl Sealed for $Number {}

        impl Count for $Number {
            const ZERO: Self = 0;
            const COUNTER: Counter = Counter::$Bits;

            #[inline]
            fn after(self, iv: &[u8; 16]) -> [u8; 16] {
                let mut block = *iv;
                let counter = block.last_chunk_mut().expect("at most a block");
                *counter = Self::from_be_bytes(*counter).wrapping_add(self).to_be_bytes();
                block
            }
            #[inline]
            fn add(self, blocks: usize) -> Self {
                self.wrapping_add(blocks as Self)
            }
            #[inline]
            fn remaining(self) -> Option<usize> {
                (Self::MAX - self).try_into().ok()
            }
        }
    )+ };
}

count! {
    u32, Bits32;
    u64, Bits64;
    u128, Bits128;
}
