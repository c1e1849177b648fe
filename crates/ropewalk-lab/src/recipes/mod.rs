//! How other libraries are built so that they use what a processor has.
//!
//! The facts are those of each library's own documentation and build files.

mod libraries;
mod openssl;
mod target;

use serde::Serialize;

pub use target::Target;

use crate::names;

/// How a library is built for a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recipe {
    /// The library, as it is asked for: `openssl-3.0`.
    pub library: &'static str,
    /// For what.
    pub target: Target,
    /// Debian's packages of the compiler.
    pub packages: String,
    /// What to run, line by line.
    pub commands: Vec<String>,
    /// What must not be there, and why.
    pub never: Vec<Never>,
    /// How to see that it is right.
    pub check: Vec<String>,
    /// What else is to be known.
    pub notes: Vec<&'static str>,
}

/// An option that must not be there, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Never {
    /// The option.
    pub option: &'static str,
    /// What it does.
    pub why: &'static str,
}

/// A library, from one version to the next row's.
struct Library {
    project: &'static str,
    /// Its versions begin here; one without versions has zeros.
    since: (u32, u32, u32),
    /// The name of the row.
    name: &'static str,
    /// The commands but the last, with `{target}`, `{triple}`, `{processor}` and `{more}`.
    configure: &'static [&'static str],
    build: &'static str,
    never: &'static [Never],
    /// The file that is made.
    result: &'static str,
    /// What says on the device whether it is right, if anything does.
    ask: &'static str,
    /// In the order of [`Target::ALL`].
    targets: [Build; 5],
}

/// How a library is built for one target.
enum Build {
    /// With more words in the place of `{more}`.
    With {
        more: &'static str,
        /// What `ropewalk doctor` is to count in the result.
        expect: &'static str,
        note: &'static str,
    },
    /// It cannot be, for that reason.
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

/// The row of a library: by its name as one asks for it, `openssl-3.0`, or as it says it itself,
/// `OpenSSL 3.0.19 27 Jan 2026`.
fn library(text: &str) -> Option<&'static Library> {
    // A file of nettle calls itself by that library too.
    let text =
        text.to_lowercase().replace("mbed tls", "mbedtls").replace("nettle, libnettle", "nettle");
    // Of the projects whose name it begins with, the longest: AWS-LC FIPS is no other.
    let projects = all().filter(|library| text.starts_with(library.project));
    let project = projects.max_by_key(|library| library.project.len())?.project;
    let rest = &text[project.len()..];
    let rest = rest.strip_prefix(" fips").unwrap_or(rest);
    let rows: Vec<_> = all().filter(|library| library.project == project).collect();
    if rest.is_empty() {
        // Without a version, the newest.
        return rows.last().copied();
    }
    // Other things than versions follow in the names of other libraries: `aws-lc-sys 0.47.0`.
    let rest = rest.strip_prefix([' ', '-'])?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let mut numbers = rest[..end].split('.').map(str::parse::<u32>);
    let mut next = || numbers.next().map_or(Some(0), Result::ok);
    let version = match (project, (next()?, next()?, next()?)) {
        // A file of nettle says the version of its interface: 8.1 is that of 3.7, 8.5 that of 3.8.
        ("nettle", (8, 0, _)) => return None,
        ("nettle", (8, minor, _)) => (3, if minor < 5 { 7 } else { 8 }, 0),
        (_, version) => version,
    };
    rows.into_iter().rfind(|library| library.since <= version)
}

/// Why there is no recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRecipe {
    /// Nobody here knows the library: what there is.
    Unknown(String),
    /// The library has nothing for the target: what to do instead.
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

/// How to build a library, named as one asks for it or as it names itself.
///
/// # Errors
/// Where it is not known, or where it has no code for that target.
pub fn recipe(text: &str, target: Target) -> Result<Recipe, NoRecipe> {
    let library = library(text)
        .ok_or_else(|| NoRecipe::Unknown(names::unknown("library with a recipe", text, known())))?;
    let at = Target::ALL.iter().position(|other| *other == target).expect("all of them");
    let (more, expect, note) = match &library.targets[at] {
        Build::With { more, expect, note } => (*more, *expect, *note),
        Build::Not(why) => {
            let why = format!("{} for {}: {why}", library.name, target.name());
            return Err(NoRecipe::Impossible(why));
        }
    };
    let filled = |line: &&str| {
        line.replace("{target}", target.name())
            .replace("{triple}", target.triple())
            .replace("{processor}", target.processor())
            .replace("{more}", more)
            .trim_end()
            .to_owned()
    };
    let mut check = vec![format!("ropewalk doctor {}: it is to count {expect}", library.result)];
    check.extend((!library.ask.is_empty()).then(|| library.ask.to_owned()));
    let mut notes = vec![note];
    notes.retain(|note| !note.is_empty());
    Ok(Recipe {
        library: library.name,
        target,
        packages: match Target::this() == Some(target) {
            // Its compiler has the long names as well.
            true => "gcc g++".into(),
            false => format!("gcc-{0} g++-{0}", target.triple().replace('_', "-")),
        },
        commands: library.configure.iter().chain([&library.build]).map(filled).collect(),
        never: library.never.to_vec(),
        check,
        notes,
    })
}

