//! Translates the options of `openssl speed`, before clap sees them, since it does not support long options
//! with one dash.

use std::ffi::OsString;

use super::super::Usage;
use crate::{
    names,
    tasks::{AeadOp, Kind, Mac, TASKS, Task, size},
};
use tool::{Tool, Work};

mod tool;

/// The arguments of this command, with options of `openssl speed` translated, and the notes on that.
pub(in crate::commands) fn translated(
    args: Vec<OsString>,
) -> Result<(Vec<OsString>, Option<String>), Usage> {
    match args.get(1).is_some_and(|command| command == "speed") {
        true => Words::read(&args[2..])?.into_args(&args, Tool::found),
        false => Ok((args, None)),
    }
}

/// The text in the help.
pub(super) const HELP: &str = "\
Options of `openssl speed` work too: -evp NAME, -hmac NAME, -cmac NAME, -decrypt, -aead, -mb, -bytes N, -seconds S, -elapsed, -mr, and \
-multi N, which is `ropewalk scale --threads N`. The mode is the one that does the work that the tool of the `openssl` that is \
found here does, and a line says which. Of -evp: updates in the middle of a message (--mode stream) for CTR, CBC, XTS, ChaCha20 \
and ChaCha20-Poly1305; for GCM and CCM whole messages with a key each (--mode setup) since 3.0.16, 3.1.8, 3.2.4, 3.3.3 and 3.4.1, \
and before that updates of GCM, and with -aead whole messages (--mode message); for hash functions whole messages with a context \
each (--mode setup). -hmac and -cmac are whole messages, also by EVP_MAC, as the tool has them: \
--peers libcrypto:provider=default. -mb N is a call of eight records that have N bytes together.";

/// An option of the tool.
struct Known {
    name: &'static str,
    does: Does,
}

