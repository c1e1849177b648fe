//! Recipes to build libraries so that they use all features of a processor.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anstyle::Style;
use serde::Serialize;

use super::{
    super::{Exit, Usage},
    files::{self, How},
    text::{MARGIN, NAME, WARNING, below},
};
use crate::{
    recipes::{Abi, NoRecipe, Recipe, Target, known, recipe},
    stdio::write_json,
};

/// A recipe, or why there is none.
#[derive(Serialize)]
pub(super) struct Told {
    /// The library, as the user named it.
    named: String,
    #[serde(flatten)]
    recipe: Option<Recipe>,
    /// Why there is none.
    reason: Option<String>,
}

/// The targets of recipes.
pub(super) struct Recipes {
    /// The target, if it is not that of a file.
    target: Option<Target>,
}

impl Recipes {
    /// For the libraries of a file.
    pub(super) fn of_file<'a>(
        &self,
        architecture: &str,
        abi: Option<Abi>,
        libraries: impl Iterator<Item = &'a str>,
    ) -> Vec<Told> {
        let target = self.target.map_or_else(|| Target::of_file(architecture, abi), Ok);
        let one = |library: &str| {
            let found = |target| recipe(library, target).map_err(NoRecipe::into_reason);
            Told::new(library, target.clone().and_then(found))
        };
        let told: Vec<_> = libraries.map(one).collect();
        if told.is_empty() {
            vec![Told::new("", Err("no library is known in it".into()))]
        } else {
            told
        }
    }
}

/// Writes the recipes for files, or for libraries by name.
///
/// # Errors
/// If there is no such library or target, or the recipes cannot be written.
pub(super) fn run(
    subjects: &[PathBuf],
    target: Option<&str>,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    let target = target.map(Target::of).transpose().map_err(Usage)?;
    if subjects.is_empty() {
        let known = known().join(", ");
        return Err(Usage(format!("name a FILE, or a library: {known}")).into());
    }
    if subjects.iter().any(|subject| subject.components().count() > 1 || subject.exists()) {
        let recipes = Some(&Recipes { target });
        return files::run(subjects, How { recipes, json, all: true, ..How::default() }, out);
    }
    let target = target.or_else(Target::this).ok_or_else(|| Usage("say what --for".into()))?;
    let mut all = Vec::new();
    for subject in subjects {
        let name = subject.to_string_lossy();
        all.push(match recipe(&name, target) {
            Ok(recipe) => Told::new(&name, Ok(recipe)),
            Err(NoRecipe::Impossible(why)) => Told::new(&name, Err(why)),
            Err(NoRecipe::Unknown(why)) => return Err(Usage(why).into()),
        });
    }
    if json {
        write_json(&all, out)?;
    } else {
        for told in &all {
            told.write(out)?;
        }
    }
    out.flush()?;
    Ok(Exit::Fine)
}

impl Told {
    fn new(named: &str, found: Result<Recipe, String>) -> Self {
        let (recipe, reason) = match found {
            Ok(recipe) => (Some(recipe), None),
            Err(reason) => (None, Some(reason)),
        };
        Self { named: named.into(), recipe, reason }
    }

