//! The libraries that a file is or contains, by their version strings; and their compiler flags.

use std::sync::LazyLock;

use regex::bytes::{Regex, RegexSet};

/// The most that are kept.
const MOST: usize = 48;

/// The pattern of a library.
struct Known {
    /// Its name; empty if the whole match is reported.
    name: &'static str,
    /// A string that must be present too, if any.
    sign: &'static str,
    /// Its version string; the groups are the version.
    says: &'static str,
}

/// A library whose version string contains its name.
const fn says(says: &'static str) -> Known {
    Known { name: "", sign: "", says }
}

const KNOWN: &[Known] = &[
    says(r"AWS-LC FIPS [0-9.]*[0-9]|AWS-LC [0-9]+\.[0-9.]*[0-9]"),
    says(r"OpenSSL [0-9]+\.[0-9]+\.[0-9]+[a-z]?( [0-9]+ [A-Z][a-z]{2} 20[0-9]{2})?"),
    says(r"LibreSSL [0-9]+\.[0-9.]*[0-9]"),
    says(r"Libgcrypt [0-9]+\.[0-9.]*[0-9]"),
    says(r"[Mm]bed TLS [0-9]+\.[0-9.]*[0-9]"),
    says(r"wolfSSL [0-9]+\.[0-9.]*[0-9]"),
    says(r"Botan [0-9]+\.[0-9]+\.[0-9]+"),
    says(r"NSS [0-9]+\.[0-9.]*[0-9]"),
    says(r"GnuTLS [0-9]+\.[0-9.]*[0-9]"),
    Known {
        name: "libsodium",
        sign: r"\x00sodium_version_string\x00",
        // In an object the string may follow code. The last instruction of 32-bit Arm can be printable.
        says: r"(?:[^ -~]|pG)(1\.0\.[0-9]{1,2})\x00",
    },
    // The nonce of its deterministic generator: it is present without the version too.
    Known { name: "libsodium", sign: "", says: "LibsodiumDRG" },
    says(r"LibTomCrypt [0-9]+\.[0-9.]*[0-9]"),
    Known { name: "Linux", sign: "", says: r"vermagic=([0-9]+\.[!-~]{1,100}) " },
    Known {
        name: "Nettle, libnettle",
        sign: r"\x00_nettle_aes_encrypt\x00",
        says: r"NETTLE_INTERNAL_([0-9]+)_([0-9]+)\x00",
    },
    Known {
        name: "Node.js",
        sign: "",
        says: r"nodejs\.org/download/[a-z-]+/v([0-9]+\.[0-9]+\.[0-9]+)",
    },
    Known {
        name: "Go",
        sign: "",
        // Version 2 of that note has flags, and then length-prefixed strings.
        says: r"(?s-u)\xff Go buildinf:.[\x02\x03].{16}.(?:go([0-9]+\.[0-9.]*[0-9])|(devel [ -~]{1,40}))",
    },
    Known {
        name: "ring",
        sign: "",
        says: r"ring_core_([0-9]+)_([0-9]+)_([0-9]+)|[/\\]ring-([0-9]+\.[0-9]+\.[0-9]+)[/\\]",
    },
    Known {
        name: "aws-lc-sys",
        sign: "",
        says: r"aws_lc_([0-9]+)_([0-9]+)_([0-9]+)_|[/\\]aws-lc-sys-([0-9]+\.[0-9]+\.[0-9]+)[/\\]",
    },
    Known { name: "aws-lc-fips-sys", sign: "", says: r"aws_lc_fips_([0-9]+)_([0-9]+)_([0-9]+)_" },
    Known { name: "graviola", sign: "", says: r"[/\\]graviola-([0-9]+\.[0-9]+\.[0-9]+)[/\\]" },
    // Crates of RustCrypto, by the paths in panic messages.
    Known {
        name: "RustCrypto",
        sign: "",
        says: r"[/\\]((?:aes|aes-gcm|aes-gcm-siv|cbc|ccm|chacha20|chacha20poly1305|cipher|ctr|ghash|hmac|md-5|poly1305|polyval|sha1|sha2|sha3)-[0-9]+\.[0-9]+\.[0-9]+(?:-[a-z]+\.[0-9]+)?)[/\\]src[/\\]",
    },
    says("BoringSSL"),
];

