//! Algorithms by their goals, and the work that a message of each is made of.

use serde::Serialize;

use super::needs::{Must, Needs, Protect};

/// An algorithm that may be recommended.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    /// The name of its task: `aes-256-gcm`.
    pub task: &'static str,
    /// The operation that counts.
    pub op: &'static str,
    /// As its standard writes it, without the length of a key.
    pub family: &'static str,
    /// As its standard writes it.
    pub title: &'static str,
    /// Its goal.
    pub protects: Protect,
    /// Bits of strength, by `source`.
    pub bits: u32,
    /// Whether TLS 1.3 has it (RFC 8446, sections 4.2.3, 4.2.7 and B.4).
    pub tls13: bool,
    /// Whether FIPS 140-3 approves it (SP 800-140C and 800-140D).
    pub fips: bool,
    /// The standard, and the source of its strength.
    pub source: &'static str,
    /// Other work of a message: task, operation, bytes, and how often.
    besides: &'static [Besides],
}

#[derive(Debug, PartialEq, Eq)]
enum Besides {
    /// A pass of a hash function over a long message: its task, and how often.
    Hash(&'static str, u32),
    /// Another operation of the same task.
    Also(&'static str),
    /// The main operation, on so many bytes, so often.
    Times(u64, u32),
}

/// Every algorithm that may be recommended. Of each family the shortest key comes first.
pub const CHOICES: &[Choice] = &[
    aead("aes-128-gcm", "AES-GCM", "AES-128-GCM", 128, true, GCM),
    aead("aes-192-gcm", "AES-GCM", "AES-192-GCM", 192, false, GCM),
    aead("aes-256-gcm", "AES-GCM", "AES-256-GCM", 256, true, GCM),
    aead("aes-128-ccm", "AES-CCM", "AES-128-CCM", 128, true, CCM),
    aead("aes-192-ccm", "AES-CCM", "AES-192-CCM", 192, false, CCM),
    aead("aes-256-ccm", "AES-CCM", "AES-256-CCM", 256, false, CCM),
    aead("chacha20-poly1305", CHACHA, CHACHA, 256, true, "RFC 8439").not_fips(),
    cipher("aes-128-ctr", "AES-CTR", "AES-128-CTR", 128, "FIPS 197, SP 800-38A"),
    cipher("aes-192-ctr", "AES-CTR", "AES-192-CTR", 192, "FIPS 197, SP 800-38A"),
    cipher("aes-256-ctr", "AES-CTR", "AES-256-CTR", 256, "FIPS 197, SP 800-38A"),
    cipher("aes-128-xts", "AES-XTS", "AES-128-XTS", 128, "FIPS 197, SP 800-38E"),
    cipher("aes-256-xts", "AES-XTS", "AES-256-XTS", 256, "FIPS 197, SP 800-38E"),
    cipher("aes-128-cbc", "AES-CBC", "AES-128-CBC", 128, "FIPS 197, SP 800-38A"),
    cipher("aes-192-cbc", "AES-CBC", "AES-192-CBC", 192, "FIPS 197, SP 800-38A"),
    cipher("aes-256-cbc", "AES-CBC", "AES-256-CBC", 256, "FIPS 197, SP 800-38A"),
    cipher("chacha20", "ChaCha20", "ChaCha20", 256, "RFC 8439").not_fips(),
    mac("aes-128-gmac", "AES-GMAC", "AES-128-GMAC", 128, "FIPS 197, SP 800-38D"),
    mac("aes-128-cmac", "AES-CMAC", "AES-128-CMAC", 128, "FIPS 197, SP 800-38B"),
    mac("hmac-sha256", "HMAC-SHA-256", "HMAC-SHA-256", 256, "FIPS 198-1, SP 800-107r1"),
    mac("hmac-sha512", "HMAC-SHA-512", "HMAC-SHA-512", 256, "FIPS 198-1, SP 800-107r1"),
    mac("hmac-sha3-256", "HMAC-SHA3-256", "HMAC-SHA3-256", 256, "FIPS 198-1, FIPS 202"),
    sign("rsa-2048", "RSA", "RSA-2048", 112, SHA256).source(TABLE_2),
    sign("rsa-3072", "RSA", "RSA-3072", 128, SHA256).source(TABLE_2),
    sign("rsa-4096", "RSA", "RSA-4096", 128, SHA256).source(TABLE_2),
    sign("p224", "P-224", "ECDSA on P-224", 112, SHA256).source(CURVES).not_tls13(),
    sign("p256", "P-256", "ECDSA on P-256", 128, SHA256).source(CURVES),
    sign("p384", "P-384", "ECDSA on P-384", 192, SHA384).source(CURVES),
    sign("p521", "P-521", "ECDSA on P-521", 256, SHA512).source(CURVES),
    // Ed25519 reads a message twice.
    sign("ed25519", "Ed25519", "Ed25519", 128, &[Besides::Hash("sha512", 2)]).source(EDWARDS),
    agree("x25519", "X25519", "X25519", 128, "RFC 7748, section 4.1").not_fips(),
    agree("p256", "P-256", "ECDH on P-256", 128, AGREEMENT),
    agree("p384", "P-384", "ECDH on P-384", 192, AGREEMENT),
    agree("p521", "P-521", "ECDH on P-521", 256, AGREEMENT),
    password(
        "hmac-sha256",
        "PBKDF2 with HMAC-SHA-256, 600000 times",
        &[Besides::Times(32, 600_000)],
    ),
    password(
        "hmac-sha512",
        "PBKDF2 with HMAC-SHA-512, 210000 times",
        &[Besides::Times(64, 210_000)],
    ),
];

const GCM: &str = "FIPS 197, SP 800-38D";
const CCM: &str = "FIPS 197, SP 800-38C";
const CHACHA: &str = "ChaCha20-Poly1305";
const TABLE_2: &str = "RFC 8017; SP 800-57 part 1, table 2";
const CURVES: &str = "FIPS 186-5; SP 800-57 part 1, table 2";
const EDWARDS: &str = "RFC 8032, section 1";
const AGREEMENT: &str = "SP 800-56A; SP 800-57 part 1, table 2";
const SHA256: &[Besides] = &[Besides::Hash("sha256", 1)];
const SHA384: &[Besides] = &[Besides::Hash("sha384", 1)];
const SHA512: &[Besides] = &[Besides::Hash("sha512", 1)];

const fn aead(
    task: &'static str,
    family: &'static str,
    title: &'static str,
    bits: u32,
    tls13: bool,
    source: &'static str,
) -> Choice {
    let protects = Protect::Aead;
    Choice {
        task,
        op: "seal",
        family,
        title,
        protects,
        bits,
        tls13,
        fips: true,
        source,
        besides: &[],
    }
}

const fn cipher(
    task: &'static str,
    family: &'static str,
    title: &'static str,
    bits: u32,
    source: &'static str,
) -> Choice {
    let of = aead(task, family, title, bits, false, source);
    Choice { op: "encrypt", protects: Protect::Confidentiality, ..of }
}

const fn mac(
    task: &'static str,
    family: &'static str,
    title: &'static str,
    bits: u32,
    source: &'static str,
) -> Choice {
    let of = aead(task, family, title, bits, false, source);
    Choice { op: "mac", protects: Protect::Integrity, ..of }
}

const fn sign(
    task: &'static str,
    family: &'static str,
    title: &'static str,
    bits: u32,
    besides: &'static [Besides],
) -> Choice {
    let of = aead(task, family, title, bits, true, "");
    Choice { op: "sign", protects: Protect::Signature, besides, ..of }
}

const fn agree(
    task: &'static str,
    family: &'static str,
    title: &'static str,
    bits: u32,
    source: &'static str,
) -> Choice {
    let of = aead(task, family, title, bits, true, source);
    let besides = &[Besides::Also("generate")];
    Choice { op: "agree", protects: Protect::KeyAgreement, besides, ..of }
}

const fn password(task: &'static str, title: &'static str, besides: &'static [Besides]) -> Choice {
    let of = mac(task, title, title, 256, "SP 800-132; OWASP Password Storage Cheat Sheet");
    Choice { protects: Protect::Password, besides, ..of }
}

impl Choice {
    const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }

    const fn not_tls13(self) -> Self {
        Self { tls13: false, ..self }
    }

    const fn not_fips(self) -> Self {
        Self { fips: false, ..self }
    }
}

/// A part of the work of a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Part {
    /// `sha256`.
    pub task: String,
    /// `digest`.
    pub op: String,
    /// Bytes of a message.
    pub bytes: u64,
    /// How often.
    pub times: u32,
}

