//! A row of ropewalk's table of tuning, as this processor measures it.

use std::{
    hint::black_box,
    io::{self, Write},
};

use ropewalk::{chacha20, sha1, sha3, tuning};
use serde::Serialize;

use super::sample;
use crate::{
    limits::Rates,
    measure::{clock::Clock, statistics::median},
};

/// A field of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Field {
    name: &'static str,
    /// What the row in use has.
    recorded: u64,
    /// None where this processor does not tell.
    measured: Option<u64>,
    unit: &'static str,
    /// Why nothing was measured.
    why: Option<&'static str>,
}

/// What is measured of a field: a value, or why there is none.
type Answer = Result<u64, &'static str>;

/// A field, and how it is measured.
type Probe = (&'static str, fn(&Clock, &Rates) -> Answer);

/// In the order of the fields; what is not here is fitted to whole runs.
const PROBES: &[Probe] = &[
    ("aes_latency", aes_latency),
    ("aes_512_from", aes_512_from),
    ("halves_of_512", halves_of_512),
    ("halves_of_256", halves_of_256),
    ("keccak_by_256", keccak_by_256),
    ("keccak_by_sha3", keccak_by_sha3),
    ("serial_sha1_x3", serial_sha1_x3),
];

const FITTED: &str = "fitted to runs of `speed`, not measured here";
const NO_BACKEND: &str = "this processor lacks a backend to compare";
const NO_RATE: &str =
    "no rate: the processor lacks the instruction, or the machine is too restless";
const UNSETTLED: &str = "two measurements differ";
const NO_CYCLES: &str = "the clock is too unsteady for cycles";

/// Measures each field twice.
pub(super) fn measure(clock: &Clock) -> Vec<Field> {
    let rates = [(); 2].map(|()| rates());
    tuning::current()
        .fields()
        .into_iter()
        .map(|(name, recorded, unit)| {
            let answer = PROBES.iter().find(|(probe, _)| *probe == name).map_or(
                Err(FITTED),
                |(_, probe)| match [&rates[0], &rates[1]].map(|rates| probe(clock, rates)) {
                    [Ok(first), Ok(second)] if first != second => Err(UNSETTLED),
                    [first, second] => first.and(second),
                },
            );
            Field { name, recorded, measured: answer.ok(), unit, why: answer.err() }
        })
        .collect()
}

/// Instruction rates, for which a restless machine needs several attempts.
fn rates() -> Rates {
    let attempts = (0..5).map(|_| Rates::measure(None));
    attempts
        .fold(Rates::default(), |rates, next| if rates.each().is_empty() { next } else { rates })
}

/// The row as a line of the table in `core/tuning.rs`.
pub(super) fn say(fields: &[Field], out: &mut impl Write) -> io::Result<()> {
    let row = tuning::current();
    writeln!(out, "\nTuning, beside the row in use, {} ({}):", row.name(), row.cores())?;
    writeln!(out, "Tuning {{")?;
    writeln!(out, "    name: \"here\",")?;
    for Field { name, recorded, measured, unit, why } in fields {
        let value = value(measured.unwrap_or(*recorded), unit);
        let note = match (measured, why) {
            (Some(measured), _) if measured == recorded => String::new(),
            (Some(_), _) => format!(" // {} has {}", row.name(), self::value(*recorded, unit)),
            (None, why) => format!(" // {}", why.unwrap_or_default()),
        };
        writeln!(out, "    {name}: {value},{note}")?;
    }
    writeln!(out, "}}")
}

/// As Rust has it.
fn value(value: u64, unit: &str) -> String {
    match (unit, value) {
        ("yes or no", 0) => "false".into(),
        ("yes or no", _) => "true".into(),
        _ => value.to_string(),
    }
}

fn rate(rates: &Rates, name: &str) -> Result<f64, &'static str> {
    let rate = rates.each().into_iter().find(|rate| rate.name == name);
    rate.and_then(|rate| rate.cycles).ok_or(NO_RATE)
}

fn aes_latency(_: &Clock, rates: &Rates) -> Answer {
    let latency = rate(rates, "aesenc_latency").or_else(|_| rate(rates, "aese_aesmc_latency"))?;
    Ok(latency.round() as u64)
}

/// An instruction of 512 bits takes 1.5 times as long where three units are two of them, and twice where each takes two turns.
fn halves_of_512(_: &Clock, rates: &Rates) -> Answer {
    Ok(u64::from(rate(rates, "vpaddd_zmm")? / rate(rates, "vpaddd_ymm")? > 1.75))
}

