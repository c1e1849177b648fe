//! Remedies for a file that lacks instructions, in one line. Each remedy is possible for that file.

use super::{Abi, NoRecipe, Recipe, Target, recipe};

/// A file that lacks instructions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Subject<'a> {
    /// Its architecture.
    pub architecture: &'a str,
    /// The target besides that, if the file states it.
    pub abi: Option<Abi>,
    /// The library in it, by its own version string.
    pub library: Option<&'a str>,
    /// The algorithms in it that lack some of their instructions.
    pub lacking: &'a [&'a str],
    /// Whether it has assembly modules.
    pub has_assembly: bool,
    /// The target that OpenSSL was configured for, if it is recorded.
    pub platform: Option<&'a str>,
}

/// Instructions that no version of a project has.
struct Absent {
    /// The beginning of its name, in lower case.
    project: &'static str,
    on: &'static [&'static str],
    of: &'static [&'static str],
}

const EVERYWHERE: &[&str] = &["x86-64", "i386", "aarch64", "arm", "riscv64"];
const NOT_X86: &[&str] = &["aarch64", "arm", "riscv64"];

const ABSENT: &[Absent] = &[
    Absent { project: "libsodium", on: EVERYWHERE, of: &["SHA-256"] },
    Absent { project: "libsodium", on: &["arm", "riscv64"], of: &["AES"] },
    Absent { project: "mbed tls", on: &["x86-64", "i386"], of: &["SHA-256"] },
    Absent { project: "bearssl", on: EVERYWHERE, of: &["SHA-256"] },
    Absent { project: "bearssl", on: NOT_X86, of: &["AES"] },
    Absent { project: "libtomcrypt", on: NOT_X86, of: &["AES", "SHA-256"] },
];

/// The remedy for a project without a recipe.
struct Instead {
    /// The beginning of its name, in lower case.
    project: &'static str,
    on: &'static [&'static str],
    does: &'static str,
}

const INSTEAD: &[Instead] = &[
    Instead {
        project: "krb5",
        on: EVERYWHERE,
        does: "configure it with --with-crypto-impl=openssl, so that OpenSSL does its cryptography",
    },
    Instead {
        project: "go ",
        on: &["arm"],
        does: "Go has no instructions for cryptography on 32-bit Arm: where the processor and the system \
               have 64 bits, build it with GOARCH=arm64",
    },
    Instead {
        project: "go ",
        on: &["i386"],
        does: "Go has no instructions for cryptography on 32-bit x86: where the processor and the system \
               have 64 bits, build it with GOARCH=amd64",
    },
    Instead {
        project: "go ",
        on: &["x86-64"],
        does: "build it with Go 1.21 or later, which has instructions for AES and SHA-256, and without \
               the tag purego",
    },
    Instead { project: "go ", on: &["aarch64"], does: "build it without the tag purego" },
    Instead {
        project: "rustcrypto aes-0.8",
        on: &["aarch64"],
        does: "build it with RUSTFLAGS=\"--cfg aes_armv8\", or with aes 0.9 or later",
    },
];

/// Options of Linux whose modules have the instructions.
const LINUX: &[(&str, &str, &str)] = &[
    ("aarch64", "AES", "CONFIG_CRYPTO_AES_ARM64_CE_BLK"),
    ("aarch64", "SHA-256", "CONFIG_CRYPTO_SHA2_ARM64_CE"),
    ("arm", "AES", "CONFIG_CRYPTO_AES_ARM_CE"),
    ("arm", "SHA-256", "CONFIG_CRYPTO_SHA2_ARM_CE"),
    ("x86-64", "AES", "CONFIG_CRYPTO_AES_NI_INTEL"),
    ("x86-64", "SHA-256", "CONFIG_CRYPTO_SHA256_SSSE3"),
    ("i386", "AES", "CONFIG_CRYPTO_AES_NI_INTEL"),
    ("riscv64", "AES", "CONFIG_CRYPTO_AES_RISCV64"),
    ("riscv64", "SHA-256", "CONFIG_CRYPTO_SHA256_RISCV64"),
];

/// Whether no build of the library has the missing instructions.
pub fn is_all_there_is(architecture: &str, library: Option<&str>, lacking: &[&str]) -> bool {
    let Some(name) = library.map(str::to_lowercase) else { return false };
    let is_known = |algorithm: &&str| {
        ABSENT.iter().any(|absent| {
            name.starts_with(absent.project)
                && absent.on.contains(&architecture)
                && absent.of.contains(algorithm)
        })
    };
    !lacking.is_empty() && lacking.iter().all(is_known)
}

