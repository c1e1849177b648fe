//! Calls with cold caches, in a program where no other thread maps or unmaps memory meanwhile.

use ropewalk_lab::{
    measure::{clock::Clock, sampler::Sampler, way::Way},
    peers::Job,
};

struct Reads(Vec<u8>);

impl Job for Reads {
    fn run(&mut self, _: usize) {
        assert!(self.0.iter().all(|byte| *byte == 7));
    }

    fn answer(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

/// The memory of the process is read again, and is unchanged.
#[test]
fn a_turn_has_one_call_a_sample_and_changes_nothing() {
    let mut sampler = Sampler::new(Box::new(Reads(vec![7; 1 << 20])), 4);
    let clock = Clock::calibrate(None);
    let turn = match Way::Cold.turn(&mut sampler, &clock, 0.0) {
        Ok(turn) => turn,
        // Not available on other architectures.
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        Err(_) => return,
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        Err(ropewalk_lab::peers::Unavailable(why)) => panic!("{why}"),
    };
    assert_eq!((turn.samples.len(), turn.messages), (1, 4.0));
    assert!(turn.samples[0].ns > 0.0 && turn.samples[0].ghz.is_none());
    assert!(turn.took.is_some_and(|took| took > 0.0));
}
