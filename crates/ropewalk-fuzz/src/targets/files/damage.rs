//! What becomes of bytes on a bad disk, or at the hands of someone with bad intent.

use crate::Case;

/// More than any file that is kept has.
const LONGEST: usize = 1 << 17;

/// Numbers at which readers go wrong.
const EDGES: &[u64] = &[
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    u64::MAX,
    1 << 63,
];

/// Damages it some times, or not at all.
pub(super) fn of(case: &mut Case<'_>, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..case.below(8) {
        if !case.goes_on() {
            break;
        }
        once(case, &mut bytes);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn once(case: &mut Case<'_>, bytes: &mut Vec<u8>) {
    let at = case.below(bytes.len() + 1);
    let len = case.len(300).min(bytes.len() - at);
    match case.below(8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..at + len)),
        2 => {
            let piece = bytes[at..at + len].to_vec();
            let to = case.below(bytes.len() + 1);
            bytes.splice(to..to, piece);
        }
        3 => {
            let piece = case.text(len).to_vec();
            bytes.splice(at..at, piece);
        }
        4 => {
            let size = case.pick(&[1, 2, 4, 8]);
            let at = at / size * size;
            let number = case.pick(EDGES).wrapping_sub(case.below(3) as u64);
            let number = if case.below(4) == 0 { number.swap_bytes() } else { number };
            overwrite(bytes, at, &number.to_le_bytes()[..size]);
        }
        5 => {
            let byte = case.below(256) as u8;
            overwrite(bytes, at, &[byte]);
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << case.below(8);
            }
        }
    }
}

fn overwrite(bytes: &mut [u8], at: usize, by: &[u8]) {
    bytes[at..].iter_mut().zip(by).for_each(|(byte, by)| *byte = *by);
}