/// Libraries without a version string, by functions in a file.
const BY_FUNCTION: &[(&[u8], &str)] = &[
    (b"br_aes_", "BearSSL"),
    (b"br_sha256_", "BearSSL"),
    (b"krb5int_aes_", "krb5"),
    (b"k5_sha256", "krb5"),
    (b"sodium_init", "libsodium"),
];

/// A suffix of libraries that declare compatibility with another one.
const COMPATIBLE: &[u8] = b" (compatible";

/// The compiler flags of OpenSSL, and those that GCC notes for debuggers.
const COMPILERS: [&str; 2] =
    [r"compiler: ([ -~]{3,2000})", r"[^ -~](GNU C(?:\+\+)?[0-9]+ [0-9]+\.[ -~]{3,2000})"];

/// The target that OpenSSL was configured for.
const PLATFORM: &str = r"platform: ([!-~]{2,80})";

fn pattern(pattern: &str) -> Regex {
    Regex::new(&format!("(?-u){pattern}")).expect("it was tried")
}

/// All at once, as few of them are in a file: then only those that match are searched for.
static SET: LazyLock<RegexSet> = LazyLock::new(|| {
    let patterns =
        KNOWN.iter().map(|known| if known.sign.is_empty() { known.says } else { known.sign });
    let patterns =
        patterns.chain(COMPILERS).chain([PLATFORM]).map(|pattern| format!("(?-u){pattern}"));
    RegexSet::new(patterns).expect("they were tried")
});

static SAYS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| KNOWN.iter().map(|known| pattern(known.says)).collect());

static CONFIGURED: LazyLock<Regex> = LazyLock::new(|| pattern(PLATFORM));

static COMPILED: LazyLock<[Regex; 2]> = LazyLock::new(|| COMPILERS.map(pattern));

/// Libraries in a file.
#[derive(Debug, Default)]
pub(super) struct Libraries {
    /// Their names and versions, the best identified first.
    pub(super) names: Vec<String>,
    /// The compiler flags of the first of them that has them.
    pub(super) compiler: Option<String>,
    /// OpenSSL's target that it was configured for.
    pub(super) platform: Option<String>,
    /// Whether some of it was compiled with optimisation, and some without, as far as recorded.
    levels: Levels,
    by_function: Vec<&'static str>,
}

#[derive(Debug, Default)]
struct Levels {
    optimised: bool,
    not: bool,
}

impl Levels {
    /// Adds compiler flags. GCC's notes are complete: flags that they lack were not given.
    fn add(&mut self, line: &str) {
        // The last flag takes effect.
        match line.split_whitespace().rfind(|flag| flag.starts_with("-O")) {
            Some("-O0") => self.not = true,
            None if line.starts_with("GNU C") => self.not = true,
            _ => self.optimised = true,
        }
    }
}

impl Libraries {
    /// Adds the libraries in a file, or in a member of an archive.
    pub(super) fn find(&mut self, bytes: &[u8]) {
        for matched in SET.matches(bytes) {
            let Some(Known { name, .. }) = KNOWN.get(matched) else {
                self.find_build(matched - KNOWN.len(), bytes);
                continue;
            };
            for said in SAYS[matched].captures_iter(bytes) {
                let whole = said.get(0).expect("it is the match");
                if bytes[whole.end()..].starts_with(COMPATIBLE) {
                    continue;
                }
                let version: Vec<String> =
                    said.iter().skip(1).flatten().map(|group| text(group.as_bytes())).collect();
                let told = match *name {
                    "" => text(whole.as_bytes()),
                    name if version.is_empty() => name.into(),
                    name => format!("{name} {}", version.join(".")),
                };
                self.add(told);
            }
        }
        if self.names.len() > 1 {
            // A word that other libraries use too.
            self.names.retain(|name| name != "BoringSSL");
        }
    }

