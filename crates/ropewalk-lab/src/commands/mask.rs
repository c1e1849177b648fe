//! `ropewalk mask`: the variable to set before a command so that a library does not use an instruction, and
//! the effect of such a variable.

use std::{env, io::Write};

use anstyle::{AnsiColor, Style};
use clap::{ArgMatches, Args as _, FromArgMatches as _};
use serde::Serialize;

use super::{Command, Exit, Usage, World};
use crate::{
    peers::{
        Unavailable,
        masks::{self, Explained, Mask, Processor, Reader},
    },
    report::named::below,
    stdio::write_json,
};

/// What can be asked for.
#[derive(Debug, Default, clap::Args)]
struct Args {
    /// The features to disable, with those that depend on them: `-aes,-sha`, or `all`
    #[arg(
        value_name = "FEATURES",
        allow_hyphen_values = true,
        required_unless_present = "explain",
        conflicts_with = "explain"
    )]
    features: Option<String>,

    /// The library that reads the value: `openssl-3.0` or another version, `aws-lc`, `boringssl`,
    /// `libgcrypt`, `nettle`, `gnutls`, `botan`, `ropewalk`, or `all`
    #[arg(long = "for", value_name = "LIBRARY", value_delimiter = ',', default_value = "all")]
    readers: Vec<String>,

    /// The architecture of the processor: `x86_64` or `aarch64` [default: this machine's]
    #[arg(long, value_name = "ARCHITECTURE")]
    arch: Option<String>,

    /// What that processor has: `aes,sha2`. On Arm, OpenSSL, nettle and GnuTLS must be told
    #[arg(long, value_name = "FEATURES", value_delimiter = ',')]
    has: Option<Vec<String>>,

    /// Explains a value, such as `'~0x200000200000000'`, or one with its variable and `=` in front of it
    /// [default: the variables of the environment]
    #[arg(long, value_name = "VALUE", num_args = 0..=1)]
    explain: Option<Option<String>>,

    /// Writes a list of JSON objects, for programs
    #[arg(long)]
    json: bool,
}

/// `mask`.
pub(super) struct MaskCommand;

impl Command for MaskCommand {
    fn words(&self) -> clap::Command {
        Args::augment_args(clap::Command::new("mask")).about(
            "Prints what to write before a command for a library to do without instructions, \
                 right for its version; or explains what such a value does",
        )
    }

    fn run(&self, given: &ArgMatches, _: &World) -> anyhow::Result<Exit> {
        let args = Args::from_arg_matches(given)?;
        let (mut out, mut notes) = (anstream::stdout().lock(), anstream::stderr().lock());
        run(&args, &|name| env::var(name).ok(), &mut out, &mut notes)?;
        out.flush()?;
        Ok(Exit::Fine)
    }
}