    /// Writes it for a terminal: commands are on separate lines, to be pasted.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(recipe) = &self.recipe else {
            let why = self.reason.as_deref().unwrap_or_default();
            return below(out, WARNING, "no recipe", MARGIN, why);
        };
        let Recipe { library, target, packages, commands, never, check, notes } = recipe;
        writeln!(out, "  {NAME}{library} for {}{NAME:#}", target.name())?;
        match packages.as_str() {
            "" => writeln!(out, "  # Android's NDK, in the folder $ANDROID_NDK_ROOT")?,
            packages => writeln!(out, "  # a compiler, on Debian\n  apt-get install {packages}")?,
        }
        writeln!(out, "  # in the library's sources")?;
        for command in commands {
            writeln!(out, "  {command}")?;
        }
        let mut line = |name, text: &str| below(out, Style::new(), name, MARGIN, text);
        for never in never {
            line("never", &format!("{}: {}", never.option, never.why))?;
        }
        notes.iter().try_for_each(|note| line("note", note))?;
        check.iter().try_for_each(|check| line("check", check))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(subjects: &[&str], target: Option<&str>, json: bool) -> Result<(Exit, String), String> {
        let subjects: Vec<_> = subjects.iter().map(PathBuf::from).collect();
        let mut out = Vec::new();
        let exit = run(&subjects, target, json, &mut out).map_err(|error| error.to_string())?;
        Ok((exit, anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()))
    }

    #[test]
    fn libraries_by_name() {
        let (exit, text) = told(&["openssl-3.0"], Some("linux-aarch64"), false).unwrap();
        assert_eq!(exit, Exit::Fine);
        let line = "  ./Configure linux-aarch64 --cross-compile-prefix=aarch64-linux-gnu-\n";
        for part in
            [line, "gcc-aarch64-linux-gnu", "no-asm", "AESE", "ropewalk doctor libcrypto.so.3"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        let (_, text) = told(&["mbedtls-2.28"], Some("aarch64"), false).unwrap();
        assert!(text.contains("no recipe") && text.contains("mbedtls-3.6"), "{text}");
        let (_, json) = told(&["aws-lc", "nettle-3.8"], Some("linux-x86"), true).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json[0]["target"], "linux-x86");
        assert!(json[0]["commands"][0].as_str().unwrap().contains("i686-linux-gnu-gcc"));
        assert!(json[1]["reason"].as_str().unwrap().contains("x86-64 alone"));
        assert!(told(&["openssl"], None, false).is_ok());
    }

    #[test]
    fn android_needs_no_package() {
        let (_, text) = told(&["openssl-3.0"], Some("android-arm64"), false).unwrap();
        assert!(text.contains("$ANDROID_NDK_ROOT") && !text.contains("apt-get"), "{text}");
        assert!(text.contains("  ./Configure android-arm64 -D__ANDROID_API__=21\n"), "{text}");
        assert!(text.contains("ropewalk doctor libcrypto.so: it is"), "{text}");
        let (_, text) = told(&["libsodium"], Some("android-arm"), false).unwrap();
        assert!(text.contains("no recipe"), "{text}");
        let (_, text) = told(&["mbedtls-3.6"], Some("android-arm64"), false).unwrap();
        assert!(text.contains("-DANDROID_ABI=arm64-v8a -DANDROID_PLATFORM=android-21"), "{text}");
        let (_, text) = told(&["wolfssl-5.7.2"], Some("android-x86_64"), false).unwrap();
        let host = "--host=x86_64-linux-android CC=x86_64-linux-android21-clang";
        assert!(text.contains(host), "{text}");
        let (_, text) = told(&["openssl-3.0"], Some("linux-armel"), false).unwrap();
        assert!(text.contains("gcc-arm-linux-gnueabi g++-arm-linux-gnueabi"), "{text}");
        assert!(text.contains("./Configure linux-armv4 --cross-compile-prefix"), "{text}");
    }

    /// Commands are not wrapped; everything else is.
    #[test]
    fn no_line_is_wider_than_a_terminal() {
        for name in known() {
            for target in Target::ALL {
                let (_, text) = told(&[name], Some(target.name()), false).unwrap();
                let commands = recipe(name, target).map_or(Vec::new(), |it| it.commands);
                for line in text.lines() {
                    let pasted = commands.iter().any(|command| line.trim() == command);
                    // A single word may be longer.
                    let alone = line.get(14..).is_some_and(|text| !text.contains(' '));
                    assert!(pasted || alone || line.chars().count() <= 80, "{line}");
                }
            }
        }
    }

    #[test]
    fn what_there_is_not_is_told() {
        for (subjects, target, part) in [
            (&[][..], None, "openssl-4.0"),
            (&["opensll-3.0"], None, "openssl-3.0"),
            (&["openssl-3.0"], Some("linux-mips"), "linux-"),
        ] {
            let why = told(subjects, target, false).unwrap_err();
            assert!(why.contains(part), "{why}");
        }
    }

    /// The test program has libraries in it.
    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn libraries_of_a_file() {
        let this = std::env::current_exe().unwrap();
        let (exit, text) = told(&[this.to_str().unwrap()], Some("linux-aarch64"), false).unwrap();
        assert_eq!(exit, Exit::Fine, "{text}");
        assert!(text.contains("for linux-aarch64") || text.contains("no recipe"), "{text}");
        let (exit, text) = told(&["/no/such/file"], None, false).unwrap();
        assert_eq!(exit, Exit::Failed);
        assert!(text.contains("not known"), "{text}");
    }
}
