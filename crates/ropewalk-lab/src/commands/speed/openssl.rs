//! The options of `openssl speed`, in the words of ours: before clap sees them, for it knows no long option with one dash.

use std::ffi::OsString;

use super::super::Usage;
use crate::{
    names,
    tasks::{Kind, Mac, TASKS, Task},
};

/// The arguments of this command, with options of `openssl speed` translated, where there are some.
pub(in crate::commands) fn translated(args: Vec<OsString>) -> Result<Vec<OsString>, Usage> {
    match args.get(1).is_some_and(|command| command == "speed") {
        true => Words::read(&args[2..])?.into_args(&args),
        false => Ok(args),
    }
}

/// What to say of them in the help.
pub(super) const HELP: &str = "\
Options of `openssl speed` work too: -evp NAME, -hmac NAME, -cmac NAME, -decrypt, -aead, -mb, -bytes N, -seconds S, -elapsed, and \
-multi N, which is `ropewalk scale --threads N`. As there, -evp times updates in the middle of a message where a cipher has \
such, and -aead whole messages.";

/// One of its options.
struct Known {
    name: &'static str,
    does: Does,
}

/// What it does here.
enum Does {
    /// It takes the name of an algorithm.
    Algorithm(Family),
    /// It takes what this one takes.
    Is(&'static str),
    /// It says of the algorithm that.
    Says(fn(&mut Words)),
    /// Nothing, for it is always so.
    Nothing,
    /// It has no place here, and why.
    Refused(&'static str),
}

/// Of which algorithms there are names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Evp,
    Hmac,
    Cmac,
}

const KNOWN: &[Known] = &[
    Known { name: "evp", does: Does::Algorithm(Family::Evp) },
    Known { name: "hmac", does: Does::Algorithm(Family::Hmac) },
    Known { name: "cmac", does: Does::Algorithm(Family::Cmac) },
    Known { name: "bytes", does: Does::Is("--bytes") },
    Known { name: "seconds", does: Does::Is("--seconds") },
    Known { name: "multi", does: Does::Is("--threads") },
    Known { name: "decrypt", does: Does::Says(|words| words.decrypt = true) },
    Known { name: "aead", does: Does::Says(|words| words.whole = true) },
    Known { name: "mb", does: Does::Says(|words| words.many = true) },
    Known { name: "elapsed", does: Does::Nothing },
    Known { name: "engine", does: Does::Refused("--lib PATH measures one more library") },
    Known {
        name: "provider",
        does: Does::Refused("a library is measured as its configuration has it"),
    },
    Known {
        name: "provider-path",
        does: Does::Refused("a library is measured as its configuration has it"),
    },
    Known {
        name: "propquery",
        does: Does::Refused("a library is measured as its configuration has it"),
    },
    Known {
        name: "config",
        does: Does::Refused("OPENSSL_CONF names a configuration to the library"),
    },
    Known { name: "primes", does: Does::Refused("RSA is not measured here") },
    Known {
        name: "kem-algorithms",
        does: Does::Refused("encapsulation of keys is not measured here"),
    },
    Known { name: "signature-algorithms", does: Does::Refused("signatures are not measured here") },
    Known {
        name: "async_jobs",
        does: Does::Refused("every call is waited for; `ropewalk scale` has several work at once"),
    },
    Known { name: "misalign", does: Does::Refused("messages lie where memory is given for them") },
    Known {
        name: "mlock",
        does: Does::Refused("what is timed is in memory, for it has run before"),
    },
    Known { name: "mr", does: Does::Refused("--json FILE is for programs to read") },
    Known {
        name: "testmode",
        does: Does::Refused(
            "every answer is compared before it is timed; `ropewalk selftest` does so alone",
        ),
    },
    Known { name: "rand", does: Does::Refused("keys and messages are the same in every run") },
    Known { name: "writerand", does: Does::Refused("keys and messages are the same in every run") },
];

/// The sizes that it measures where none is given.
const SIZES: &str = "16,64,256,1024,8192,16384";

/// Messages that stand for `-mb`, as many as the widest of its multi-blocks has.
const MANY: &str = "8";

/// Its names of what has another name here, or several. All in lower case, for it does not tell cases apart.
const NAMES: &[(&str, &str)] = &[
    ("aes128", "aes-128-cbc"),
    ("aes192", "aes-192-cbc"),
    ("aes256", "aes-256-cbc"),
    ("id-aes128-gcm", "aes-128-gcm"),
    ("id-aes192-gcm", "aes-192-gcm"),
    ("id-aes256-gcm", "aes-256-gcm"),
    ("id-aes128-ccm", "aes-128-ccm"),
    ("id-aes192-ccm", "aes-192-ccm"),
    ("id-aes256-ccm", "aes-256-ccm"),
    ("id-aes128-wrap", "aes-128-kw"),
    ("id-aes192-wrap", "aes-192-kw"),
    ("id-aes256-wrap", "aes-256-kw"),
    ("aes128-wrap", "aes-128-kw"),
    ("aes192-wrap", "aes-192-kw"),
    ("aes256-wrap", "aes-256-kw"),
    ("aes-128-wrap", "aes-128-kw"),
    ("aes-192-wrap", "aes-192-kw"),
    ("aes-256-wrap", "aes-256-kw"),
    ("ssl3-md5", "md5"),
    ("sha-1", "sha1"),
    ("ssl3-sha1", "sha1"),
    ("sha2-224", "sha224"),
    ("sha-224", "sha224"),
    ("sha2-256", "sha256"),
    ("sha-256", "sha256"),
    ("sha2-384", "sha384"),
    ("sha-384", "sha384"),
    ("sha2-512", "sha512"),
    ("sha-512", "sha512"),
    ("sha2-512/256", "sha512-256"),
    ("sha-512/256", "sha512-256"),
    ("shake-128", "shake128"),
    ("shake-256", "shake256"),
];

/// What a command line says in its words.
#[derive(Default)]
struct Words {
    /// Whether there is any of its options.
    any: bool,
    algorithm: Option<(Family, String)>,
    decrypt: bool,
    whole: bool,
    many: bool,
    /// Those of ours, and what came with them.
    ours: Vec<OsString>,
}

impl Words {
    fn read(args: &[OsString]) -> Result<Self, Usage> {
        let mut words = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let Some(known) = known(arg) else {
                words.ours.push(arg.clone());
                // What features are switched off may look like an option.
                if arg == "--mask" {
                    words.ours.extend(args.next().cloned());
                }
                continue;
            };
            words.any = true;
            let mut value =
                || args.next().ok_or_else(|| Usage(format!("-{}: of what?", known.name)));
            match &known.does {
                Does::Algorithm(family) => {
                    let name = value()?.to_string_lossy().into_owned();
                    if words.algorithm.replace((*family, name)).is_some() {
                        return Err(Usage("-evp, -hmac and -cmac: one of them, once".into()));
                    }
                }
                Does::Is(ours) => words.ours.extend([OsString::from(ours), value()?.clone()]),
                Does::Says(say) => say(&mut words),
                Does::Nothing => {}
                Does::Refused(why) => return Err(Usage(format!("-{}: {why}", known.name))),
            }
        }
        Ok(words)
    }