/// Its effect here.
enum Does {
    /// It takes the name of an algorithm.
    Algorithm(Family),
    /// It is the same as an option of this command.
    Is(&'static str),
    /// It modifies the algorithm.
    Says(fn(&mut Words)),
    /// No effect, since it is always so.
    Nothing,
    /// It is not supported, with the reason.
    Refused(&'static str),
}

/// The families of algorithm names.
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
    Known {
        name: "engine",
        does: Does::Refused("--peers libcrypto:engine=NAME measures one engine"),
    },
    Known { name: "provider", does: Does::Refused(ONE_PROVIDER) },
    Known { name: "provider-path", does: Does::Refused(ONE_PROVIDER) },
    Known { name: "propquery", does: Does::Refused(ONE_PROVIDER) },
    Known {
        name: "config",
        does: Does::Refused("libraries are measured without any configuration"),
    },
    Known { name: "primes", does: Does::Refused("keys of RSA have two primes here") },
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
    Known { name: "mr", does: Does::Says(|words| words.ours.push("--mr".into())) },
    Known {
        name: "testmode",
        does: Does::Refused(
            "every answer is compared before it is timed; `ropewalk selftest` does only that",
        ),
    },
    Known { name: "rand", does: Does::Refused("keys and messages are the same in every run") },
    Known { name: "writerand", does: Does::Refused("keys and messages are the same in every run") },
];

const ONE_PROVIDER: &str = "--peers libcrypto:provider=NAME measures one provider";

/// The default sizes of the tool, with `-aead`, and with `-mb`.
const SIZES: &str = "16,64,256,1024,8192,16384";
const SIZES_OF_AEAD: &str = "2,31,136,1024,8192,16384";
const SIZES_OF_MANY: &str = "8192,16384,32768,65536,131072";

/// Records of a call of `-mb`, which share the given bytes.
const MANY: usize = 8;

/// The peer that uses the same interface as the tool for `-hmac` and `-cmac`.
const BY_EVP_MAC: &str = "libcrypto:provider=default";

/// Names of the tool for tasks with other names here, or with several. All in lower case, since it ignores
/// case.
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
    ("des-ede3-cbc", "3des-cbc"),
    ("des3", "3des-cbc"),
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

/// A command line with the tool's options.
#[derive(Default)]
struct Words {
    /// Whether there is any of its options.
    any: bool,
    algorithm: Option<(Family, String)>,
    decrypt: bool,
    whole: bool,
    many: bool,
    /// Options of this command, and those that were added.
    ours: Vec<OsString>,
}

impl Words {
    fn read(args: &[OsString]) -> Result<Self, Usage> {
        let mut words = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let Some(known) = known(arg) else {
                words.ours.push(arg.clone());
                // A list of disabled features may look like an option.
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

    /// The whole command line, from the original one, and the notes.
    fn into_args(
        mut self,
        before: &[OsString],
        tool: impl FnOnce() -> Tool,
    ) -> Result<(Vec<OsString>, Option<String>), Usage> {
        if !self.any {
            return Ok((before.to_vec(), None));
        }
        let Some((family, name)) = self.algorithm.take() else {
            if self.decrypt || self.whole || self.many {
                return Err(Usage("-decrypt, -aead and -mb: of what? -evp NAME says it".into()));
            }
            return Ok((self.command(before, Vec::new()), None));
        };
        let task = task(family, &name, self.decrypt)?;
        if self.whole && !is_aead(task) {
            return Err(Usage(format!("-aead: {name} is no AEAD")));
        }
        let mut added: Vec<OsString> = vec![task.full_name().into()];
        let said = if self.many {
            added.extend(["--count".into(), MANY.to_string().into()]);
            self.share_bytes(task, &name)?;
            None
        } else if ["--mode", "--cold", "--mix", "--keys", "--stride"]
            .iter()
            .any(|ours| self.has(ours))
        {
            None
        } else {
            let tool = tool();
            let Work { mode, but } = tool.work(task, self.whole);
            let mode = clap::ValueEnum::to_possible_value(&mode).expect("no mode is skipped");
            let mode = mode.get_name().to_owned();
            added.extend(["--mode".into(), mode.as_str().into()]);
            let but = if but.is_empty() { String::new() } else { format!("; {but}") };
            Some(format!("as `openssl speed` of {} does it: --mode {mode}{but}", tool.name))
        };
        if family != Family::Evp {
            self.also_by_evp_mac();
        }
        if !self.has("--bytes") && !self.has("--mix") {
            let sizes = if self.whole { SIZES_OF_AEAD } else { SIZES };
            added.extend(["--bytes".into(), sizes.into()]);
        }
        Ok((self.command(before, added), said))
    }

    fn command(self, before: &[OsString], added: Vec<OsString>) -> Vec<OsString> {
        let command = if self.has("--threads") { "scale".into() } else { before[1].clone() };
        [before[0].clone(), command].into_iter().chain(self.ours).chain(added).collect()
    }

    /// Splits the bytes of `-mb` between its records.
    fn share_bytes(&mut self, task: &Task, name: &str) -> Result<(), Usage> {
        if !matches!(task.kind, Kind::Records { op: AeadOp::Seal, .. }) {
            return Err(Usage(format!(
                "-mb: {name} has no call of several records; --count 8 gives eight messages to a call"
            )));
        }
        let given = self.ours.iter().position(|word| word == "--bytes");
        let bytes = match given.filter(|at| at + 1 < self.ours.len()) {
            Some(at) => {
                let words = self.ours.drain(at..at + 2).nth(1).unwrap_or_default();
                words.to_string_lossy().into_owned()
            }
            None if self.has("--bytes") => return Err(Usage("-mb: -bytes N says how many".into())),
            None => SIZES_OF_MANY.into(),
        };
        let shares: Result<Vec<String>, Usage> = bytes
            .split(',')
            .map(|bytes| Ok((size::parse(bytes).map_err(Usage)? / MANY).max(1).to_string()))
            .collect();
        self.ours.extend(["--bytes".into(), shares?.join(",").into()]);
        Ok(())
    }

    /// Adds the interface of the tool to the measured ones, if libcrypto is measured at all.
    fn also_by_evp_mac(&mut self) {
        let at = self.ours.iter().position(|word| word == "--peers");
        let wanted = |list: &str| list.split(',').any(|peer| ["all", "libcrypto"].contains(&peer));
        match at
            .and_then(|at| self.ours.get(at + 1))
            .map(|list| list.to_string_lossy().into_owned())
        {
            Some(list) if !wanted(&list) => {}
            Some(_) => self.ours.extend(["--peers".into(), BY_EVP_MAC.into()]),
            None if self.has("--peers") => {}
            None => self.ours.extend(["--peers".into(), format!("all,{BY_EVP_MAC}").into()]),
        }
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

/// The tool's option for a word. The tool accepts two dashes as well; options of this command take
/// precedence.
fn known(arg: &OsString) -> Option<&'static Known> {
    let arg = arg.to_str()?;
    let name = arg.strip_prefix("--").or(arg.strip_prefix('-'))?;
    let ours = arg.starts_with("--") && matches!(name, "bytes" | "seconds");
    KNOWN.iter().find(|known| known.name == name && !ours)
}

/// Whether `-aead` applies to it.
fn is_aead(task: &Task) -> bool {
    matches!(
        task.kind,
        Kind::Gcm { .. } | Kind::Ccm { .. } | Kind::ChaChaPoly { .. } | Kind::Records { .. }
    )
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
        // In counter mode decryption is the same as encryption.
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

/// The tool's name of the algorithm of a task, after its option: for a MAC, the underlying algorithm.
fn theirs(family: Family, task: &Task) -> String {
    match family {
        Family::Evp => task.name.into(),
        Family::Hmac => task.name.replacen("hmac-", "", 1),
        Family::Cmac => task.name.replace("-cmac", "-cbc"),
    }
}

#[cfg(test)]
mod tests;
