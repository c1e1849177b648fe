//! What the nets do with public keys.

pub(crate) mod ed25519;
pub(crate) mod p256;
pub(crate) mod rsa;
pub(crate) mod x25519;

/// Numbers around 0, p and 2^255, powers of two, and bytes that lean to edges: little-endian.
pub(crate) fn edge_numbers() -> Vec<[u8; 32]> {
    let number = |first: u8, fill: u8, last: u8| {
        let mut bytes = [fill; 32];
        (bytes[0], bytes[31]) = (first, last);
        bytes
    };
    let mut numbers: Vec<_> = (0..4).map(|first| number(first, 0, 0)).collect();
    numbers.extend((0xea..=0xff).step_by(3).map(|first| number(first, 0xff, 0x7f)));
    numbers.extend([0xec, 0xed, 0xee].map(|first| number(first, 0xff, 0x7f)));
    numbers.extend([0xec, 0xed, 0xff].map(|first| number(first, 0xff, 0xff)));
    for bit in (0..256).step_by(17).chain([51, 102, 153, 204, 255]) {
        let mut bytes = [0; 32];
        bytes[bit / 8] = 1 << (bit % 8);
        numbers.push(bytes);
        // All bits below.
        bytes[..bit / 8].fill(0xff);
        bytes[bit / 8] -= 1;
        numbers.push(bytes);
    }
    numbers
}
