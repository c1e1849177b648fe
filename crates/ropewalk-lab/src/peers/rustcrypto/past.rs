//! Obsolete ciphers, which ropewalk does not have: these results are the reference for others.

use cipher::{
    BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, KeyInit, StreamCipher, array::Array,
};
use des::TdesEde3;

use super::OWN_SIZE;
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::{Cell, Direction, TRIPLE_DES_KEY},
};

/// Triple DES in CBC mode.
pub(super) fn triple_des(cell: &Cell, direction: Direction) -> Result<Box<dyn Job>, Unavailable> {
    let (len, with) = (TRIPLE_DES_KEY, TdesEde3::new_from_slice);
    match direction {
        Direction::Encrypt => {
            jobs::cbc(cell, len, move |key| Ok(Encrypt::new(with(key).expect(OWN_SIZE))))
        }
        Direction::Decrypt => {
            jobs::cbc(cell, len, move |key| Ok(Decrypt::new(with(key).expect(OWN_SIZE))))
        }
    }
}

/// A key, and the block that the next chunk is chained to.
struct Encrypt(TdesEde3, [u8; 16]);

impl Encrypt {
    fn new(key: TdesEde3) -> Self {
        Self(key, [0; 16])
    }
}

impl jobs::Cbc for Encrypt {
    const STREAMS: bool = true;

    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (blocks, _) = Array::slice_as_chunks_mut(text);
        cbc::Encryptor::inner_iv_init(&self.0, half(iv).into()).encrypt_blocks(blocks);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.1 = *iv;
    }

    fn update(&mut self, text: &mut [u8]) {
        let iv = self.1;
        self.message(&iv, text);
        chain(&mut self.1, text.last_chunk());
    }
}

/// The inverse.
struct Decrypt(TdesEde3, [u8; 16]);

impl Decrypt {
    fn new(key: TdesEde3) -> Self {
        Self(key, [0; 16])
    }
}

impl jobs::Cbc for Decrypt {
    const STREAMS: bool = true;

    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (blocks, _) = Array::slice_as_chunks_mut(text);
        cbc::Decryptor::inner_iv_init(&self.0, half(iv).into()).decrypt_blocks(blocks);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.1 = *iv;
    }

    fn update(&mut self, text: &mut [u8]) {
        let (iv, sealed) = (self.1, text.last_chunk().copied());
        self.message(&iv, text);
        chain(&mut self.1, sealed.as_ref());
    }
}

/// The last block of a chunk, if it has any, is what the next one is chained to.
fn chain(iv: &mut [u8; 16], last: Option<&[u8; 8]>) {
    if let Some(last) = last {
        iv[..8].copy_from_slice(last);
    }
}

fn half(iv: &[u8; 16]) -> &[u8; 8] {
    iv.first_chunk().expect("eight of sixteen")
}

/// RC4 with its key, and the position in a message.
pub(super) struct Rc4 {
    key: Vec<u8>,
    running: rc4::Rc4,
}

impl Rc4 {
    pub(super) fn new(key: &[u8]) -> Self {
        Self { running: fresh(key), key: key.to_vec() }
    }
}

impl jobs::Ctr for Rc4 {
    fn start(&mut self, _: &[u8; 16]) {
        self.running = fresh(&self.key);
    }

    fn update(&mut self, text: &mut [u8]) {
        self.running.apply_keystream(text);
    }
}

fn fresh(key: &[u8]) -> rc4::Rc4 {
    rc4::Rc4::new_from_slice(key).expect("of any length up to 256 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::jobs::{Cbc, Ctr};

    /// The example of NIST SP 800-67, appendix B.1, as single blocks with a vector of zeros.
    #[test]
    fn triple_des_is_that_of_its_standard() {
        const KEY: [u8; 24] = [
            0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd,
            0xef, 0x01, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23,
        ];
        for (text, sealed) in [
            (*b"The qufc", 0xa826_fd8c_e53b_855f_u64),
            (*b"k brown ", 0xcce2_1c81_1225_6fe6),
            (*b"fox jump", 0x68d5_c05d_d9b6_b900),
        ] {
            let mut block = text;
            Encrypt::new(TdesEde3::new(&KEY.into())).message(&[0; 16], &mut block);
            assert_eq!(u64::from_be_bytes(block), sealed);
            Decrypt::new(TdesEde3::new(&KEY.into())).message(&[0; 16], &mut block);
            assert_eq!(block, text);
        }
    }

    /// Vectors chain, and are the first half of AES vectors.
    #[test]
    fn triple_des_chains() {
        let mut cipher = Encrypt::new(TdesEde3::new(&[7; 24].into()));
        let (mut both, mut first, mut second) = ([3; 16], [3; 8], [3; 8]);
        let mut iv = [0; 16];
        iv[..8].fill(9);
        cipher.message(&iv, &mut both);
        cipher.message(&iv, &mut first);
        let mut next = [0xff; 16];
        next[..8].copy_from_slice(&first);
        cipher.message(&next, &mut second);
        assert_eq!(both, [first, second].concat()[..]);
    }

    /// RFC 6229, the key of 128 bits that counts, at 0 and at 4096.
    #[test]
    fn rc4_is_that_of_its_vectors() {
        let mut cipher = Rc4::new(&std::array::from_fn::<u8, 16, _>(|i| i as u8 + 1));
        for _ in 0..2 {
            let mut stream = [0; 4112];
            cipher.message(&[0; 16], &mut stream);
            assert_eq!(
                u128::from_be_bytes(*stream.first_chunk().unwrap()),
                0x9ac7_cc9a_609d_1ef7_b293_2899_cde4_1b97
            );
            assert_eq!(
                u128::from_be_bytes(*stream.last_chunk().unwrap()),
                0xa36a_4c30_1ae8_ac13_610c_cbc1_2256_cacc
            );
        }
    }
}
