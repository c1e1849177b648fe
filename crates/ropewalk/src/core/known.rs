//! Known answers, which a backend computes before its first use in a process.
//!
//! Each list of backends has a function that runs every width of a kernel and every function of an engine: blocks, whole groups
//! of them, the rest at the end, all lanes and some. Most operations take the output of the one before, and a sum of the last
//! output stands for all. The sums come from the portable backends, which other tests compare with published vectors and other
//! libraries.

/// Bytes without a short period: keys, nonces and texts.
pub(crate) const fn bytes<const N: usize>() -> [u8; N] {
    let (mut bytes, mut i) = ([0; N], 0);
    while i < N {
        bytes[i] = (i * 167 + (i >> 8) * 59 + 13) as u8;
        i += 1;
    }
    bytes
}

/// A key is a prefix of this.
pub(crate) static SECRET: [u8; 64] = bytes();

/// AES keys, one for each number of rounds.
pub(crate) fn aes_keys() -> [&'static [u8]; 3] {
    [16, 32, 24].map(|len| &SECRET[..len])
}

/// Whether a backend has no wide kernels. It needs no long texts, which would take it long.
pub(crate) fn is_portable(backend: &str) -> bool {
    backend.ends_with("/portable")
}

/// A checksum of the outputs of a backend: one wrong word always changes it, several almost always.
pub(crate) struct Sum(u64);

impl Sum {
    pub(crate) fn new() -> Self {
        Self(0)
    }

    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut sum = Self::new();
        sum.add(bytes);
        sum
    }

    #[inline(never)]
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.add_word(u64::from_le_bytes(*word));
        }
        for &byte in rest {
            self.add_word(byte.into());
        }
    }

    fn add_word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    pub(crate) fn is(&self, answer: u64) -> bool {
        self.0 == answer
    }
}

/// Nonces or texts that differ from each other.
pub(crate) fn numbered<const N: usize, const COUNT: usize>() -> [[u8; N]; COUNT] {
    let mut all = [bytes(); COUNT];
    for (number, one) in all.iter_mut().enumerate() {
        one[0] ^= number as u8;
    }
    all
}