/// The remedy for a library in a file that lacks instructions for these algorithms, in one line.
pub fn remedy(subject: &Subject<'_>) -> String {
    let Subject { architecture, abi, library, lacking, .. } = *subject;
    let algorithms = lacking.join(" and ");
    let none = |who: &str| {
        format!(
            "{who} instructions for {algorithms} on {architecture}: have another library do that"
        )
    };
    let Some(name) = library else {
        return format!(
            "have a library do this that has instructions for {algorithms} on {architecture}, as \
             OpenSSL has"
        );
    };
    if is_all_there_is(architecture, library, lacking) {
        return none("no build of it has");
    }
    let lower = name.to_lowercase();
    if lower.starts_with("linux ") {
        return of_linux(architecture, lacking);
    }
    let mut instead = INSTEAD.iter();
    if let Some(found) =
        instead.find(|it| lower.starts_with(it.project) && it.on.contains(&architecture))
    {
        return found.does.into();
    }
    let other = || {
        format!(
            "build a version of it that has instructions for {algorithms} on {architecture}, or have \
             another library do this, as OpenSSL has them"
        )
    };
    let Ok(target) = Target::of_file(architecture, abi) else { return other() };
    match recipe(name, target) {
        Ok(recipe) if !lacking.iter().any(|algorithm| recipe.has(algorithm)) => {
            none("no build of it that is known here has")
        }
        Ok(recipe) => of_recipe(&recipe, subject),
        Err(NoRecipe::Impossible(why)) => why,
        Err(NoRecipe::Unknown(_)) => other(),
    }
}

/// By a recipe, and by the recorded build options.
fn of_recipe(recipe: &Recipe, subject: &Subject<'_>) -> String {
    let algorithms = subject.lacking.join(" and ");
    match subject.platform.filter(|_| recipe.library.starts_with("openssl")) {
        Some(platform) if is_generic(platform) => recipe.again(&format!(
            ", as it was configured for {platform}, a target without assembly"
        )),
        _ if subject.has_assembly => recipe.again(&format!(
            ", newer or with these flags, as the assembly in it has no instructions for {algorithms}"
        )),
        // It names a target that has assembly.
        Some(_) => recipe.again(" without no-asm"),
        None => recipe.line(),
    }
}

/// Whether OpenSSL's target is one without assembly.
fn is_generic(platform: &str) -> bool {
    platform.contains("-generic") || platform == "cc" || platform == "gcc"
}

fn of_linux(architecture: &str, lacking: &[&str]) -> String {
    let of = |algorithm: &&str| {
        let row = LINUX.iter().find(|(on, of, _)| *on == architecture && of == algorithm);
        row.map(|(.., option)| *option)
    };
    let options: Vec<_> = lacking.iter().filter_map(of).collect();
    match options.is_empty() {
        true => {
            format!("Linux has no instructions for {} on {architecture}", lacking.join(" and "))
        }
        false => format!(
            "build the kernel with {}, whose modules have the instructions",
            options.join(" and ")
        ),
    }
}

impl Recipe {
    /// Whether its result has instructions for an algorithm.
    fn has(&self, algorithm: &str) -> bool {
        let expected = &self.check[0];
        let signs: &[&str] = match algorithm {
            "AES" => &["AESE", "Zkn", "Zvkned"],
            _ => &["SHA256", "Zkn", "Zvknh"],
        };
        signs.iter().any(|sign| expected.contains(sign))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::all, *};

    fn of(architecture: &str, library: Option<&str>, lacking: &[&str]) -> String {
        remedy(&Subject { architecture, library, lacking, ..Subject::default() })
    }

    #[test]
    fn one_line_for_a_file() {
        let line = of("aarch64", Some("OpenSSL 3.0.19 27 Jan 2026"), &["AES"]);
        assert!(line.contains("no-asm") && line.contains("./Configure linux-aarch64"), "{line}");
        let line = of("aarch64", Some("mbed TLS 2.28.3"), &["AES"]);
        assert!(line.contains("3.6"), "{line}");
        // It is not known with what a file without a library could be built.
        let line = of("aarch64", None, &["AES"]);
        assert!(line.contains("as OpenSSL has") && !line.contains("build it again"), "{line}");
        let line = of("sparc", Some("OpenSSL 3.0.19"), &["AES"]);
        assert!(line.contains("build a version of it"), "{line}");
        let sodium = Some("libsodium 1.0.18");
        assert!(of("x86-64", sodium, &["SHA-256"]).contains("no build of it"));
        assert!(of("x86-64", sodium, &["AES", "SHA-256"]).contains("./configure"));
        let all = |library, lacking| is_all_there_is("x86-64", library, lacking);
        assert!(!all(sodium, &[]) && !all(None, &["SHA-256"]));
        // On Arm Mbed TLS has both.
        let mbed_tls = Some("mbed TLS 2.28.3");
        assert!(all(mbed_tls, &["SHA-256"]));
        assert!(!is_all_there_is("aarch64", mbed_tls, &["SHA-256"]));
    }