    /// The whole command line, from what it was.
    fn into_args(self, before: &[OsString]) -> Result<Vec<OsString>, Usage> {
        if !self.any {
            return Ok(before.to_vec());
        }
        let mut added: Vec<OsString> = Vec::new();
        match &self.algorithm {
            Some((family, name)) => {
                let task = task(*family, name, self.decrypt)?;
                added.push(task.full_name().into());
                // These are of whole messages.
                let whole =
                    ["--mode", "--cold", "--mix", "--keys"].iter().any(|ours| self.has(ours));
                let whole = whole || self.whole || self.many;
                if *family == Family::Evp && !whole && goes_on(task) {
                    added.extend(["--mode".into(), "stream".into()]);
                }
                if !self.has("--bytes") && !self.has("--mix") {
                    added.extend(["--bytes".into(), SIZES.into()]);
                }
            }
            None if self.decrypt || self.whole || self.many => {
                return Err(Usage("-decrypt, -aead and -mb: of what? -evp NAME says it".into()));
            }
            None => {}
        }
        if self.many {
            added.extend(["--count".into(), MANY.into()]);
        }
        let command = if self.has("--threads") { "scale".into() } else { before[1].clone() };
        Ok([before[0].clone(), command].into_iter().chain(self.ours).chain(added).collect())
    }

