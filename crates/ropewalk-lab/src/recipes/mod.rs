//! Recipes to build other libraries so that they use all features of a processor.
//!
//! The facts are from each library's own documentation and build files.

mod abi;
mod libraries;
mod openssl;
mod remedy;
mod target;

use serde::Serialize;

pub use abi::Abi;
pub use remedy::{Subject, is_all_there_is, remedy};
pub use target::Target;

use crate::names;

/// A recipe for a library and a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recipe {
    /// The library, by its name in requests: `openssl-3.0`.
    pub library: &'static str,
    /// The target.
    pub target: Target,
    /// Debian's packages of the compiler. Empty for Android, whose compiler is in its NDK.
    pub packages: String,
    /// The commands, line by line.
    pub commands: Vec<String>,
    /// Options that must not be used, with the reasons.
    pub never: Vec<Never>,
    /// Commands that check the result.
    pub check: Vec<String>,
    /// Notes.
    pub notes: Vec<&'static str>,
}

/// An option that must not be used, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Never {
    /// The option.
    pub option: &'static str,
    /// Its effect.
    pub why: &'static str,
}

/// A library, from one version to the next row's.
struct Library {
    project: &'static str,
    /// Its first version; zeros if it has no versions.
    since: (u32, u32, u32),
    /// The name of the row.
    name: &'static str,
    /// The commands except the last, with `{more}` and the placeholders that [`Target::fill`] replaces.
    configure: &'static [&'static str],
    build: &'static str,
    never: &'static [Never],
    /// The resulting file.
    result: &'static str,
    /// The command that checks it on the device, if any.
    ask: &'static str,
    /// One for each architecture, at the index that [`Target::architecture`] returns.
    targets: [Build; 5],
}

/// How a library is built for one target.
enum Build {
    /// With additional words for `{more}`.
    With {
        more: &'static str,
        /// The instructions that `ropewalk doctor` should count in the result.
        expect: &'static str,
        note: &'static str,
    },
    /// It is not possible, with the reason.
    Not(&'static str),
}

const fn with(expect: &'static str) -> Build {
    Build::With { more: "", expect, note: "" }
}

const fn never(option: &'static str, why: &'static str) -> Never {
    Never { option, why }
}

fn all() -> impl Iterator<Item = &'static Library> {
    openssl::LIBRARIES.iter().chain(libraries::LIBRARIES)
}

/// The names of the rows.
pub fn known() -> Vec<&'static str> {
    all().map(|library| library.name).collect()
}

/// The row of a library: by its name in requests, `openssl-3.0`, or by its own version string, `OpenSSL
/// 3.0.19 27 Jan 2026`.
fn library(text: &str) -> Option<&'static Library> {
    // A file of nettle reports that library too.
    let text =
        text.to_lowercase().replace("mbed tls", "mbedtls").replace("nettle, libnettle", "nettle");
    // The longest project name that is a prefix: AWS-LC FIPS is no other.
    let projects = all().filter(|library| text.starts_with(library.project));
    let project = projects.max_by_key(|library| library.project.len())?.project;
    let rest = &text[project.len()..];
    let rest = rest.strip_prefix(" fips").unwrap_or(rest);
    let rows: Vec<_> = all().filter(|library| library.project == project).collect();
    if rest.is_empty() {
        // Without a version, the newest.
        return rows.last().copied();
    }
    // The names of other libraries continue with other words: `aws-lc-sys 0.47.0`.
    let rest = rest.strip_prefix([' ', '-'])?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let mut numbers = rest[..end].split('.').map(str::parse::<u32>);
    let mut next = || numbers.next().map_or(Some(0), Result::ok);
    let version = match (project, (next()?, next()?, next()?)) {
        // A file of nettle reports the version of its interface: 8.1 is that of 3.7, 8.5 that of 3.8.
        ("nettle", (8, 0, _)) => return None,
        ("nettle", (8, minor, _)) => (3, if minor < 5 { 7 } else { 8 }, 0),
        (_, version) => version,
    };
    rows.into_iter().rfind(|library| library.since <= version)
}

