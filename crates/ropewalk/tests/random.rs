//! Random bytes of the operating system's generator and ours.

use std::{collections::HashSet, thread};

use ropewalk::random;

/// Every length is filled, by whatever way it goes, and to its last byte.
#[test]
fn every_length_is_filled() {
    for len in (0..1100).chain([2048, 5000, 65_535, 65_536, 65_537, 131_073, 3 << 20]) {
        // A byte that stays zero eight times does so once in 2^64 cases.
        let mut seen = vec![0; len];
        for _ in 0..8 {
            let mut out = vec![0; len];
            random::fill(&mut out).unwrap();
            seen.iter_mut().zip(out).for_each(|(seen, byte)| *seen |= byte);
        }
        assert!(seen.iter().all(|byte| *byte != 0), "{len}");
    }
}

#[test]
fn no_block_comes_twice() {
    let mut seen = HashSet::new();
    for len in (0..2000).chain([70_000, 2 << 20]) {
        let mut out = vec![0; len];
        random::fill(&mut out).unwrap();
        for block in out.as_chunks::<16>().0 {
            assert!(seen.insert(*block), "{len}");
        }
    }
    // Nor in another thread.
    let threads = [(); 8].map(|()| thread::spawn(|| random::array::<4096>().unwrap()));
    for thread in threads {
        for block in thread.join().unwrap().as_chunks::<16>().0 {
            assert!(seen.insert(*block));
        }
    }
}

/// Roughly: it is no test of AES.
#[test]
fn bits_are_even() {
    let mut out = vec![0; 1 << 20];
    random::fill(&mut out).unwrap();
    let (bits, ones) = (8 << 20, out.iter().map(|byte| byte.count_ones()).sum::<u32>());
    // Eight standard deviations, each half the square root of the number of bits.
    assert!(ones.abs_diff(bits / 2) < 8 * 1448, "{ones} of {bits}");
}

/// Something that a thread keeps may ask for random bytes while the thread ends, after its generator has.
#[test]
fn thread_that_ends_has_random_bytes() {
    struct Late;
    impl Drop for Late {
        fn drop(&mut self) {
            assert_ne!(random::array::<32>().unwrap(), [0; 32]);
        }
    }
    thread_local!(static LATE: Late = const { Late });
    // Whichever comes first is dropped last, or first, as the system likes: both are tried.
    for early in [true, false] {
        let thread = thread::spawn(move || {
            if early {
                LATE.with(|_| ());
            }
            random::array::<32>().unwrap();
            LATE.with(|_| ());
        });
        thread.join().unwrap();
    }
}