/// ChaCha20 of 16 KiB is twice as fast on 256 bits where these are whole.
fn halves_of_256(clock: &Clock, _: &Rates) -> Answer {
    let mut text = vec![7; 16 << 10];
    let mut key = |name: &str| {
        let key = chacha20::Key::with_backend(&[7; 32], name).map_err(|_| NO_BACKEND)?;
        time(clock, || {
            black_box(key.apply_keystream(0, &[7; 12], black_box(&mut text)).is_ok());
        })
    };
    let (on_128, on_256) = (key("chacha20/x86_64/ssse3")?, key("chacha20/x86_64/avx2")?);
    Ok(u64::from(on_128 / on_256 < 1.35))
}

fn keccak_by_256(clock: &Clock, _: &Rates) -> Answer {
    first_is_faster(clock, ["sha3/x86_64/avx512vl", "sha3/x86_64/avx512"])
}

fn keccak_by_sha3(clock: &Clock, _: &Rates) -> Answer {
    first_is_faster(clock, ["sha3/aarch64/sha3", "sha3/portable"])
}

fn first_is_faster(clock: &Clock, names: [&str; 2]) -> Answer {
    let message = [7; 1360];
    let [first, second] = names.map(|name| {
        let hash = sha3::Sha3_256::with_backend(name).map_err(|_| NO_BACKEND)?;
        time(clock, || {
            black_box(hash.digest(black_box(&message)));
        })
    });
    let (first, second) = (first?, second?);
    match (first / second - 1.0).abs() < 0.02 {
        true => Err("both backends are within 2 %"),
        false => Ok(u64::from(first < second)),
    }
}

/// Three messages of 64 blocks, serially and in four lanes.
fn serial_sha1_x3(clock: &Clock, _: &Rates) -> Answer {
    let message = [7; 64 * 64];
    let messages = [message.as_slice(); 3];
    let lanes = sha1::Sha1Many::with_backend("sha1/x86_64/shani_x4").map_err(|_| NO_BACKEND)?;
    let serial = sha1::Sha1::with_backend("sha1/x86_64/shani").map_err(|_| NO_BACKEND)?;
    let mut digests = [serial.digest(&[]); 3];
    let one_by_one = time(clock, || {
        for digest in &mut digests {
            *digest = serial.digest(black_box(&message));
        }
        black_box(&digests);
    })?;
    let mut digests = [serial.digest(&[]); 3];
    let in_lanes = time(clock, || {
        black_box(lanes.digest(black_box(&messages), &mut digests).is_ok());
    })?;
    Ok(u64::from(one_by_one <= in_lanes))
}

/// Where 512 bits do more blocks a cycle, they are faster from the first byte on.
fn aes_512_from(_: &Clock, rates: &Rates) -> Answer {
    match 2.0 * rate(rates, "vaesenc_ymm")? / rate(rates, "vaesenc_zmm")? > 1.5 {
        true => Ok(0),
        false => Err("as many blocks a cycle on 256 bits; fitted to runs of `speed`"),
    }
}

/// The median time of a call, in a unit of its own.
fn time(clock: &Clock, mut call: impl FnMut()) -> Result<f64, &'static str> {
    const SAMPLES: usize = 15;
    let mut samples: Vec<f64> = (0..SAMPLES).filter_map(|_| sample(clock, &mut call)).collect();
    median(&mut samples).map(|it| it.value).ok_or(NO_CYCLES)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every field is measured or says why it is not; figures depend on the machine.
    #[test]
    fn a_row_is_whole() {
        let fields = measure(&Clock::calibrate(None));
        let names: Vec<_> = fields.iter().map(|field| field.name).collect();
        assert_eq!(names, tuning::current().fields().map(|(name, ..)| name));
        for Field { name, measured, why, .. } in &fields {
            assert_ne!(measured.is_some(), why.is_some(), "{name}");
        }
        for (probe, _) in PROBES {
            assert!(names.contains(probe), "{probe} is no field");
        }
    }

    /// A row that can be pasted, with what was not measured as the row in use has it.
    #[test]
    fn a_row_is_printed_as_the_table_has_it() {
        let field =
            |name, recorded, measured, unit, why| Field { name, recorded, measured, unit, why };
        let fields = [
            field("aes_latency", 3, Some(4), "cycles", None),
            field("halves_of_512", 0, Some(0), "yes or no", None),
            field("hash_idle", 100, None, "cycles", Some(FITTED)),
            field("aes_512_from", 2048, Some(0), "bytes", None),
        ];
        let mut out = Vec::new();
        say(&fields, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        for line in [
            "    aes_latency: 4, // ",
            "    halves_of_512: false,\n",
            "    hash_idle: 100, // fitted to runs",
            "    aes_512_from: 0, // ",
        ] {
            assert!(out.contains(line), "{line}: {out}");
        }
    }
}