/// An algorithm that is compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// `AES-256-GCM`, `rsa-2048/verify`.
    pub title: String,
    /// Its entry, if it has one.
    pub choice: Option<&'static Choice>,
    /// The work of a message, the operation itself first.
    pub parts: Vec<Part>,
}

/// Bytes of a signed message up to which its hash is within the row of the signature.
const SHORT: u64 = 1024;
/// Bytes of a message that rows of signatures have.
const SIGNED: u64 = 64;
/// Bytes of a key on a curve.
const KEY: u64 = 32;

/// The algorithms for a goal, or the one that is fixed.
pub fn candidates(needs: &Needs) -> Vec<Candidate> {
    if let Some(fixed) = &needs.fixed {
        let Some(choice) = fixed.choice() else {
            let part = part(&fixed.task, &fixed.op, fixed_bytes(needs, &fixed.op));
            return vec![Candidate { title: fixed.full_name(), choice: None, parts: vec![part] }];
        };
        return vec![Candidate::of(choice, needs)];
    }
    let wanted = |choice: &&Choice| {
        choice.protects == needs.goal()
            && choice.bits >= needs.least_bits()
            && needs.must.iter().all(|must| has(choice, *must))
    };
    CHOICES.iter().filter(wanted).map(|choice| Candidate::of(choice, needs)).collect()
}

