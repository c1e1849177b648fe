use super::*;

/// Needs by their names: `protect=aead rate=20MB/s`.
fn needs(text: &str) -> Needs {
    let mut needs = Needs::default();
    for word in text.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap();
        needs.set(name, value).unwrap();
    }
    needs
}

/// Two needs that exclude each other are both named, in one line.
#[test]
fn contradictions_are_named() {
    for (text, wants) in [
        ("protect=aead fixed=ed25519/sign", ["fixed is ed25519/sign", "protect is aead"]),
        ("protect=integrity fixed=p256/verify", ["p256/verify", "integrity"]),
        ("fixed=rsa-2048/sign bits=128", ["112 bits", "bits is 128"]),
        ("fixed=chacha20-poly1305 must=fips", ["chacha20-poly1305", "fips"]),
        ("fixed=aes-192-gcm must=tls13", ["aes-192-gcm", "tls13"]),
        ("protect=key-agreement rate=1MB/s", ["rate", "key-agreement"]),
        ("protect=password message=1KB", ["message", "password"]),
        ("protect=signature rate=1MB/s", ["rate", "message"]),
        ("protect=signature bits=256 must=tls13 fixed=ed25519/sign", ["128 bits", "256"]),
        ("protect=confidentiality must=tls13", ["tls13", "confidentiality"]),
        ("rate=20MB/s link=10Mbit/s", ["rate is 20.0 MB/s", "link carries 1.25 MB/s"]),
        ("message=1KB rate=1MB/s ops=5/s", ["rate is 1.00 MB/s", "ops"]),
        ("record=1350", ["record", "tls"]),
        ("resumed=80%", ["resumed", "tls"]),
        ("tls=1Gbit/s resumed=80%", ["resumed", "requests"]),
        ("tls=1Gbit/s protect=aead", ["tls", "protect"]),
        ("tls=1Gbit/s record=20000", ["20000", "16384"]),
    ] {
        let why = needs(text).check().expect_err(text);
        assert!(wants.iter().all(|want| why.contains(want)), "{text}: {why}");
        assert!(!why.contains('\n'), "{why}");
    }
    for text in [
        "protect=aead bits=256 message=50KB rate=20MB/s link=1Gbit/s cores=2",
        "message=1KB rate=1MB/s ops=1000/s",
        "protect=signature message=100MB rate=1MB/s",
        "fixed=rsa-2048/sign ops=34/s",
        "fixed=sha256 message=100MB",
        "fixed=md5",
        "tls=40Gbit/s requests=20000/s record=1350 resumed=80% cores=8",
        "protect=password latency=100ms",
    ] {
        assert_eq!(needs(text).check(), Ok(()), "{text}");
    }
}

#[test]
fn fixed_is_one_task() {
    for (text, task, op) in [
        ("AES-256-GCM", "aes-256-gcm", "seal"),
        ("aes256gcm/decrypt", "aes-256-gcm", "open"),
        ("rsa-2048/sign", "rsa-2048", "sign"),
        ("rsa-2048/verify", "rsa-2048", "verify"),
        ("rsa-1024/sign", "rsa-1024", "sign"),
        ("sha-256", "sha256", "digest"),
        ("p256/sign", "p256", "sign"),
    ] {
        let want = Fixed { task: task.into(), op: op.into() };
        assert_eq!(needs(&format!("fixed={text}")).fixed, Some(want), "{text}");
    }
    let wrong = |text: &str| Needs::default().set("fixed", text).unwrap_err();
    assert!(wrong("p256").contains("p256/agree, p256/generate, p256/sign, p256/verify"));
    assert!(wrong("gcm").contains("several tasks"));
    assert!(wrong("rsa-2048").contains("rsa-2048/sign, rsa-2048/verify"));
    assert!(wrong("aes-256-gmc").contains("nearest"));
    assert!(wrong("rsa-2048/seal").contains("rsa-2048/sign"));
}

#[test]
fn what_is_not_given_is_usual() {
    let none = Needs::default();
    assert_eq!((none.goal(), none.least_bits(), none.bytes()), (Protect::Aead, 128, 16384));
    let signature = needs("protect=signature ops=4000/s");
    assert_eq!((signature.bytes(), signature.per_second()), (64, Some(4000.0)));
    let fixed = needs("fixed=rsa-2048/sign");
    assert_eq!((fixed.goal(), fixed.least_bits()), (Protect::Signature, 0));
    assert_eq!(needs("message=50KB rate=20MB/s").per_second(), Some(400.0));
}

#[test]
fn every_word_is_documented() {
    let document = include_str!("../../../../../docs/advise.md");
    for word in WORDS {
        assert!(document.contains(&format!("`--{}", word.name)), "{}", word.name);
    }
}

/// The command line and the help name the same values as the errors.
#[test]
fn every_word_has_a_form() {
    for word in WORDS {
        let why = Needs::default().set(word.name, "nothing like it").unwrap_err();
        assert!(
            !word.allowed.is_empty() && why.contains("nothing like it"),
            "{}: {why}",
            word.name
        );
        assert!(!why.contains('\n'), "{why}");
    }
}
