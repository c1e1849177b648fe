//! Known answers of AES-CCM.

use super::{
    Key, Tag,
    many::{Many, Message},
};
use crate::{aeads::known::aead, core::known::aes_keys};

aead! {
    keys aes_keys(); nonces [12, 7, 13];
    [(0, 16), (5, 33), (16, 1)], wide [(5, 64), (40, 0), (20, 145)], up to 145;
    many: [(13, 16, 1), (20, 0, 3)]
}

const ONE: u64 = 0x4ee0_e4e1_a487_bbc5;
const WIDE: u64 = 0x23c4_7b68_a1b3_3ce6;
const MANY: u64 = 0x317a_00c5_fec7_54b0;
