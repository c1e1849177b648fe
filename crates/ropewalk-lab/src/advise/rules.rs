//! What is never recommended, whatever its speed.

use serde::Serialize;

use crate::peers::names;

/// A rule: a row of the table.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// The name that `--explain` shows.
    pub id: &'static str,
    #[serde(skip)]
    what: What,
    /// Why it is not recommended.
    pub why: &'static str,
    /// The document that says so.
    pub source: &'static str,
    /// What to use.
    pub instead: &'static str,
}

/// The algorithms of a rule.
#[derive(Debug, PartialEq, Eq)]
enum What {
    /// Tasks of these names. A `*` stands for a number.
    Named(&'static [&'static str]),
    /// Signatures with this hash function in their names.
    SignedWith(&'static str),
    /// Names of one of these beginnings and a number below that.
    Below(&'static [&'static str], u32),
}

/// Every rule.
pub const RULES: &[Rule] = &[
    Rule {
        id: "md5",
        what: What::Named(&["md5", "hmac-md5"]),
        why: "collisions take seconds",
        source: "RFC 6151, section 2",
        instead: "sha256, hmac-sha256",
    },
    Rule {
        id: "md5-signature",
        what: What::SignedWith("md5"),
        why: "a second document of the same signature takes seconds",
        source: "RFC 6151, section 2",
        instead: "p256/sign, ed25519/sign",
    },
    Rule {
        id: "sha1",
        what: What::Named(&["sha1"]),
        why: "collisions are known, and NIST withdraws it by the end of 2030",
        source: "SP 800-131A r2, section 9; NIST of 15 December 2022",
        instead: "sha256",
    },
    Rule {
        id: "sha1-signature",
        what: What::SignedWith("sha1"),
        why: "a second document of the same signature can be made",
        source: "SP 800-131A r2, section 9; RFC 9155",
        instead: "p256/sign, ed25519/sign",
    },
    Rule {
        id: "rsa-below-2048",
        what: What::Below(&["rsa-", "rsa"], 2048),
        why: "it has fewer than 112 bits of strength",
        source: "SP 800-131A r2, section 3",
        instead: "p256/sign, ed25519/sign, rsa-3072/sign",
    },
    Rule {
        id: "dh-below-2048",
        what: What::Below(&["dh-", "dh", "ffdh-", "ffdh"], 2048),
        why: "it has fewer than 112 bits of strength",
        source: "SP 800-131A r2, section 5; RFC 9325, section 4.5",
        instead: "x25519/agree, p256/agree",
    },
    Rule {
        id: "curve-below-224",
        what: What::Below(&["p", "p-", "secp", "brainpoolp"], 224),
        why: "it has fewer than 112 bits of strength",
        source: "SP 800-131A r2, sections 3 and 5",
        instead: "x25519, ed25519, p256",
    },
    Rule {
        id: "dsa",
        what: What::Named(&["dsa", "dsa-*", "dsa*"]),
        why: "the standard no longer has it for new signatures",
        source: "FIPS 186-5, section 4",
        instead: "p256/sign, ed25519/sign",
    },
    Rule {
        id: "ecb",
        what: What::Named(&["aes-*-ecb", "sm4-ecb"]),
        why: "equal blocks of a message are equal when encrypted",
        source: "SP 800-38A, section 6.1",
        instead: "aes-128-gcm, chacha20-poly1305",
    },
    Rule {
        id: "rc4",
        what: What::Named(&["rc4"]),
        why: "its output is biased, so that repeated texts are found",
        source: "RFC 7465",
        instead: "aes-128-gcm, chacha20-poly1305",
    },
    Rule {
        id: "3des",
        what: What::Named(&["3des-cbc", "3des"]),
        why: "its blocks have 64 bits, and repeat after some gigabytes",
        source: "SP 800-131A r2, section 2: disallowed after 2023",
        instead: "aes-128-gcm, chacha20-poly1305",
    },
    Rule {
        id: "mac-then-encrypt",
        what: What::Named(&["aes-*-cbc-hmac-sha1", "aes-*-cbc-hmac-sha256"]),
        why: "padding is checked before the message is known to be right",
        source: "RFC 7457, section 2.4; RFC 9325, section 4.2",
        instead: "aes-128-gcm, chacha20-poly1305",
    },
];

/// The rule that forbids an operation.
pub fn refusal(task: &str, op: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.what.has(task, op))
}