    /// No remedy suggests code that a project does not have.
    #[test]
    fn projects_without_code_are_not_built_again() {
        for (architecture, library, lacking, part) in [
            ("arm", "Go 1.24.2", &["AES", "SHA-256"][..], "GOARCH=arm64"),
            ("i386", "Go 1.24.2", &["SHA-256"], "GOARCH=amd64"),
            ("x86-64", "Go 1.19.8", &["SHA-256"], "Go 1.21"),
            ("arm", "BearSSL", &["AES", "SHA-256"], "another library"),
            ("aarch64", "BearSSL", &["AES", "SHA-256"], "another library"),
            ("aarch64", "LibTomCrypt 1.18.2", &["AES", "SHA-256"], "another library"),
            ("arm", "krb5", &["AES", "SHA-256"], "--with-crypto-impl=openssl"),
            ("riscv64", "Go 1.24.2", &["AES"], "another library"),
            // The instructions that are expected for libgcrypt there are those for AES.
            ("i386", "Libgcrypt 1.10.1", &["SHA-256"], "another library"),
            ("x86-64", "wolfSSL 5.5.4", &["SHA-256"], "another library"),
        ] {
            let line = of(architecture, Some(library), lacking);
            assert!(line.contains(part), "{library}: {line}");
            assert!(!line.contains("build it again"), "{library}: {line}");
        }
    }

    /// The recorded build options show what was wrong.
    #[test]
    fn openssl_says_how_it_was_configured() {
        let subject = Subject {
            architecture: "aarch64",
            library: Some("OpenSSL 3.0.19 27 Jan 2026"),
            lacking: &["AES", "SHA-256"],
            ..Subject::default()
        };
        let generic = remedy(&Subject { platform: Some("linux-generic64"), ..subject });
        assert!(generic.contains("configured for linux-generic64"), "{generic}");
        assert!(generic.contains("./Configure linux-aarch64"), "{generic}");
        assert!(!generic.contains("no-asm"), "{generic}");
        let no_asm = remedy(&Subject { platform: Some("linux-aarch64"), ..subject });
        assert!(no_asm.contains("without no-asm:"), "{no_asm}");
        assert!(!no_asm.contains("generic"), "{no_asm}");
        // A file with assembly was not built without it.
        for library in ["OpenSSL 3.0.19", "BoringSSL", "AWS-LC 1.65.0"] {
            let with = remedy(&Subject {
                library: Some(library),
                has_assembly: true,
                lacking: &["SHA-256"],
                ..subject
            });
            assert!(!with.contains("no-asm") && !with.contains("NO_ASM"), "{with}");
            assert!(with.contains("the assembly in it has no"), "{with}");
        }
    }

    #[test]
    fn target_is_that_of_the_file() {
        let of = |architecture, abi| {
            remedy(&Subject {
                architecture,
                abi,
                library: Some("OpenSSL 3.0.19"),
                lacking: &["AES"],
                ..Subject::default()
            })
        };
        let armhf = of("arm", Some(Abi::HardFloat));
        assert!(armhf.contains("--cross-compile-prefix=arm-linux-gnueabihf-"), "{armhf}");
        let armel = of("arm", Some(Abi::SoftFloat));
        assert!(armel.contains("linux-armv4 --cross-compile-prefix=arm-linux-gnueabi-"), "{armel}");
        let android = of("aarch64", Some(Abi::Android));
        assert!(android.contains("Android's NDK"), "{android}");
        assert!(android.contains("./Configure android-arm64 -D__ANDROID_API__=21"), "{android}");
        assert!(!android.contains("linux-gnu"), "{android}");
    }

    #[test]
    fn kernel_modules_are_of_the_kernel() {
        let line = of("aarch64", Some("Linux 6.1.0-50-arm64"), &["AES"]);
        assert!(line.contains("CONFIG_CRYPTO_AES_ARM64_CE_BLK"), "{line}");
        let line = of("i386", Some("Linux 6.1.0-50-686"), &["SHA-256"]);
        assert_eq!(line, "Linux has no instructions for SHA-256 on i386");
    }

    /// Options that are sentences are only in the whole recipe.
    #[test]
    fn one_line_makes_sense() {
        let line = of("x86-64", Some("Nettle, libnettle 8.6"), &["AES"]);
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