/// The parts that have to be measured: of each family the shortest key, since a longer one only takes longer.
pub fn to_measure(needs: &Needs) -> Vec<Part> {
    let mut families = Vec::new();
    let mut parts = Vec::new();
    for candidate in candidates(needs) {
        let family = candidate.choice.map(|choice| choice.family);
        if family.is_some() && families.contains(&family) {
            continue;
        }
        families.push(family);
        for part in candidate.parts {
            if !parts.iter().any(|known: &Part| known.is_at(&part)) {
                parts.push(part);
            }
        }
    }
    parts
}

impl Candidate {
    fn of(choice: &'static Choice, needs: &Needs) -> Self {
        let bytes = match choice.protects {
            Protect::Signature if needs.bytes() > SHORT => SIGNED,
            Protect::KeyAgreement => KEY,
            _ => needs.bytes(),
        };
        let mut parts = vec![part(choice.task, choice.op, bytes)];
        for besides in choice.besides {
            match *besides {
                Besides::Hash(task, times) if needs.bytes() > SHORT => {
                    parts.push(Part { times, ..part(task, "digest", needs.bytes()) });
                }
                Besides::Hash(..) => {}
                Besides::Also(op) => parts.push(part(choice.task, op, bytes)),
                Besides::Times(bytes, times) => {
                    parts = vec![Part { times, ..part(choice.task, choice.op, bytes) }];
                }
            }
        }
        Self { title: choice.title.into(), choice: Some(choice), parts }
    }
}

impl Part {
    /// Whether it is the same work, however often.
    pub fn is_at(&self, other: &Self) -> bool {
        (&self.task, &self.op, self.bytes) == (&other.task, &other.op, other.bytes)
    }

    /// `sha256/digest`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.task, self.op)
    }
}

fn part(task: &str, op: &str, bytes: u64) -> Part {
    Part { task: task.into(), op: op.into(), bytes, times: 1 }
}

fn fixed_bytes(needs: &Needs, op: &str) -> u64 {
    match op {
        "verify" | "sign" => needs.message.unwrap_or(SIGNED),
        "agree" | "generate" => KEY,
        _ => needs.bytes(),
    }
}

fn has(choice: &Choice, must: Must) -> bool {
    match must {
        Must::Tls13 => choice.tls13,
        Must::Fips => choice.fips,
        // It is a property of code.
        Must::ConstantTime => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &[(&str, &str)], of: fn(&Needs) -> Vec<Part>) -> Vec<String> {
        let mut needs = Needs::default();
        text.iter().for_each(|(name, value)| needs.set(name, value).unwrap());
        of(&needs)
            .iter()
            .map(|part| format!("{} {} x{}", part.full_name(), part.bytes, part.times))
            .collect()
    }

    #[test]
    fn only_what_could_win_is_measured() {
        let of = |text: &[(&str, &str)]| names(text, to_measure);
        assert_eq!(
            of(&[("bits", "256"), ("message", "50KB")]),
            [
                "aes-256-gcm/seal 50000 x1",
                "aes-256-ccm/seal 50000 x1",
                "chacha20-poly1305/seal 50000 x1"
            ]
        );
        assert_eq!(
            of(&[("must", "tls13,fips")]),
            ["aes-128-gcm/seal 16384 x1", "aes-128-ccm/seal 16384 x1"]
        );
        assert_eq!(of(&[("fixed", "sha256")]), ["sha256/digest 16384 x1"]);
        assert_eq!(of(&[("fixed", "rsa-2048/verify")]), ["rsa-2048/verify 64 x1"]);
    }

    #[test]
    fn a_long_message_is_hashed_before_it_is_signed() {
        let of = |text: &[(&str, &str)]| names(text, to_measure);
        let short = of(&[("fixed", "p256/sign")]);
        assert_eq!(short, ["p256/sign 64 x1"]);
        let long = [("message", "100MiB"), ("fixed", "p256/sign")];
        assert_eq!(of(&long), ["p256/sign 64 x1", "sha256/digest 104857600 x1"]);
        let twice = [("message", "100MiB"), ("fixed", "ed25519/sign")];
        assert_eq!(of(&twice), ["ed25519/sign 64 x1", "sha512/digest 104857600 x2"]);
        let exchange = [("protect", "key-agreement"), ("must", "fips")];
        assert_eq!(of(&exchange)[..2], ["p256/agree 32 x1", "p256/generate 32 x1"]);
        let password = of(&[("protect", "password")]);
        assert_eq!(password[0], "hmac-sha256/mac 32 x600000");
    }

    /// Strengths are ordered within families, and every entry has a source.
    #[test]
    fn the_table_is_sound() {
        for (i, choice) in CHOICES.iter().enumerate() {
            assert!(!choice.source.is_empty() && choice.bits >= 112, "{}", choice.title);
            let later = CHOICES[i + 1..]
                .iter()
                .filter(|later| later.family == choice.family && later.protects == choice.protects);
            assert!(later.clone().all(|later| later.bits >= choice.bits), "{}", choice.title);
        }
    }
}
