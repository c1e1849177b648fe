//! The names of tasks as users write them.

use super::{AeadOp, Kind, Mac, TASKS, Task};
use crate::names;

/// The tasks that a word names: `aes-256-gcm`, `AES256GCM`, `sha-256`, `aes-256-gcm/encrypt`, a group such as `gcm`, or the
/// beginning of several names, such as `chacha`. Case and `-`, `_`, `/`, `.`, `:` and spaces do not matter.
///
/// # Errors
/// If it names none, in one line: that it is not measured yet, or the nearest names.
pub fn find(word: &str) -> Result<Vec<&'static Task>, String> {
    let plain = plain(word);
    let found = named(&plain).or_else(|| with_operation(word)).or_else(|| beginning(&plain));
    match found {
        Some(tasks) => Ok(tasks),
        None => Err(unknown(word, &plain)),
    }
}

/// A name for several tasks.
pub struct Group {
    /// `gcm`.
    pub name: &'static str,
    /// Its contents.
    pub what: &'static str,
    has: fn(&Task) -> bool,
}

/// Every group.
pub const GROUPS: &[Group] = &[
    Group { name: "all", what: "every task", has: |_| true },
    Group {
        name: "headline",
        what: "what a bare `ropewalk speed` shows",
        has: |task| task.headline,
    },
    Group { name: "aead", what: "authenticated encryption", has: |task| is_aead(task.kind) },
    Group {
        name: "cipher",
        what: "encryption without authentication",
        has: |task| is_cipher(task.kind),
    },
    Group { name: "hash", what: "hash functions", has: |task| matches!(task.kind, Kind::Hash(_)) },
    Group { name: "mac", what: "message authentication codes", has: |task| is_mac(task.kind) },
    Group { name: "aes", what: "AES in every mode", has: |task| task.name.starts_with("aes-") },
    Group { name: "gcm", what: "AES-GCM", has: |task| sealed_or_opened(task, "-gcm") },
    Group { name: "ccm", what: "AES-CCM", has: |task| task.name.ends_with("-ccm") },
    Group { name: "ctr", what: "AES-CTR", has: |task| task.name.ends_with("-ctr") },
    Group {
        name: "cbc",
        what: "AES-CBC",
        has: |task| task.name.starts_with("aes-") && task.name.ends_with("-cbc"),
    },
    Group { name: "xts", what: "AES-XTS", has: |task| task.name.ends_with("-xts") },
    Group { name: "sha2", what: "SHA-224 to SHA-512/256", has: |task| is_sha2(task.name) },
    Group { name: "keys", what: "key agreement and signatures", has: |task| task.kind.of_keys() },
    Group {
        name: "ecdh",
        what: "ECDH on P-256",
        has: |task| matches!(task.kind, Kind::EcdhP256(_)),
    },
    Group {
        name: "ecdsa",
        what: "ECDSA on P-256",
        has: |task| matches!(task.kind, Kind::EcdsaP256(_)),
    },
    Group {
        name: "rsa",
        what: "RSA signatures (PKCS#1 v1.5)",
        has: |task| matches!(task.kind, Kind::Rsa { .. }),
    },
];

/// Other names of tasks, in lower case without separators.
const ALIASES: &[(&str, &str)] = &[
    ("3des", "3des-cbc"),
    ("aesgcm", "gcm"),
    ("arcfour", "rc4"),
    ("desede3cbc", "3des-cbc"),
    ("digest", "hash"),
    ("drbg", "random"),
    ("ecdhp256", "p256/agree"),
    ("ecdsap256", "ecdsa"),
    ("hashes", "hash"),
    ("macs", "mac"),
    ("nistp256", "p256"),
    ("poly", "poly1305"),
    ("prime256v1", "p256"),
    ("rand", "random"),
    ("rng", "random"),
    ("secp256r1", "p256"),
    ("sha", "sha2"),
    ("sha2224", "sha224"),
    ("sha2256", "sha256"),
    ("sha2384", "sha384"),
    ("sha2512", "sha512"),
    ("sha2512256", "sha512-256"),
];