fn run(
    args: &Args,
    environment: &dyn Fn(&str) -> Option<String>,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> anyhow::Result<()> {
    let arch = args.arch.as_deref().unwrap_or(env::consts::ARCH);
    let processor = Processor::new(arch, args.has.as_deref()).map_err(Usage)?;
    let all = args.readers.iter().any(|name| name == "all");
    let readers: Vec<Reader> = match all {
        true => Reader::ALL.to_vec(),
        false => args
            .readers
            .iter()
            .map(|name| Reader::of(name))
            .collect::<Result<_, _>>()
            .map_err(Usage)?,
    };
    match (&args.features, &args.explain) {
        (_, Some(value)) => {
            // Versions are listed separately only if they differ, unless one was requested.
            let readers = if all { &[][..] } else { &readers };
            let values = match value {
                Some(text) => {
                    let given = masks::parse(text, &processor);
                    let (variable, value) = given.map_err(|Unavailable(why)| Usage(why))?;
                    vec![(variable, value.to_owned())]
                }
                None => set_here(environment)?,
            };
            explain(values, readers, &processor, args.json, out)
        }
        (features, None) => {
            let features = features.as_deref().unwrap_or_default();
            let features = masks::features(arch, features).map_err(Usage)?;
            if features.is_empty() {
                return Err(Usage("no feature to hide is named: -aes, or all".into()).into());
            }
            mask(&readers, &processor, &features, args.json, out, notes)
        }
    }
}

/// The masks in the environment.
fn set_here(
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<(&'static str, String)>, Usage> {
    let set = masks::VARIABLES.into_iter().filter_map(|name| Some((name, environment(name)?)));
    let set: Vec<_> = set.collect();
    if set.is_empty() {
        let names = masks::VARIABLES.join(", ");
        return Err(Usage(format!("none of {names} is set here: say which value to explain")));
    }
    Ok(set)
}

/// A mask, or why there is none.
#[derive(Serialize)]
struct Told {
    r#for: String,
    variable: Option<&'static str>,
    value: Option<String>,
    note: Option<String>,
    error: Option<String>,
}

/// Writes the mask of each reader: if it is one, on a separate line, so that it can be pasted before a
/// command.
fn mask(
    readers: &[Reader],
    processor: &Processor,
    features: &[&'static str],
    json: bool,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> anyhow::Result<()> {
    let masks: Vec<_> =
        readers.iter().map(|reader| (reader.name(), reader.mask(processor, features))).collect();
    if let [(name, Err(Unavailable(why)))] = masks.as_slice() {
        return Err(Usage(format!("{name} {why}")).into());
    }
    if json {
        let told: Vec<Told> = masks.into_iter().map(told).collect();
        return Ok(write_json(&told, out)?);
    }
    let width = masks.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, mask) in &masks {
        if masks.len() > 1 {
            write!(out, "{NAME}{name:width$}{NAME:#}  ")?;
        }
        match mask {
            Ok(Mask { variable: Some(variable), value, .. }) => {
                writeln!(out, "{variable}={value}")?
            }
            Ok(Mask { variable: None, value, .. }) => writeln!(out, "{value}")?,
            Err(Unavailable(why)) => writeln!(out, "{QUIET}{why}{QUIET:#}")?,
        }
    }
    out.flush()?;
    for (_, mask) in masks {
        if let Ok(Mask { note: Some(note), .. }) = mask {
            writeln!(notes, "{note}")?;
        }
    }
    Ok(())
}

fn told((name, mask): (String, Result<Mask, Unavailable>)) -> Told {
    let (mask, error) = match mask {
        Ok(mask) => (Some(mask), None),
        Err(Unavailable(why)) => (None, Some(why)),
    };
    let variable = mask.as_ref().and_then(|mask| mask.variable);
    let (value, note) = mask.map_or((None, None), |mask| (Some(mask.value), mask.note));
    Told { r#for: name, variable, value, note, error }
}

/// The effect of a variable.
#[derive(Serialize)]
struct Variable {
    variable: &'static str,
    value: String,
    does: Vec<Explained>,
}

/// Writes the effect of each value.
fn explain(
    values: Vec<(&'static str, String)>,
    readers: &[Reader],
    processor: &Processor,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut told = Vec::new();
    for (variable, value) in values {
        let does = masks::explain(variable, &value, readers, processor)
            .map_err(|Unavailable(why)| Usage(why))?;
        told.push(Variable { variable, value, does });
    }
    if json {
        return Ok(write_json(&told, out)?);
    }
    for Variable { variable, value, does } in &told {
        writeln!(out, "{HEAD}{variable}={value}{HEAD:#}")?;
        for explained in does {
            writeln!(out, "{NAME}{}{NAME:#}", explained.readers.join(", "))?;
            for (what, text) in explained.lines() {
                let style = if what == "warning" { WARNING } else { Style::new() };
                below(out, style, what, MARGIN, &text)?;
            }
        }
    }
    Ok(())
}

const HEAD: Style = Style::new().bold();
const NAME: Style = AnsiColor::Cyan.on_default();
const WARNING: Style = AnsiColor::Yellow.on_default();
const QUIET: Style = Style::new().dimmed();

/// Columns before the text.
const MARGIN: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    /// Its output and its notes, or its error.
    fn told(line: &[&str]) -> Result<(String, String), String> {
        told_in(line, &|_| None)
    }

    fn told_in(
        line: &[&str],
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(String, String), String> {
        let words = MaskCommand.words().no_binary_name(true);
        let given = words.try_get_matches_from(line).map_err(|error| error.to_string())?;
        let args = Args::from_arg_matches(&given).unwrap();
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        run(&args, environment, &mut out, &mut notes).map_err(|error| error.to_string())?;
        let text = |bytes: Vec<u8>| {
            anstream::adapter::strip_str(std::str::from_utf8(&bytes).unwrap()).to_string()
        };
        Ok((text(out), text(notes)))
    }

    #[test]
    fn one_line_to_paste() {
        let x86 = ["--arch", "x86_64"];
        for (line, want) in [
            (vec!["--for", "openssl-3.0", "-aes,-sha"], "~0x200000000000000:~0x20020000000"),
            (vec!["-aes,-sha", "--for", "openssl-3.0"], "~0x200000000000000:~0x20020000000"),
            (vec!["--for", "openssl-3.0", "aes,sha"], "~0x200000000000000:~0x20020000000"),
            (vec!["-aes", "--for=openssl-4.0"], "~0x200000000000000:~0x20000000000:~0x0:~0x0:~0x0"),
            (vec!["--for", "boringssl", "-sha"], "~0x0:~0x20000000"),
        ] {
            let line = [&line[..], &x86].concat();
            let (out, notes) = told(&line).unwrap();
            assert_eq!(
                (out, notes.as_str()),
                (format!("OPENSSL_ia32cap={want}\n"), ""),
                "{line:?}"
            );
        }
        let arm = ["--arch", "aarch64", "--has", "aes,pmull,sha2,sha3,sha512", "-aes", "--for"];
        let on_arm = |name: &str| told(&[&arm[..], &[name]].concat());
        assert_eq!(on_arm("openssl-4.0").unwrap().0, "OPENSSL_armcap=0x859\n");
        assert_eq!(on_arm("aws-lc").unwrap().0, "OPENSSL_armcap=~0x24\n");
        assert!(on_arm("boringssl").unwrap_err().contains("boringssl reads no mask"));
        let (out, notes) = on_arm("libgcrypt").unwrap();
        assert_eq!(out, "arm-aes:arm-pmull\n");
        assert!(notes.contains("hwf.deny"));
    }

    #[test]
    fn several_have_their_names() {
        let (out, _) = told(&["--arch", "x86_64", "--has", "aes,sha", "-sha"]).unwrap();
        assert_eq!(out.lines().count(), Reader::ALL.len());
        assert!(out.contains("openssl-1.1  OPENSSL_ia32cap=~0x0:~0x20000000\n"), "{out}");
        let line = ["--arch", "x86_64", "--for", "openssl-3.5,aws-lc", "-adx", "--json"];
        let json: serde_json::Value = serde_json::from_str(&told(&line).unwrap().0).unwrap();
        assert_eq!(json[0]["for"], "openssl-3.5");
        assert_eq!(json[1]["value"], "~0x0:~0x80000");
        assert_eq!(json[1]["error"], serde_json::Value::Null);
    }

    #[test]
    fn a_value_is_explained() {
        let line = ["--explain", "~0x200000200000000", "--for", "openssl-3.0", "--arch", "x86_64"];
        let (out, _) = told(&line).unwrap();
        for part in ["word 0: PCLMULQDQ (33), AES-NI (57)", "left out", "~0x200000200000000:~0x0"] {
            assert!(out.contains(part), "{part}: {out}");
        }
        let (json, _) = told(&[&line[..], &["--json"]].concat()).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json[0]["variable"], "OPENSSL_ia32cap");
        let takes = &json[0]["does"][0]["takes"];
        assert_eq!(takes[1], serde_json::json!({ "name": "AES-NI", "word": 0, "bit": 57 }));
        let (out, _) = told(&["--explain=OPENSSL_armcap=-1", "--for", "openssl-3.0"]).unwrap();
        assert!(out.contains("openssl-3.0") && out.contains("TICK"), "{out}");
    }

    #[test]
    fn the_environment_is_explained() {
        let environment = |name: &str| (name == "OPENSSL_ia32cap").then(|| "~0x1:~0x20".to_owned());
        let (out, _) = told_in(&["--explain", "--for", "openssl-3.0"], &environment).unwrap();
        assert!(out.starts_with("OPENSSL_ia32cap=~0x1:~0x20\n") && out.contains("AVX2"), "{out}");
        assert!(told(&["--explain"]).unwrap_err().contains("is set here"));
    }

    #[test]
    fn what_there_is_not_is_told() {
        for (line, part) in [
            (vec![], "FEATURES"),
            (vec![","], "-aes"),
            (vec!["-avx513"], "avx512"),
            (vec!["-aes", "--for", "openssl-2.0"], "openssl-"),
            (vec!["-sha", "--arch", "aarch64"], "sha2"),
            (vec!["-aes", "--arch", "mips"], "aarch64"),
            (vec!["-aes", "--arch", "aarch64", "--has", "avx"], "sha512"),
            (vec!["-aes", "--explain", "~0x1"], "cannot be used with"),
            (vec!["--explain", "aesni"], "NETTLE_FAT_OVERRIDE=aesni"),
        ] {
            let why = told(&line).unwrap_err();
            assert!(why.contains(part), "{line:?}: {why}");
        }
    }
}