impl Recipe {
    /// In one line: what to run, and without what.
    pub fn line(&self) -> String {
        let configure = &self.commands[self.commands.len() - 2];
        // Others are told in sentences.
        let options = self.never.iter().map(|never| never.option);
        let without: Vec<_> = options.filter(|option| !option.contains(' ')).take(2).collect();
        match without.is_empty() {
            true => format!("build it again: {configure}"),
            false => format!("build it again without {}: {configure}", without.join(" or ")),
        }
    }
}

/// What no version of a library has instructions for: how it calls itself, on which architectures, and the algorithm.
const IN_NO_BUILD: &[(&str, &[&str], &str)] = &[
    ("libsodium", &["x86-64", "i386", "aarch64", "arm", "riscv64"], "SHA-256"),
    ("mbed tls", &["x86-64", "i386"], "SHA-256"),
];

/// Whether no build of the library has instructions for what this one lacks.
pub fn is_all_there_is(architecture: &str, library: Option<&str>, lacking: &[&str]) -> bool {
    let Some(name) = library.map(str::to_lowercase) else { return false };
    let is_known = |algorithm: &&str| {
        IN_NO_BUILD.iter().any(|(project, on, of)| {
            name.starts_with(project) && on.contains(&architecture) && of == algorithm
        })
    };
    !lacking.is_empty() && lacking.iter().all(is_known)
}

/// What to do about a library in a file that lacks instructions for these algorithms, in one line.
pub fn remedy(architecture: &str, library: Option<&str>, lacking: &[&str]) -> String {
    if is_all_there_is(architecture, library, lacking) {
        let lacking = lacking.join(" and ");
        return format!(
            "no build of it has instructions for {lacking}: have another library do that"
        );
    }
    let otherwise =
        || format!("build it again with its code for {architecture}, which is chosen at run time");
    let (Ok(target), Some(name)) = (Target::of(architecture), library) else { return otherwise() };
    match recipe(name, target) {
        Ok(recipe) => recipe.line(),
        Err(NoRecipe::Impossible(why)) => why,
        Err(NoRecipe::Unknown(_)) => otherwise(),
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
                        for hole in ["{target}", "{triple}", "{processor}", "{more}"] {
                            assert!(!text.contains(hole), "{text}");
                        }
                        assert!(recipe.commands.len() >= 2 && !recipe.never.is_empty());
                        assert!(recipe.check[0].contains("ropewalk doctor"));
                        // The compiler of that target is in it, or the option that leads to it.
                        let commands = recipe.commands.join("\n");
                        assert!(commands.contains(target.triple()), "{commands}");
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

    #[test]
    fn one_line_for_a_file() {
        let line = remedy("aarch64", Some("OpenSSL 3.0.19 27 Jan 2026"), &["AES"]);
        assert!(line.contains("no-asm") && line.contains("./Configure linux-aarch64"), "{line}");
        let line = remedy("aarch64", Some("mbed TLS 2.28.3"), &["AES"]);
        assert!(line.contains("3.6"), "{line}");
        for (architecture, library) in [("aarch64", None), ("sparc", Some("OpenSSL 3.0.19"))] {
            assert!(remedy(architecture, library, &["AES"]).contains("chosen at run time"));
        }
        let sodium = Some("libsodium 1.0.18");
        assert!(remedy("x86-64", sodium, &["SHA-256"]).contains("no build of it"));
        assert!(remedy("x86-64", sodium, &["AES", "SHA-256"]).contains("./configure"));
        let all = |library, lacking| is_all_there_is("x86-64", library, lacking);
        assert!(!all(sodium, &[]) && !all(None, &["SHA-256"]));
        // On Arm Mbed TLS has both.
        let mbed_tls = Some("mbed TLS 2.28.3");
        assert!(all(mbed_tls, &["SHA-256"]));
        assert!(!is_all_there_is("aarch64", mbed_tls, &["SHA-256"]));
    }

    /// Options that are sentences are for the whole recipe.
    #[test]
    fn one_line_makes_sense() {
        let said = "Nettle, libnettle 8.6";
        let line = remedy("x86-64", Some(said), &["AES"]);
        assert!(
            line.contains("without --disable-assembler or --disable-fat: ./configure"),
            "{line}"
        );
        for row in all() {
            for target in Target::ALL {
                let line = recipe(row.name, target).map_or(String::new(), |it| it.line());
                for odd in ["without unset", "without a ", "or a ", "or unset"] {
                    assert!(!line.contains(odd), "{line}");
                }
            }
        }
    }
}