impl What {
    fn has(&self, task: &str, op: &str) -> bool {
        match self {
            Self::Named(all) => all.iter().any(|word| names(word, task)),
            Self::SignedWith(hash) => {
                let signs = ["", "sign", "verify"].contains(&op);
                signs && task.split(['-', '_']).skip(1).any(|word| word == *hash) && !is_mac(task)
            }
            Self::Below(beginnings, least) => beginnings.iter().any(|beginning| {
                let number = task.strip_prefix(beginning).map(digits);
                number.and_then(|number| number.parse().ok()).is_some_and(|n: u32| n < *least)
            }),
        }
    }
}

fn is_mac(task: &str) -> bool {
    task.starts_with("hmac-") || task.contains("-hmac-")
}

/// The number at the beginning of a text.
fn digits(text: &str) -> &str {
    &text[..text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()]
}

#[cfg(test)]
mod tests {
    use super::{super::candidates::CHOICES, *};

    /// A test of a rule: operations that it refuses, and others like them that no rule does.
    macro_rules! rule_tests {
        ($( $test:ident $id:literal refuses $refused:tt allows $allowed:tt; )+) => {
            $(
                #[test]
                fn $test() {
                    check($id, &$refused, &$allowed);
                }
            )+

            /// A new rule needs a test.
            #[test]
            fn every_rule_has_a_test() {
                let tested = [$( $id ),+];
                let all: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
                assert_eq!(all, tested);
            }
        };
    }

    rule_tests! {
        md5 "md5" refuses ["md5/digest", "hmac-md5/mac"] allows ["sha256/digest", "hmac-sha256/mac"];
        md5_signature "md5-signature" refuses ["rsa-2048-md5/sign"] allows ["rsa-2048/sign"];
        sha1 "sha1" refuses ["sha1/digest"] allows ["sha224/digest", "hmac-sha1/mac"];
        sha1_signature "sha1-signature" refuses ["rsa-2048-sha1/sign", "p256-sha1/verify"]
            allows ["rsa-2048-sha256/sign", "p256/verify"];
        rsa_below_2048 "rsa-below-2048" refuses ["rsa-1024/sign", "rsa-512/verify", "rsa1024/sign"]
            allows ["rsa-2048/sign", "rsa-4096/verify"];
        dh_below_2048 "dh-below-2048" refuses ["dh-1024/agree", "ffdh1536/agree"]
            allows ["ffdh-2048/agree", "dh-3072/agree"];
        curve_below_224 "curve-below-224" refuses ["p192/sign", "secp160r1/agree", "brainpoolp160t1/sign"]
            allows ["p224/sign", "p256/agree", "brainpoolp256t1/sign", "poly1305/mac"];
        dsa "dsa" refuses ["dsa-2048/sign", "dsa/sign"] allows ["p256/sign", "ed25519/sign"];
        ecb "ecb" refuses ["aes-128-ecb/encrypt", "aes-256-ecb/decrypt"] allows ["aes-128-ctr/encrypt"];
        rc4 "rc4" refuses ["rc4/encrypt"] allows ["chacha20/encrypt"];
        triple_des "3des" refuses ["3des-cbc/encrypt"] allows ["aes-128-cbc/encrypt"];
        mac_then_encrypt "mac-then-encrypt"
            refuses ["aes-128-cbc-hmac-sha1/seal", "aes-256-cbc-hmac-sha256/open"]
            allows ["aes-128-gcm/seal", "aes-256-cbc/encrypt"];
    }

    fn check(id: &str, refused: &[&str], allowed: &[&str]) {
        let of = |name: &str| name.split_once('/').and_then(|(task, op)| refusal(task, op));
        for name in refused {
            let rule = of(name).unwrap_or_else(|| panic!("{name} is allowed"));
            assert_eq!(rule.id, id, "{name}");
            assert!(![rule.why, rule.source, rule.instead].contains(&""), "{name}");
        }
        for name in allowed {
            assert_eq!(of(name), None, "{name}");
        }
    }

    #[test]
    fn every_rule_is_documented() {
        let document = include_str!("../../../../docs/advise.md");
        for rule in RULES {
            let (id, why, source) = (rule.id, rule.why, rule.source);
            assert!(document.contains(&format!("| `{id}` | ")), "{id}");
            assert!(document.contains(&format!("| {why} ({source}) |")), "{id}");
        }
    }

    #[test]
    fn no_choice_is_refused() {
        for choice in CHOICES {
            assert_eq!(refusal(choice.task, choice.op), None, "{}", choice.title);
        }
    }

    /// What a rule proposes is not refused itself.
    #[test]
    fn proposals_are_allowed() {
        for name in RULES.iter().flat_map(|rule| rule.instead.split(", ")) {
            let (task, op) = name.split_once('/').unwrap_or((name, ""));
            assert_eq!(refusal(task, op), None, "{name}");
        }
    }
}