    fn has(&self, option: &str) -> bool {
        let is = |word: &OsString| {
            word.to_str().is_some_and(|word| {
                word.strip_prefix(option)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
            })
        };
        self.ours.iter().any(is)
    }
}

/// Which of its options a word is. It takes two dashes as well; what has two and is ours stays ours.
fn known(arg: &OsString) -> Option<&'static Known> {
    let arg = arg.to_str()?;
    let name = arg.strip_prefix("--").or(arg.strip_prefix('-'))?;
    let ours = arg.starts_with("--") && matches!(name, "bytes" | "seconds");
    KNOWN.iter().find(|known| known.name == name && !ours)
}

/// Whether it times updates of it, which it does of ciphers and not of hash functions.
fn goes_on(task: &Task) -> bool {
    task.kind.streams() && !matches!(task.kind, Kind::Hash(_))
}

fn task(family: Family, name: &str, decrypt: bool) -> Result<&'static Task, Usage> {
    let of_it = TASKS.iter().filter(|task| is_of(family, task));
    let lower = name.to_lowercase();
    let renamed = NAMES.iter().find(|(theirs, _)| *theirs == lower);
    let plain = renamed.map_or(lower.as_str(), |(_, ours)| ours);
    let named: Vec<&Task> = of_it.clone().filter(|task| theirs(family, task) == plain).collect();
    let Some(first) = named.first() else {
        let option =
            KNOWN.iter().find(|known| matches!(known.does, Does::Algorithm(of) if of == family));
        let what = format!("algorithm of -{}", option.map_or("", |known| known.name));
        let known: Vec<String> = of_it.map(|task| theirs(family, task)).collect();
        return Err(Usage(names::unknown(&what, name, known.iter().map(String::as_str))));
    };
    if !decrypt || matches!(first.kind, Kind::Ctr { .. } | Kind::ChaCha20) {
        // To decrypt in counter mode is to encrypt.
        return Ok(first);
    }
    let back = named.iter().find(|task| ["decrypt", "open", "unwrap"].contains(&task.op));
    back.copied().ok_or_else(|| Usage(format!("-decrypt: nothing is decrypted by {name}")))
}

fn is_of(family: Family, task: &Task) -> bool {
    match (family, task.kind) {
        (Family::Hmac, Kind::Mac(Mac::Hmac(_))) | (Family::Cmac, Kind::Mac(Mac::Cmac { .. })) => {
            true
        }
        (Family::Evp, Kind::Mac(_) | Kind::Gmac { .. } | Kind::Fill) => false,
        (Family::Evp, _) => !task.kind.by_call(),
        _ => false,
    }
}

