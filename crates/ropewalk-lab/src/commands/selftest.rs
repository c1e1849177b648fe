//! `ropewalk selftest`: a known answer through every backend.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use clap::ArgMatches;
use ropewalk::backend::Primitive;

use super::{Command, Exit, World};

/// `selftest`.
pub(super) struct Selftest;

impl Command for Selftest {
    fn words(&self) -> clap::Command {
        clap::Command::new("selftest").about(
            "Puts a known answer through every backend of ropewalk; exit status 4 if one fails",
        )
    }

    fn run(&self, _: &ArgMatches, _: &World) -> anyhow::Result<Exit> {
        let right = test(ropewalk::PRIMITIVES, &mut anstream::stdout().lock())?;
        Ok(if right { Exit::Fine } else { Exit::Wrong })
    }
}

/// Tests and prints every backend, and returns whether all that can run here are right.
fn test(primitives: &[Primitive], out: &mut impl Write) -> io::Result<bool> {
    let mut right = true;
    let width = primitives.iter().map(|primitive| primitive.name.len()).max().unwrap_or(0);
    let backends = primitives.iter().flat_map(|primitive| primitive.backends);
    let name_width = backends.map(|info| info.name.len()).max().unwrap_or(0);
    for primitive in primitives {
        for info in primitive.backends {
            let (style, word) = if !(info.available)() {
                (Style::new().dimmed(), "not here".to_owned())
            } else {
                match (primitive.self_test)(info.name) {
                    Ok(true) => (AnsiColor::Green.on_default(), "ok".to_owned()),
                    Ok(false) => (AnsiColor::Red.on_default().bold(), "FAILED".to_owned()),
                    Err(e) => (AnsiColor::Red.on_default().bold(), format!("FAILED: {e}")),
                }
            };
            right &= !word.starts_with("FAILED");
            let (primitive, name) = (primitive.name, info.name);
            writeln!(out, "{primitive:width$}  {name:name_width$}  {style}{word}{style:#}")?;
        }
    }
    Ok(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_is_a_line() {
        let mut out = Vec::new();
        assert!(test(ropewalk::PRIMITIVES, &mut out).unwrap());
        let lines = String::from_utf8(out).unwrap().lines().count();
        assert_eq!(lines, ropewalk::PRIMITIVES.iter().map(|p| p.backends.len()).sum::<usize>());
    }

    #[test]
    fn a_wrong_answer_is_told() {
        let mut wrong = ropewalk::sha256::PRIMITIVE;
        wrong.self_test = |_| Ok(false);
        let mut broken = ropewalk::sha256::PRIMITIVE;
        broken.self_test = |_| Err(ropewalk::Error::NoBackend);
        for primitive in [wrong, broken] {
            let mut out = Vec::new();
            assert!(!test(&[primitive], &mut out).unwrap());
            assert!(String::from_utf8(out).unwrap().contains("FAILED"));
        }
    }
}