/// Names that users look for and no task measures: the beginning of the word, and its name.
const MISSING: &[(&str, &str)] = &[
    ("rsapss", "RSASSA-PSS"),
    ("ecdsa", OTHER_CURVE),
    ("ecdh", OTHER_CURVE),
    ("p384", "P-384"),
    ("p521", "P-521"),
    ("secp", OTHER_CURVE),
    ("nistp", OTHER_CURVE),
    ("dsa", "DSA"),
    ("dh", "Diffie-Hellman over finite fields"),
    ("diffie", "Diffie-Hellman over finite fields"),
    ("ffdh", "Diffie-Hellman over finite fields"),
    ("x448", "X448"),
    ("ed448", "Ed448"),
    ("mlkem", "ML-KEM"),
    ("kyber", "ML-KEM"),
    ("mldsa", "ML-DSA"),
    ("dilithium", "ML-DSA"),
    ("slhdsa", "SLH-DSA"),
    ("sm2", "SM2"),
    ("sm4", "SM4"),
    ("snow", "SNOW"),
    ("zuc", "ZUC"),
    ("kasumi", "KASUMI"),
    ("blake", "BLAKE"),
    ("argon", "Argon2"),
    ("scrypt", "scrypt"),
    ("bcrypt", "bcrypt"),
    ("pbkdf", "PBKDF2"),
    ("hkdf", "HKDF"),
    ("camellia", "Camellia"),
    ("aria", "ARIA"),
    ("siphash", "SipHash"),
    ("kmac", "KMAC"),
    ("ripemd", "RIPEMD"),
    ("xchacha", "XChaCha20"),
    ("salsa", "Salsa20"),
    ("ascon", "Ascon"),
    ("crc", "CRC"),
    ("blowfish", "Blowfish"),
    ("twofish", "Twofish"),
    ("serpent", "Serpent"),
    ("whirlpool", "Whirlpool"),
    ("md4", "MD4"),
];

const OTHER_CURVE: &str = "a curve of NIST or SECG other than P-256";

/// Modes that no task has, as a part of a word, and their names. The longest come first.
const MISSING_MODES: &[(&[&str], &str)] = &[
    (&["gcm", "siv"], "AES-GCM-SIV"),
    (&["siv"], "AES-SIV"),
    (&["ocb"], "AES-OCB"),
    (&["eax"], "AES-EAX"),
    (&["cfb"], "AES-CFB"),
    (&["ofb"], "AES-OFB"),
];

/// The meaning of words that are not part of any name: the beginning of the word, and the names.
const MEANINGS: &[(&str, &[&str])] = &[
    ("encr", &["aead", "cipher"]),
    ("decr", &["aead", "cipher"]),
    ("sign", &["ed25519", "p256", "rsa"]),
    ("verif", &["ed25519", "p256", "rsa"]),
    ("eddsa", &["ed25519"]),
    ("curve25519", &["x25519", "ed25519"]),
    ("agree", &["x25519", "p256"]),
    ("exchange", &["x25519", "p256"]),
    ("handshake", &["x25519", "ed25519", "p256", "rsa"]),
    ("public", &["keys"]),
    ("tls", &["aead", "keys"]),
    ("disk", &["aes-256-xts"]),
    ("des", &["3des-cbc"]),
    ("tdes", &["3des-cbc"]),
    ("checksum", &["hash"]),
    ("auth", &["aead", "mac"]),
    ("prng", &["random"]),
    ("entropy", &["random"]),
];

/// Other names of operations, with the candidates in order.
const OPERATIONS: &[(&str, &[&str])] = &[
    ("encrypt", &["seal", "wrap", "encrypt"]),
    ("enc", &["seal", "wrap", "encrypt"]),
    // In counter mode decryption is the same as encryption.
    ("decrypt", &["open", "unwrap", "decrypt", "encrypt"]),
    ("dec", &["open", "unwrap", "decrypt", "encrypt"]),
    ("hash", &["digest"]),
    ("tag", &["mac"]),
    ("auth", &["mac"]),
    ("derive", &["agree"]),
    ("keygen", &["generate"]),
];

fn plain(word: &str) -> String {
    word.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn of_name(name: &str) -> Option<Vec<&'static Task>> {
    let is = |task: &&Task| plain(task.name) == name || plain(&task.full_name()) == name;
    some(TASKS.iter().filter(is))
}

fn named(name: &str) -> Option<Vec<&'static Task>> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let name = alias.map_or(name.into(), |(_, name)| plain(name));
    let group = || {
        let group = GROUPS.iter().find(|group| group.name == name)?;
        some(TASKS.iter().filter(|task| (group.has)(task)))
    };
    of_name(&name).or_else(group)
}

/// `aes-256-gcm/encrypt`: a name and an operation by any of its names.
fn with_operation(word: &str) -> Option<Vec<&'static Task>> {
    let (name, op) = word.rsplit_once(['/', ':', ' ', '.'])?;
    let (tasks, op) = (named(&plain(name))?, plain(op));
    let same: Vec<&str> = OPERATIONS
        .iter()
        .find(|(other, _)| *other == op)
        .map_or(vec![op.as_str()], |(_, ops)| ops.to_vec());
    same.iter().find_map(|op| some(tasks.iter().copied().filter(|task| plain(task.op) == **op)))
}