/// Why there is no recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRecipe {
    /// The library is not in the list: the names in it.
    Unknown(String),
    /// The library has no code for the target: what to do instead.
    Impossible(String),
}

impl NoRecipe {
    /// In words.
    pub fn into_reason(self) -> String {
        match self {
            Self::Unknown(why) | Self::Impossible(why) => why,
        }
    }
}

/// Where Android's compilers are.
const NDK: &str =
    "export PATH=\"$ANDROID_NDK_ROOT/toolchains/llvm/prebuilt/linux-x86_64/bin:$PATH\"";

/// The recipe of a library, by its name in requests or by its own version string.
///
/// # Errors
/// If it is not known, or has no code for that target.
pub fn recipe(text: &str, target: Target) -> Result<Recipe, NoRecipe> {
    let library = library(text)
        .ok_or_else(|| NoRecipe::Unknown(names::unknown("library with a recipe", text, known())))?;
    let (more, expect, note) = match &library.targets[target.architecture()] {
        Build::With { more, expect, note } => (*more, *expect, *note),
        Build::Not(why) => {
            let why = format!("{} for {}: {why}", library.name, target.name());
            return Err(NoRecipe::Impossible(why));
        }
    };
    // NEON in C requires a floating-point unit, which armel's compiler does not assume.
    let more = match target {
        Target::Armel => more.replace("armv8-a+simd", "armv8-a+simd -mfloat-abi=softfp"),
        _ => more.to_owned(),
    };
    let filled = |line: &&str| target.fill(&line.replace("{more}", &more));
    // Android's libraries have no version in their names.
    let result = match library.result.split_once(".so.") {
        Some((name, _)) if target.is_android() => format!("{name}.so"),
        _ => library.result.to_owned(),
    };
    let mut check = vec![format!("ropewalk doctor {result}: it is to count {expect}")];
    check.extend((!library.ask.is_empty()).then(|| library.ask.to_owned()));
    let ndk: &[&str] = if target.is_android() { &[NDK] } else { &[] };
    let mut notes = vec![note];
    notes.retain(|note| !note.is_empty());
    Ok(Recipe {
        library: library.name,
        target,
        packages: target.packages(),
        commands: ndk.iter().chain(library.configure).chain([&library.build]).map(filled).collect(),
        never: library.never.to_vec(),
        check,
        notes,
    })
}

impl Recipe {
    /// In one line: the command, and the options that must not be used.
    pub fn line(&self) -> String {
        // Others are described in sentences.
        let options = self.never.iter().map(|never| never.option);
        let without: Vec<_> = options.filter(|option| !option.contains(' ')).take(2).collect();
        match without.is_empty() {
            true => self.again(""),
            false => self.again(&format!(" without {}", without.join(" or "))),
        }
    }

