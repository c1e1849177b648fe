//! Tests of internals: a source that fails, seeds that are used up, and traces in memory.

use core::cell::Cell;

use super::{
    LONGEST_REQUEST, Source,
    ctr_drbg::{CtrDrbg, RESEED_INTERVAL, SEED_LEN},
    generator::{AHEAD, BYTES, FEW, Generator, REQUESTS},
};
use crate::core::Error;

thread_local! {
    static ASKED: Cell<u32> = const { Cell::new(0) };
    static FAILS: Cell<bool> = const { Cell::new(false) };
}

/// Different bytes each time.
const SOURCE: Source = |out| {
    if FAILS.get() {
        return Err(Error::NoRandomness);
    }
    ASKED.set(ASKED.get() + 1);
    out.fill(ASKED.get() as u8);
    Ok(())
};

/// How often the source is read meanwhile.
fn asked(work: impl FnOnce()) -> u32 {
    let before = ASKED.get();
    work();
    ASKED.get() - before
}

fn seeded() -> Generator {
    let mut generator = Generator::new(SOURCE);
    generator.fill(&mut [0]).unwrap();
    generator
}

const CANARY: u8 = 0xee;

/// Every length fails, and leaves the buffer unchanged; once the source is back, all is well.
fn fails(generator: &mut Generator) {
    FAILS.set(true);
    for len in [1, 16, FEW, FEW + 1, AHEAD, 100_000] {
        let mut out = vec![CANARY; len];
        assert_eq!(generator.fill(&mut out), Err(Error::NoRandomness), "{len}");
        assert!(out.iter().all(|byte| *byte == CANARY), "{len}");
    }
    FAILS.set(false);
    let mut out = [CANARY; 32];
    assert!(asked(|| generator.fill(&mut out).unwrap()) > 0);
    assert!(out != [CANARY; 32] && out != [0; 32]);
}

#[test]
fn source_that_fails_gives_an_error_and_no_bytes() {
    fails(&mut Generator::new(SOURCE));
    // When the seed is used up, and the bytes generated ahead too.
    let mut generator = seeded();
    generator.fill(&mut vec![0; BYTES as usize]).unwrap();
    generator.fill(&mut vec![0; AHEAD - 1]).unwrap();
    fails(&mut generator);
    // In a child, with bytes generated ahead.
    let mut generator = seeded();
    assert!(generator.state().left > FEW);
    generator.state().process = generator.state().process.forked();
    fails(&mut generator);
}

#[test]
fn source_is_asked_when_a_seed_has_served() {
    let mut generator = Generator::new(SOURCE);
    // Once to instantiate, and once more in the final place.
    assert_eq!(asked(|| generator.fill(&mut [0; 16]).unwrap()), 2);
    // Bytes generated ahead are one request.
    for _ in 1..REQUESTS {
        generator.state().left = 0;
        assert_eq!(asked(|| generator.fill(&mut [0; FEW + 1]).unwrap()), 0);
    }
    assert_eq!(asked(|| generator.fill(&mut [0; FEW + 1]).unwrap()), 1);

    let mut generator = seeded();
    let pieces = (BYTES as usize - AHEAD).div_ceil(50_000);
    for _ in 0..pieces {
        assert_eq!(asked(|| generator.fill(&mut [0; 50_000]).unwrap()), 0);
    }
    assert_eq!(asked(|| generator.fill(&mut [0; 50_000]).unwrap()), 1);
    // Short requests count as the bytes generated ahead.
    let mut generator = seeded();
    let each = FEW / 4;
    let fills = BYTES as usize / each;
    assert_eq!(asked(|| (1..fills).for_each(|_| generator.fill(&mut vec![0; each]).unwrap())), 0);
    assert_eq!(asked(|| (0..2).for_each(|_| generator.fill(&mut vec![0; each]).unwrap())), 1);
    // A request is never split, however long.
    assert_eq!(asked(|| seeded().fill(&mut vec![0; 3 * BYTES as usize]).unwrap()), 2);
}

#[test]
fn child_takes_another_seed_and_drops_what_was_made_ahead() {
    for len in [1, 16, FEW, FEW + 1, 5000] {
        let mut generator = seeded();
        let ahead = *generator.state().ahead;
        generator.state().process = generator.state().process.forked();
        let mut out = vec![0; len];
        assert_eq!(asked(|| generator.fill(&mut out).unwrap()), 1, "{len}");
        assert!(len < 16 || !ahead.windows(16).any(|bytes| bytes == &out[..16]), "{len}");
        let state = generator.state();
        let (forgotten, _) = state.ahead.split_at(AHEAD - state.left);
        assert!(forgotten.iter().all(|byte| *byte == 0), "{len}");
        assert_eq!(asked(|| generator.fill(&mut out).unwrap()), 0, "{len}");
    }
}

#[test]
fn what_was_given_is_forgotten() {
    let mut generator = seeded();
    for len in [0, 1, 15, 16, 33, 200, FEW, FEW] {
        let mut out = vec![0; len];
        generator.fill(&mut out).unwrap();
        let state = generator.state();
        let (given, left) = state.ahead.split_at(AHEAD - state.left);
        assert!(given.iter().all(|byte| *byte == 0), "{len}");
        assert!(len < 16 || !left.windows(16).any(|bytes| bytes == &out[..16]), "{len}");
    }
}

/// The bytes are those of the generator of the standard, with the same requests.
#[test]
fn bytes_are_those_of_the_standard() {
    let (mut generator, mut out) = (seeded(), [0; AHEAD]);
    *generator.state().drbg() = CtrDrbg::new(&[1; SEED_LEN], b"").unwrap();
    generator.state().left = 0;
    let mut want = CtrDrbg::new(&[1; SEED_LEN], b"").unwrap();
    let mut expected = [0; AHEAD];
    want.generate(b"", &mut expected).unwrap();
    for (out, expected) in out.chunks_mut(100).zip(expected.chunks(100)) {
        generator.fill(out).unwrap();
        assert_eq!(out, expected);
    }
    let mut long = vec![0; LONGEST_REQUEST + 1000];
    let mut expected = long.clone();
    generator.fill(&mut long).unwrap();
    let (head, rest) = expected.split_at_mut(LONGEST_REQUEST);
    want.generate(b"", head).unwrap();
    want.generate(b"", rest).unwrap();
    assert!(long == expected);
}

#[test]
fn requests_end_where_the_standard_ends_them() {
    let mut drbg = CtrDrbg::new(&[1; SEED_LEN], b"").unwrap();
    drbg.set_reseed_counter(RESEED_INTERVAL);
    let mut out = [CANARY; 16];
    drbg.generate(b"", &mut out).unwrap();
    out.fill(CANARY);
    for additional in [b"".as_slice(), b"more"] {
        assert_eq!(drbg.generate(additional, &mut out), Err(Error::Exhausted));
        assert_eq!(out, [CANARY; 16]);
    }
    drbg.reseed(&[2; SEED_LEN], b"").unwrap();
    drbg.generate(b"", &mut out).unwrap();
    assert_ne!(out, [CANARY; 16]);
}