    /// Adds the build information.
    fn find_build(&mut self, which: usize, bytes: &[u8]) {
        let Some(compiled) = COMPILED.get(which) else {
            let said = CONFIGURED.captures(bytes).map(|found| text(&found[1]));
            self.platform = self.platform.take().or(said.filter(|platform| platform != "n/a"));
            return;
        };
        // BoringSSL and its forks return this string.
        let said = compiled.captures_iter(bytes).map(|found| text(&found[1]));
        for line in said.filter(|line| line != "n/a").take(MOST) {
            self.levels.add(&line);
            self.compiler.get_or_insert(line);
        }
    }

    /// Adds the name of a function in the file.
    pub(super) fn defines(&mut self, name: &[u8]) {
        let known = BY_FUNCTION.iter().find(|(start, _)| name.starts_with(start));
        if let Some((_, library)) = known
            && !self.by_function.contains(library)
        {
            self.by_function.push(library);
        }
    }

    /// Adds the libraries that are known only by their functions.
    pub(super) fn finish(&mut self) {
        for library in std::mem::take(&mut self.by_function) {
            self.add(library.into());
        }
    }

    /// Whether it was compiled without optimisation, in all recorded flags.
    pub(super) fn not_optimised(&self) -> bool {
        self.levels.not && !self.levels.optimised
    }

    /// Whether it is a program of Go.
    pub(super) fn of_go(&self) -> bool {
        self.names.iter().any(|name| name.starts_with("Go "))
    }

    fn add(&mut self, told: String) {
        // The same version may be present with its date and without.
        let less =
            |less: &str, more: &str| more.strip_prefix(less).is_some_and(|it| it.starts_with(' '));
        let known = |name: &String| *name == told || less(&told, name);
        if self.names.len() < MOST && !self.names.iter().any(known) {
            self.names.retain(|name| !less(name, &told));
            self.names.push(told);
        }
    }
}

