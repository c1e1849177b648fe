//! The speed of each option, in turns. An answer is compared with the library's before it is timed.

use std::hint::black_box;

use ropewalk::aes_ecb::Key;

use super::ciphers::{AesOption, Block, Encrypt};
use crate::{
    measure::{clock::Clock, protocol::Sample, sampler::Sampler, statistics::median},
    peers::Job,
};

/// The time of a text, by size.
pub struct Speed {
    /// Bytes of the text.
    pub bytes: usize,
    /// Nanoseconds: the median of all samples.
    pub ns: f64,
    /// The 95 % confidence interval of it, if there are enough samples.
    pub interval: Option<(f64, f64)>,
    /// Core cycles, if the core ran steadily.
    pub cycles: Option<f64>,
}

impl Speed {
    /// 10^6 bytes a second.
    pub fn mb_per_s(&self) -> f64 {
        self.bytes as f64 * 1e3 / self.ns
    }
}

/// The result of an option.
pub enum Outcome {
    /// This processor lacks an instruction.
    NotHere,
    /// Its answer is not that of the library.
    Wrong,
    /// One for each size.
    Measured(Vec<Speed>),
}

/// Turns of each size of each option.
const TURNS: usize = 5;

const KEY: Block = [7; 16];

/// Measures each option at each size, a number of bytes in whole blocks, for `seconds`.
pub fn measure(
    options: &[AesOption],
    sizes: &[usize],
    seconds: f64,
    clock: &Clock,
) -> Vec<Outcome> {
    let mut rows: Vec<_> = options.iter().map(|option| samplers(option, sizes)).collect();
    let mut samples: Vec<_> =
        options.iter().map(|_| sizes.iter().map(|_| Vec::new()).collect::<Vec<_>>()).collect();
    for _ in 0..TURNS {
        for (row, samples) in rows.iter_mut().zip(&mut samples) {
            let Ok(samplers) = row else { continue };
            for (sampler, samples) in samplers.iter_mut().zip(samples) {
                samples.extend(sampler.turn(clock, seconds / TURNS as f64).samples);
            }
        }
    }
    let speed = |(samples, bytes): (Vec<Sample>, &usize)| {
        let mut ns: Vec<f64> = samples.iter().map(|sample| sample.ns).collect();
        let steady = samples.iter().filter_map(|sample| Some(sample.ns * sample.ghz?));
        let cycles = median(&mut steady.collect::<Vec<_>>()).map(|median| median.value);
        let ns = median(&mut ns)?;
        Some(Speed { bytes: *bytes, ns: ns.value, interval: ns.interval, cycles })
    };
    let outcome = |(row, samples): (Result<_, Outcome>, Vec<_>)| match row {
        Err(outcome) => outcome,
        Ok(_) => Outcome::Measured(samples.into_iter().zip(sizes).filter_map(speed).collect()),
    };
    rows.into_iter().zip(samples).map(outcome).collect()
}

fn samplers(option: &AesOption, sizes: &[usize]) -> Result<Vec<Sampler>, Outcome> {
    let mut samplers = Vec::new();
    for bytes in sizes {
        let key = (option.key)(&KEY).ok_or(Outcome::NotHere)?;
        let mut job = Encrypting { key, blocks: vec![[3; 16]; bytes / 16] };
        if job.answer() != right(*bytes) {
            return Err(Outcome::Wrong);
        }
        samplers.push(Sampler::new(Box::new(job), 1));
    }
    Ok(samplers)
}

/// The answer of the library's portable code.
fn right(bytes: usize) -> Vec<u8> {
    let mut text = vec![3; bytes];
    let key = Key::with_backend(&KEY, "aes_ecb/portable").expect("it runs everywhere");
    key.encrypt(&mut text).expect("whole blocks");
    text
}

/// Encrypts a text again and again.
struct Encrypting {
    key: Box<dyn Encrypt>,
    blocks: Vec<Block>,
}

impl Job for Encrypting {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls {
            self.key.encrypt(black_box(&mut self.blocks));
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        let mut blocks = self.blocks.clone();
        self.key.encrypt(&mut blocks);
        blocks.into_flattened()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aes_options::ciphers::OPTIONS;

    #[test]
    fn every_option_that_runs_here_has_a_time_at_each_size() {
        let sizes = [16, 48];
        for (option, outcome) in
            OPTIONS.iter().zip(measure(OPTIONS, &sizes, 0.0, &Clock::calibrate(None)))
        {
            match outcome {
                Outcome::Measured(speeds) => {
                    assert!(speeds.iter().map(|speed| speed.bytes).eq(sizes), "{}", option.name);
                    assert!(speeds.iter().all(|speed| speed.ns > 0.0), "{}", option.name);
                }
                Outcome::NotHere => assert!((option.key)(&KEY).is_none(), "{}", option.name),
                Outcome::Wrong => panic!("{} has a wrong answer", option.name),
            }
        }
    }

    #[test]
    fn a_wrong_answer_is_not_timed() {
        struct Nothing;
        impl Encrypt for Nothing {
            fn encrypt(&self, _: &mut [Block]) {}
        }
        let wrong = AesOption { key: |_| Some(Box::new(Nothing)), ..OPTIONS[0] };
        let outcomes = measure(&[wrong], &[16], 0.0, &Clock::calibrate(None));
        assert!(matches!(outcomes[..], [Outcome::Wrong]));
    }
}