/// The tasks whose names begin with these parts.
fn beginning(word: &str) -> Option<Vec<&'static Task>> {
    if word.len() < 3 {
        return None;
    }
    let begins = |task: &&Task| {
        let parts = parts(task.name);
        (1..parts.len()).any(|n| parts[..n].concat() == word)
    };
    some(TASKS.iter().filter(begins).filter(|task| !task.kind.by_call()))
}

/// `sha3-256` is `sha`, `3`, `256`.
fn parts(word: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut last = None;
    for c in word.chars().map(|c| c.to_ascii_lowercase()) {
        let kind = c.is_ascii_alphanumeric().then(|| c.is_ascii_digit());
        match kind {
            Some(_) if kind == last => parts.last_mut().expect("it has begun").push(c),
            Some(_) => parts.push(c.into()),
            None => {}
        }
        last = kind;
    }
    parts
}

fn some(tasks: impl Iterator<Item = &'static Task>) -> Option<Vec<&'static Task>> {
    Some(tasks.collect::<Vec<_>>()).filter(|tasks| !tasks.is_empty())
}

fn unknown(word: &str, plain: &str) -> String {
    if let Some((_, name)) = MISSING.iter().find(|(begins, _)| plain.starts_with(begins)) {
        return not_yet(name);
    }
    let wanted = parts(word);
    let has = |mode: &&(&[&str], &str)| mode.0.iter().all(|part| wanted.iter().any(|w| w == part));
    if let Some((_, name)) = MISSING_MODES.iter().find(has) {
        return not_yet(name);
    }
    if let Some((_, names)) = MEANINGS.iter().find(|(begins, _)| plain.starts_with(begins)) {
        return names::not_called("task", word, names);
    }
    let known: Vec<String> = match word.contains('/') {
        true => TASKS.iter().map(Task::full_name).collect(),
        false => {
            let mut names: Vec<String> = TASKS.iter().map(|task| task.name.into()).collect();
            names.dedup();
            names.extend(GROUPS.iter().map(|group| group.name.into()));
            names
        }
    };
    // Names with the same parts come before names with the same letters.
    let shares = |name: &String| {
        let theirs = parts(name);
        wanted.iter().filter(|part| theirs.contains(part)).count()
    };
    let most = known.iter().map(shares).max().unwrap_or(0);
    let like: Vec<&str> =
        known.iter().filter(|name| shares(name) >= most).map(String::as_str).collect();
    // Separators without letters match nothing.
    let like = if plain.is_empty() { &[] } else { like.as_slice() };
    match names::nearest(&word.to_lowercase(), like).as_slice() {
        [] => format!("no task is called `{word}`; `ropewalk tasks` lists them"),
        nearest => names::not_called("task", word, nearest),
    }
}

fn not_yet(name: &str) -> String {
    format!("{name} is not measured yet; `ropewalk tasks` lists what is")
}

fn is_aead(kind: Kind) -> bool {
    use AeadOp::{Open, Seal};
    match kind {
        Kind::Gcm { op, .. } | Kind::Ccm { op, .. } | Kind::ChaChaPoly { op } => {
            matches!(op, Seal | Open)
        }
        Kind::Records { .. } => true,
        _ => false,
    }
}

fn is_cipher(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Ctr { .. }
            | Kind::Cbc { .. }
            | Kind::Ecb { .. }
            | Kind::Xts { .. }
            | Kind::ChaCha20
            | Kind::TripleDes { .. }
            | Kind::Rc4
    )
}

fn is_mac(kind: Kind) -> bool {
    matches!(kind, Kind::Gmac { .. } | Kind::Mac(Mac::Hmac(_) | Mac::Cmac { .. } | Mac::Poly1305))
}

fn is_sha2(name: &str) -> bool {
    ["sha224", "sha256", "sha384", "sha512", "sha512-256"].contains(&name)
}

