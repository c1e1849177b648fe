//! What several test programs need.
#![allow(dead_code, unreachable_pub, reason = "each test program uses a part of it")]

use ropewalk::backend::Primitive;

pub mod edges;
#[macro_use]
pub mod functions;
#[cfg(unix)]
pub mod guarded;
pub mod masked;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub mod repeated;
pub mod stack;

/// The names of the backends that can run here.
pub fn backends(primitive: &Primitive) -> impl Iterator<Item = &'static str> + use<> {
    primitive.backends.iter().filter(|info| (info.available)()).map(|info| info.name)
}

/// Whether fewer cases are to be tried, as an emulator would take too long for all.
pub fn sampled() -> bool {
    std::env::var_os("ROPEWALK_SAMPLE").is_some()
}

/// Whether slow nets leave nothing out.
pub fn all() -> bool {
    std::env::var_os("ROPEWALK_ALL").is_some()
}

/// Every `n`-th where few cases are to be tried, else every one.
pub fn thin<T>(cases: impl Iterator<Item = T>, n: usize) -> impl Iterator<Item = T> {
    cases.step_by(if sampled() { n } else { 1 })
}

/// Numbers that look random and are the same each time (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }
}

/// n, e, p and q of RSA keys with 2048, 3072 and 4096 bits.
pub fn rsa_keys() -> Vec<[Vec<u8>; 4]> {
    let vectors = include_str!("../../../../vectors/rsa.txt");
    let keys = vectors.lines().filter_map(|line| line.strip_prefix("key "));
    keys.map(|line| {
        let field = |name: &str| line.split(' ').find_map(|field| field.strip_prefix(name));
        ["n=", "e=", "p=", "q="].map(|name| hex(field(name).unwrap()))
    })
    .collect()
}

/// Bytes from hexadecimal digits; spaces and line ends are nothing.
pub fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (16 * pair[0] + pair[1]) as u8).collect()
}