    /// In one line: the command, after words that describe how or why.
    fn again(&self, words: &str) -> String {
        let ndk = if self.target.is_android() { " with Android's NDK" } else { "" };
        let configure = &self.commands[self.commands.len() - 2];
        format!("build it again{ndk}{words}: {configure}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every library and target has a recipe, or a reason.
    #[test]
    fn nothing_is_left_out() {
        let (mut recipes, mut reasons) = (0, 0);
        for library in all() {
            for target in Target::ALL {
                match recipe(library.name, target) {
                    Ok(recipe) => {
                        recipes += 1;
                        assert_eq!((recipe.library, recipe.target), (library.name, target));
                        let text = serde_json::to_string(&recipe).unwrap();
                        // `{more}` and other placeholders; a shell variable has no braces here.
                        let braces = recipe.commands.concat();
                        assert!(!braces.contains(['{', '}']), "{text}");
                        assert!(recipe.commands.len() >= 2 && !recipe.never.is_empty());
                        assert!(recipe.check[0].contains("ropewalk doctor"));
                        // The compiler of that target is in it, or the option that selects it.
                        let commands = recipe.commands.join("\n");
                        let compiler = match target.is_android() {
                            true => "$ANDROID_NDK_ROOT",
                            false => target.triple(),
                        };
                        assert!(commands.contains(compiler), "{commands}");
                        for never in &recipe.never {
                            assert!(!commands.contains(never.option), "{commands}");
                        }
                    }
                    Err(NoRecipe::Unknown(why)) => panic!("{why}"),
                    Err(NoRecipe::Impossible(why)) => {
                        reasons += 1;
                        assert!(why.len() > library.name.len() + target.name().len() + 20, "{why}");
                    }
                }
            }
        }
        assert!(recipes > 30 && reasons > 10, "{recipes} recipes, {reasons} reasons");
    }

    #[test]
    fn rows_are_in_order() {
        let rows: Vec<_> = all().collect();
        for pair in rows.windows(2).filter(|pair| pair[0].project == pair[1].project) {
            assert!(pair[0].since < pair[1].since, "{}", pair[1].name);
        }
        for row in rows {
            assert_eq!(library(row.name).unwrap().name, row.name);
        }
    }

    #[test]
    fn libraries_by_their_own_words() {
        for (text, name) in [
            ("OpenSSL 3.0.19 27 Jan 2026", "openssl-3.0"),
            ("OpenSSL 1.1.1w  11 Sep 2023", "openssl-1.1"),
            ("OpenSSL 3.6.1", "openssl-3.3"),
            ("OpenSSL 4.0.3 29 Sep 2026", "openssl-4.0"),
            ("openssl-3.2", "openssl-3.0"),
            ("openssl", "openssl-4.0"),
            ("AWS-LC 5.5.0", "aws-lc"),
            ("AWS-LC FIPS 3.0.0", "aws-lc"),
            ("BoringSSL", "boringssl"),
            ("mbed TLS 2.28.3", "mbedtls-2.28"),
            ("Mbed TLS 3.4.1", "mbedtls-3.4"),
            ("mbedtls-3.6", "mbedtls-3.6"),
            ("wolfSSL 5.5.4", "wolfssl-5.0"),
            ("Libgcrypt 1.10.1", "libgcrypt-1.8"),
            ("libgcrypt-1.12", "libgcrypt-1.12"),
            ("nettle 3.7.3", "nettle-3.7"),
            ("nettle 8.4", "nettle-3.7"),
            ("nettle 8.6", "nettle-3.8"),
            ("libsodium 1.0.18", "libsodium-1.0.4"),
            ("libsodium-1.0.20", "libsodium-1.0.19"),
        ] {
            assert_eq!(library(text).map(|library| library.name), Some(name), "{text}");
        }
        for text in ["OpenSSL 1.0.2u", "LibreSSL 4.2.0", "opensslx", "aws-lc-sys 0.47.0", ""] {
            assert!(library(text).is_none(), "{text}");
        }
        let Err(NoRecipe::Unknown(why)) = recipe("openssl-1.0", Target::X86_64) else {
            panic!("1.0 is known")
        };
        assert!(why.contains("openssl-1.1"), "{why}");
    }

    #[test]
    fn lines_to_run() {
        let of = |name: &str, target| recipe(name, target).unwrap();
        let cross = "./Configure linux-aarch64 --cross-compile-prefix=aarch64-linux-gnu-";
        for name in ["openssl-1.1", "openssl-3.0", "openssl-4.0"] {
            assert_eq!(of(name, Target::Aarch64).commands[0], cross);
        }
        let armhf = of("openssl-3.0", Target::Armv4).commands[0].clone();
        assert!(armhf.ends_with("arm-linux-gnueabihf- -D__ARM_MAX_ARCH__=8"), "{armhf}");
        let elsewhere = "gcc-x86-64-linux-gnu g++-x86-64-linux-gnu";
        let packages = if cfg!(target_arch = "x86_64") { "gcc g++" } else { elsewhere };
        assert_eq!(of("openssl-3.0", Target::X86_64).packages, packages);
        let Err(NoRecipe::Impossible(why)) = recipe("mbedtls-2.28", Target::Aarch64) else {
            panic!("2.28 has none")
        };
        assert!(why.contains("mbedtls-3.6"), "{why}");
    }
}