/// What it calls the algorithm of a task, after its option: of a MAC, what that is made of.
fn theirs(family: Family, task: &Task) -> String {
    match family {
        Family::Evp => task.name.into(),
        Family::Hmac => task.name.replacen("hmac-", "", 1),
        Family::Cmac => task.name.replace("-cmac", "-cbc"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::words;

    fn of(words: &str) -> Result<String, String> {
        let args = ["ropewalk"].into_iter().chain(words.split_whitespace());
        let args = translated(args.map(OsString::from).collect()).map_err(|Usage(why)| why)?;
        let words: Vec<_> =
            args[1..].iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        Ok(words.join(" "))
    }

    #[test]
    fn its_command_lines_are_ours() {
        for (theirs, ours) in [
            (
                "speed -evp aes-128-gcm -bytes 16384 -seconds 1",
                "speed --bytes 16384 --seconds 1 aes-128-gcm/seal --mode stream",
            ),
            (
                "speed -elapsed -evp id-aes128-GCM -aead --bytes 1024",
                "speed --bytes 1024 aes-128-gcm/seal",
            ),
            ("speed -bytes 8 -evp AES-256-CBC -decrypt", "speed --bytes 8 aes-256-cbc/decrypt"),
            ("speed -evp aes256 -bytes 16", "speed --bytes 16 aes-256-cbc/encrypt"),
            (
                "speed -bytes 8 -decrypt -evp ChaCha20-Poly1305",
                "speed --bytes 8 chacha20-poly1305/open",
            ),
            (
                "speed -evp aes-128-ctr -decrypt -bytes 64",
                "speed --bytes 64 aes-128-ctr/encrypt --mode stream",
            ),
            ("speed -evp SHA2-256", "speed sha256/digest --bytes 16,64,256,1024,8192,16384"),
            ("speed -hmac sha256 -bytes 64", "speed --bytes 64 hmac-sha256/mac"),
            ("speed -cmac AES-128-CBC -bytes 64", "speed --bytes 64 aes-128-cmac/mac"),
            (
                "speed -mb -evp aes-128-cbc-hmac-sha1 -bytes 8192",
                "speed --bytes 8192 aes-128-cbc-hmac-sha1/seal --count 8",
            ),
            (
                "speed --multi 4 -evp aes-128-gcm -bytes 1024 --peers none",
                "scale --threads 4 --bytes 1024 --peers none aes-128-gcm/seal --mode stream",
            ),
            (
                "speed -evp aes-128-ctr -bytes 8 --mode=message",
                "speed --bytes 8 --mode=message aes-128-ctr/encrypt",
            ),
            ("speed -bytes 64 sha256", "speed --bytes 64 sha256"),
            (
                "speed -evp aes-128-ctr --cold --bytes=8",
                "speed --cold --bytes=8 aes-128-ctr/encrypt",
            ),
            // These are not its.
            ("speed sha256 --bytes 16 --mask -evp", "speed sha256 --bytes 16 --mask -evp"),
            ("speed --seconds -1", "speed --seconds -1"),
            ("doctor -evp", "doctor -evp"),
            ("", ""),
        ] {
            assert_eq!(of(theirs).as_deref(), Ok(ours), "{theirs}");
        }
    }

    #[test]
    fn what_has_no_place_here_says_why() {
        for (theirs, why) in [
            ("speed -evp rot13", "no algorithm of -evp is called `rot13`"),
            ("speed -evp aes-128-gmc", "nearest is aes-128-gcm"),
            ("speed -evp hmac-sha256", "no algorithm of -evp"),
            ("speed -hmac aes-128-cbc", "no algorithm of -hmac"),
            ("speed -cmac sha256", "no algorithm of -cmac"),
            ("speed -cmac rot13", "aes-128-cbc"),
            ("speed -evp sha256 -decrypt", "-decrypt: nothing is decrypted by sha256"),
            ("speed -decrypt", "-evp NAME"),
            ("speed -evp", "-evp: of what?"),
            ("speed -evp aes-128-gcm -hmac sha256", "one of them, once"),
            ("speed -engine afalg -evp aes-128-cbc", "-engine: --lib PATH"),
            ("speed -primes 3", "-primes: RSA"),
            ("speed -async_jobs 4", "-async_jobs: every call"),
            ("speed -misalign 1", "-misalign: messages lie"),
            ("speed -mr -evp sha256", "-mr: --json FILE"),
        ] {
            let said = of(theirs).expect_err(theirs);
            assert!(said.contains(why) && !said.contains('\n'), "{theirs}: {said}");
        }
    }

    /// Every task it has a name for is found by that name, and every other name leads to one.
    #[test]
    fn names_lead_to_tasks() {
        for family in [Family::Evp, Family::Hmac, Family::Cmac] {
            for one in TASKS.iter().filter(|task| is_of(family, task)) {
                let name = theirs(family, one).to_uppercase();
                let found = task(family, &name, false).map_err(|Usage(why)| why).unwrap();
                assert_eq!(found.name, one.name);
            }
        }
        for (theirs, ours) in NAMES {
            assert_eq!(*theirs, theirs.to_lowercase());
            let found = task(Family::Evp, theirs, false).map_err(|Usage(why)| why).unwrap();
            assert_eq!(found.name, *ours, "{theirs}");
        }
    }

    #[test]
    fn clap_takes_what_comes_of_it() {
        for theirs in ["speed -evp aes-128-gcm -mb", "speed -multi 1 -hmac sha1", "speed -evp md5"]
        {
            let args = of(theirs).unwrap();
            let args = ["ropewalk"].into_iter().chain(args.split(' '));
            words().try_get_matches_from(args).unwrap_or_else(|e| panic!("{theirs}: {e}"));
        }
    }
}
