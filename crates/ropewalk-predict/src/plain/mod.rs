//! Plain loops: one block at a time, from its load to its store, like a first version with the same
//! instructions. The compiler may optimize them.

#[macro_use]
mod loops;
mod ghash;
mod keys;

/// With the Armv8 AES instructions.
pub(crate) mod aes {
    use core::arch::aarch64::*;

    use super::{ghash, keys};
    use crate::tasks::{KEY, Message, NONCE};

    type Keys = [uint8x16_t; 11];

    loops! { "aes", "sha1/aarch64/sha1", "sha256/aarch64/sha2" }

    entry! { "aes": fn seal(m: &mut Message) {
        let (cipher, mut hash) = start();
        for (i, block) in m.text.as_chunks_mut().0.iter_mut().enumerate() {
            let sealed = veorq_u8(load(block), encrypt(&cipher, counter(&NONCE, i as u32 + 2)));
            store(block, sealed);
            hash.add(sealed);
        }
        finish(m, &cipher, hash);
    } }

    entry! { "aes": fn open(m: &mut Message) {
        let (cipher, mut hash) = start();
        for (i, block) in m.text.as_chunks_mut().0.iter_mut().enumerate() {
            let sealed = load(block);
            hash.add(sealed);
            store(block, veorq_u8(sealed, encrypt(&cipher, counter(&NONCE, i as u32 + 2))));
        }
        finish(m, &cipher, hash);
    } }

    #[inline]
    #[target_feature(enable = "aes")]
    fn start() -> (Keys, ghash::Hash) {
        let cipher = for_encrypting(&KEY);
        let hash = ghash::Hash::new(encrypt(&cipher, load(&[0; 16])));
        (cipher, hash)
    }

    #[inline]
    #[target_feature(enable = "aes")]
    fn finish(m: &mut Message, cipher: &Keys, mut hash: ghash::Hash) {
        hash.add(load(&(8 * m.len as u128).to_be_bytes()));
        m.tag = vec![0; 16];
        let tag = veorq_u8(hash.finish(), encrypt(cipher, counter(&NONCE, 1)));
        store(&mut m.tag.as_chunks_mut().0[0], tag);
    }

    #[inline]
    #[target_feature(enable = "aes")]
    fn encrypt(keys: &Keys, mut x: uint8x16_t) -> uint8x16_t {
        for key in &keys[..9] {
            x = vaesmcq_u8(vaeseq_u8(x, *key));
        }
        veorq_u8(vaeseq_u8(x, keys[9]), keys[10])
    }

    #[inline]
    #[target_feature(enable = "aes")]
    fn decrypt(keys: &Keys, mut x: uint8x16_t) -> uint8x16_t {
        for key in &keys[..9] {
            x = vaesimcq_u8(vaesdq_u8(x, *key));
        }
        veorq_u8(vaesdq_u8(x, keys[9]), keys[10])
    }
}

/// Without them: all 256 bytes of the table are in sixteen registers. Four table lookups substitute a
/// block.
pub(crate) mod lookups {
    use core::arch::aarch64::*;

    use super::keys;
    use crate::tasks::Message;

    type Keys = [uint8x16_t; 11];

    loops! { "neon", "sha1/portable", "sha256/portable" }

    #[inline]
    #[target_feature(enable = "neon")]
    fn encrypt(keys: &Keys, x: uint8x16_t) -> uint8x16_t {
        let rows = load(&ROWS);
        let mut x = veorq_u8(x, keys[0]);
        for key in &keys[1..10] {
            x = veorq_u8(mix(substitute(&keys::SBOX, vqtbl1q_u8(x, rows))), *key);
        }
        veorq_u8(substitute(&keys::SBOX, vqtbl1q_u8(x, rows)), keys[10])
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn decrypt(keys: &Keys, x: uint8x16_t) -> uint8x16_t {
        let rows = load(&INVERSE_ROWS);
        let mut x = veorq_u8(x, keys[0]);
        for key in &keys[1..10] {
            x = veorq_u8(inverse_mix(substitute(&keys::INVERSE_SBOX, vqtbl1q_u8(x, rows))), *key);
        }
        veorq_u8(substitute(&keys::INVERSE_SBOX, vqtbl1q_u8(x, rows)), keys[10])
    }

    /// SubBytes.
    #[inline]
    #[target_feature(enable = "neon")]
    fn substitute(table: &[u8; 256], x: uint8x16_t) -> uint8x16_t {
        let quarter = |i: usize| {
            let rows = &table.as_chunks().0[4 * i..];
            uint8x16x4_t(load(&rows[0]), load(&rows[1]), load(&rows[2]), load(&rows[3]))
        };
        let at = |i: u8| vsubq_u8(x, vdupq_n_u8(64 * i));
        let mut y = vqtbl4q_u8(quarter(0), x);
        y = vqtbx4q_u8(y, quarter(1), at(1));
        y = vqtbx4q_u8(y, quarter(2), at(2));
        vqtbx4q_u8(y, quarter(3), at(3))
    }

    /// MixColumns.
    #[inline]
    #[target_feature(enable = "neon")]
    fn mix(x: uint8x16_t) -> uint8x16_t {
        let next = vqtbl1q_u8(x, load(&NEXT));
        let both = veorq_u8(x, next);
        veorq_u8(veorq_u8(double(both), next), swap(both))
    }

    /// InvMixColumns, computed with MixColumns.
    #[inline]
    #[target_feature(enable = "neon")]
    fn inverse_mix(x: uint8x16_t) -> uint8x16_t {
        mix(veorq_u8(x, double(double(veorq_u8(x, swap(x))))))
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn double(x: uint8x16_t) -> uint8x16_t {
        let carry = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(x)));
        veorq_u8(vshlq_n_u8::<1>(x), vandq_u8(carry, vdupq_n_u8(0x1b)))
    }

    /// Halves of columns.
    #[inline]
    #[target_feature(enable = "neon")]
    fn swap(x: uint8x16_t) -> uint8x16_t {
        vreinterpretq_u8_u16(vrev32q_u16(vreinterpretq_u16_u8(x)))
    }

    const ROWS: [u8; 16] = [0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11];
    const INVERSE_ROWS: [u8; 16] = [0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3];
    const NEXT: [u8; 16] = [1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12];
}
