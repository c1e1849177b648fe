//! What is left on the stack once a key was made, and dropped without use: nothing. One test in a program of its own, since a mask cannot be taken back.

mod common;

use std::hint::black_box;

use common::stack::{KEY, ROUND_KEYS, beneath, count_left};
use ropewalk::{aes_cbc, aes_ccm, aes_cmac, aes_ctr, aes_ecb, aes_gcm, aes_kw, cpu};

/// Makes a key, which Rust may copy in the frame in which it lies, and drops it.
macro_rules! leaves_none {
    ($secrets:expr, $name:expr, $key:expr) => {
        let left = count_left($name, $secrets, || {
            black_box(&$key);
            beneath()
        });
        assert_eq!(left, 0, "{}", $name);
    };
}

/// With the backend that is chosen, and with each by its name.
macro_rules! every_backend {
    ($($module:ident)+) => {
        let mut secrets = ROUND_KEYS.map(|key| key.to_be_bytes().to_vec()).to_vec();
        secrets.push(KEY.to_vec());
        // The key of GHASH, and the first subkey of CMAC before it is doubled.
        let mut zero = [0; 16];
        aes_ecb::Key::new(&KEY).unwrap().encrypt(&mut zero).unwrap();
        secrets.push(zero.to_vec());
        secrets.push(zero.iter().rev().copied().collect());
        $(
            leaves_none!(&secrets, stringify!($module), $module::Key::new(&KEY).unwrap());
            for backend in common::backends(&$module::PRIMITIVE) {
                leaves_none!(&secrets, backend, $module::Key::with_backend(&KEY, backend).unwrap());
            }
        )+
    };
}

#[test]
fn keys_that_are_made() {
    for mask in ["", "-aes", "-all"] {
        cpu::disable(mask).unwrap();
        every_backend! { aes_cbc aes_ccm aes_cmac aes_ctr aes_ecb aes_gcm aes_kw }
    }
}