/// The printable text between zero bytes.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: &[u8]) -> Vec<String> {
        let mut libraries = Libraries::default();
        libraries.find(bytes);
        libraries.names
    }

    #[test]
    fn libraries_are_known_by_what_they_say() {
        for (said, name) in [
            (&b"\0OpenSSL 3.0.19 27 Jan 2026\0"[..], "OpenSSL 3.0.19 27 Jan 2026"),
            (b"OpenSSL 1.1.1 (compatible; AWS-LC 1.65.0)", "AWS-LC 1.65.0"),
            (b"OpenSSL 1.1.1 (compatible; BoringSSL)", "BoringSSL"),
            (b"This is Libgcrypt 1.10.1 - The", "Libgcrypt 1.10.1"),
            (b"\0mbed TLS 2.28.3\0", "mbed TLS 2.28.3"),
            (b"Version: NSS 3.87.1 Basic ECC", "NSS 3.87.1"),
            (b"Enabled GnuTLS 3.7.9 logging...", "GnuTLS 3.7.9"),
            (b"Botan 2.19.3 (unreleased", "Botan 2.19.3"),
            (b"\0sodium_version_string\0\x001.0.18\0", "libsodium 1.0.18"),
            (b"\x70\x471.0.18\0\0sodium_version_string\0", "libsodium 1.0.18"),
            (b"LibsodiumDRG", "libsodium"),
            (b"-LibTomCrypt 1.18.2 (www.libtom.net)", "LibTomCrypt 1.18.2"),
            (b"\0vermagic=6.1.0-50-arm64 SMP mod_unload aarch64\0", "Linux 6.1.0-50-arm64"),
            (b"\0_nettle_aes_encrypt\0NETTLE_INTERNAL_8_6\0", "Nettle, libnettle 8.6"),
            (b"https://nodejs.org/download/release/v20.19.2/node", "Node.js 20.19.2"),
            (b"\0ring_core_0_17_14__aes_hw\0", "ring 0.17.14"),
            (b"/registry/aes-0.9.0-rc.1/src/lib.rs", "RustCrypto aes-0.9.0-rc.1"),
            (b"/registry/aws-lc-sys-0.38.0/aws-lc/", "aws-lc-sys 0.38.0"),
        ] {
            assert_eq!(found(said), [name]);
        }
        let go = [&b"\xff Go buildinf:\x08\x02"[..], &[0; 16], b"\x08go1.24.2\x20path"].concat();
        assert_eq!(found(&go), ["Go 1.24.2"]);
        assert!(found(b"OpenSSL, \x001.0.18\0 and Go").is_empty());
        assert!(found(b"\0sodium_version_string\0serde-1.0.219\0/src/libc-1.0.19\0").is_empty());
    }

    #[test]
    fn a_file_has_several_and_each_once() {
        let several =
            b"/aes-0.8.4/src/ni.rs /sha2-0.10.8/src/x.rs OpenSSL 3.0.2\0OpenSSL 3.0.2 15 Mar 2022 \
                        OpenSSL 3.0.2 /aes-0.8.4/src/lib.rs";
        let right = ["OpenSSL 3.0.2 15 Mar 2022", "RustCrypto aes-0.8.4", "RustCrypto sha2-0.10.8"];
        assert_eq!(found(several), right);
    }

    #[test]
    fn compiler_is_what_openssl_says() {
        let mut libraries = Libraries::default();
        libraries.find(b"\0compiler: n/a\0");
        assert_eq!(libraries.compiler, None);
        libraries.find(b"\0compiler: gcc -O2 -DNDEBUG\0");
        libraries.find(b"\0compiler: clang -O0\0");
        assert_eq!(libraries.compiler.as_deref(), Some("gcc -O2 -DNDEBUG"));
    }

    /// Debug information is used if there is nothing else.
    #[test]
    fn compiler_is_what_gcc_notes() {
        let note = b"\0GNU C99 12.2.0 -mtune=generic -O0 -std=gnu99 -fpic\0";
        let mut libraries = Libraries::default();
        libraries.find(note);
        let flags = "GNU C99 12.2.0 -mtune=generic -O0 -std=gnu99 -fpic";
        assert_eq!(libraries.compiler.as_deref(), Some(flags));
        let mut libraries = Libraries::default();
        libraries.find(&[&note[..], b"compiler: gcc -O2\0"].concat());
        assert_eq!(libraries.compiler.as_deref(), Some("gcc -O2"));
    }
    /// A library without a version string is identified by its contents, and by its version if it is present
    /// too.
    #[test]
    fn libraries_without_a_version() {
        let of = |bytes: &[u8], functions: &[&str]| {
            let mut libraries = Libraries::default();
            functions.iter().for_each(|name| libraries.defines(name.as_bytes()));
            libraries.find(bytes);
            libraries.finish();
            libraries.names
        };
        assert_eq!(of(b"LibsodiumDRG", &["sodium_init"]), ["libsodium"]);
        let versioned = b"LibsodiumDRG\0sodium_version_string\0\x001.0.18\0";
        assert_eq!(of(versioned, &["sodium_init"]), ["libsodium 1.0.18"]);
        assert_eq!(of(b"", &["krb5int_aes_encrypt", "k5_sha256"]), ["krb5"]);
        assert_eq!(of(b"", &["br_aes_ct_keysched"]), ["BearSSL"]);
        assert!(of(b"sodium_init", &["main"]).is_empty());
    }

    #[test]
    fn what_is_not_optimised_is_known() {
        let not = |bytes: &[u8]| {
            let mut libraries = Libraries::default();
            libraries.find(bytes);
            libraries.not_optimised()
        };
        assert!(not(b"\0compiler: gcc -O2 -O0 -DNDEBUG\0"));
        assert!(!not(b"\0compiler: gcc -O0 -O3\0") && !not(b"\0compiler: cc -DNDEBUG\0"));
        // GCC's own notes are complete, and no flag is -O0.
        assert!(not(b"\0GNU C17 12.2.0 -mtune=generic -g\0"));
        assert!(!not(b"\0GNU C17 12.2.0 -mtune=generic -g -Os\0"));
        // Parts of it were compiled differently.
        assert!(!not(b"\0GNU C17 12.2.0 -g\0GNU C17 12.2.0 -g -O2\0"));
    }

    #[test]
    fn platform_is_what_openssl_says() {
        let mut libraries = Libraries::default();
        libraries.find(b"\0platform: linux-generic64\0");
        assert_eq!(libraries.platform.as_deref(), Some("linux-generic64"));
    }
}