fn sealed_or_opened(task: &Task, end: &str) -> bool {
    task.name.ends_with(end) && is_aead(task.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(word: &str) -> Vec<String> {
        let tasks = find(word).unwrap_or_else(|why| panic!("{word}: {why}"));
        tasks.iter().map(|task| task.full_name()).collect()
    }

    #[test]
    fn names_are_found_as_people_write_them() {
        let gcm = found("aes-256-gcm");
        assert_eq!(gcm[..2], ["aes-256-gcm/seal", "aes-256-gcm/open"]);
        for word in ["AES-256-GCM", "aes256gcm", "Aes_256_Gcm", "AES/256/GCM", "aes.256.gcm"] {
            assert_eq!(found(word), gcm, "{word}");
        }
        for (word, want) in [
            ("aes-256-gcm/encrypt", "aes-256-gcm/seal"),
            ("AES256GCM:decrypt", "aes-256-gcm/open"),
            ("aes-128-ctr/decrypt", "aes-128-ctr/encrypt"),
            ("aes-128-kw/encrypt", "aes-128-kw/wrap"),
            ("sha-256", "sha256/digest"),
            ("SHA2-256", "sha256/digest"),
            ("SHA-512/256", "sha512-256/digest"),
            ("sha3_256", "sha3-256/digest"),
            ("HMAC-SHA-256", "hmac-sha256/mac"),
            ("sha256/hash", "sha256/digest"),
            ("Ed25519/sign", "ed25519/sign"),
            ("P-256/verify", "p256/verify"),
            ("secp256r1/derive", "p256/agree"),
            ("ecdsa/sign", "p256/sign"),
            ("ecdhp256", "p256/agree"),
            ("RSA-2048/sign", "rsa-2048/sign"),
            ("rsa4096:verify", "rsa-4096/verify"),
            ("rand", "random/fill"),
        ] {
            assert_eq!(found(word), [want], "{word}");
        }
    }

    #[test]
    fn every_task_is_found_by_its_own_names() {
        for task in TASKS {
            assert_eq!(found(&task.full_name()), [task.full_name()]);
            assert!(found(task.name).contains(&task.full_name()));
            assert!(found(&task.name.replace('-', "").to_uppercase()).contains(&task.full_name()));
        }
    }

    #[test]
    fn groups_have_what_they_say() {
        for group in GROUPS {
            assert!(!found(group.name).is_empty(), "{}", group.name);
        }
        assert!(found("gcm").iter().all(|name| name.contains("-gcm/")));
        assert_eq!(found("gcm").len(), 6, "seal and open of three keys");
        assert_eq!(found("sha2").len(), 5);
        assert_eq!(found("ecdsap256"), ["p256/sign", "p256/verify"]);
        assert_eq!(found("ecdh"), ["p256/agree", "p256/generate"]);
        assert_eq!(found("rsa2048"), ["rsa-2048/sign", "rsa-2048/verify"]);
        assert_eq!(found("rsa").len(), 6, "sign and verify of three lengths");
        assert!(found("keys").contains(&"rsa-3072/verify".to_owned()));
        assert!(found("chacha").contains(&"chacha20-poly1305/open".to_owned()));
        assert!(found("sha3").iter().all(|name| name.starts_with("sha3-")));
        assert!(found("hmac").len() > 5);
        assert!(found("aes128").iter().all(|name| name.starts_with("aes-128-")));
        assert_eq!(found("all").len(), TASKS.len());
    }

    #[test]
    fn what_is_meant_can_be_measured() {
        for (word, names) in MEANINGS {
            assert!(find(word).is_err(), "{word} is a name");
            names.iter().for_each(|name| assert!(!found(name).is_empty(), "{word}: {name}"));
        }
    }

    #[test]
    fn what_is_not_measured_says_so() {
        for (word, want) in [
            ("rsa1024", "the nearest are rsa-2048"),
            ("rsa-pss-2048", "RSASSA-PSS is not measured yet"),
            ("ecdsap384", "a curve of NIST or SECG other than P-256 is not measured yet"),
            ("secp256k1", "a curve of NIST or SECG other than P-256 is not measured yet"),
            ("sm4-gcm", "SM4 is not measured yet"),
            ("aes-512-gcm", "aes-128-gcm, aes-192-gcm, aes-256-gcm"),
            ("AES-512-GCM", "the nearest are aes-128-gcm"),
            ("sha255", "the nearest are sha"),
            ("AES-GCM-SIV", "AES-GCM-SIV is not measured yet"),
            ("aes-128-gcm-siv", "AES-GCM-SIV is not measured yet"),
            ("aes-256-cfb", "AES-CFB is not measured yet"),
            ("dh", "Diffie-Hellman over finite fields is not measured yet"),
            ("encryption", "the nearest are aead, cipher"),
            ("decrypt", "the nearest are aead, cipher"),
            ("sign", "the nearest are ed25519, p256, rsa"),
            ("curve25519", "the nearest are x25519, ed25519"),
            ("des", "the nearest is 3des-cbc"),
            ("-", "`ropewalk tasks` lists them"),
            ("aes-256-gcm/spin", "aes-256-gcm/"),
            ("", "no task"),
            ("/", "no task"),
            ("?!", "no task"),
            ("\u{1b}[31m", "no task"),
        ] {
            let why = find(word).err().unwrap_or_else(|| panic!("{word} is found"));
            assert!(why.contains(want), "{word}: {why}");
            assert!(!why.contains('\n') && why.len() < 700, "{why}");
        }
    }
}
