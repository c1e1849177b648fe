//! The questions that users have, answered by recorded rows.

mod recorded;

use super::{
    Facts,
    capacity::capacity,
    rank::{Advice, Fail, Judged, advise},
    short::short,
    text,
    would::Would,
};
use crate::record::{Answer, Record};
use recorded::{cortex_a7, emerald_rapids, facts, needs, row};

fn chosen(advice: &Advice) -> &Judged {
    advice.chosen.as_ref().unwrap_or_else(|| panic!("{}", text::advice(advice, true, 140)))
}

/// The ratio of the fastest offer of another algorithm.
fn ratio(advice: &Advice, title: &str) -> f64 {
    advice.others.iter().find(|other| other.offer.title == title).expect(title).ratio
}

/// Without AES instructions, ChaCha20-Poly1305 wins.
#[test]
fn chacha_wins_on_a_cortex_a7() {
    let rows = cortex_a7();
    let advice = advise(&needs("protect=aead message=16KiB"), &facts(&rows));
    assert_eq!(chosen(&advice).offer.name(), "ChaCha20-Poly1305 with OpenSSL 3.5.4");
    let ratio = ratio(&advice, "AES-128-GCM");
    assert!((ratio - 47.0 / 16.56).abs() < 0.01, "{ratio}");
}

/// P-256 signs 28 times as often as RSA-2048, which signs with fewer bits of strength besides.
#[test]
fn p256_wins_over_rsa_on_a_cortex_a7() {
    let rows = cortex_a7();
    let advice = advise(&needs("protect=signature bits=112"), &facts(&rows));
    assert_eq!(chosen(&advice).offer.title, "ECDSA on P-256");
    assert!((ratio(&advice, "RSA-2048") - 982.0 / 34.8).abs() < 0.01);
    assert!((ratio(&advice, "ECDSA on P-224") - 982.0 / 111.0).abs() < 0.01);
    // 112 bits are not 128.
    let advice = advise(&needs("protect=signature"), &facts(&rows));
    assert_eq!(chosen(&advice).offer.title, "ECDSA on P-256");
    assert!(advice.others.is_empty());
    // RSA verifies four times as fast, if that is what is needed.
    let verify = advise(&needs("fixed=rsa-2048/verify ops=1000/s"), &facts(&rows));
    assert_eq!(chosen(&verify).offer.title, "rsa-2048/verify");
}

#[test]
fn aes_wins_on_an_emerald_rapids() {
    let rows = emerald_rapids();
    let advice = advise(&needs("protect=aead bits=256"), &facts(&rows));
    let first = chosen(&advice);
    assert_eq!(first.offer.name(), "AES-256-GCM with ropewalk");
    assert!(ratio(&advice, "ChaCha20-Poly1305") > 2.0);
    assert!(first.past_support.is_none());
    let text = text::advice(&advice, false, 140);
    for want in ["aes_gcm/x86_64/vaes512", "cargo xtask ct", "256 bits (FIPS 197"] {
        assert!(text.contains(want), "{want}: {text}");
    }
    let short = short(&facts(&rows));
    let openssl = short.openssl.clone().unwrap();
    assert_eq!(openssl.library.name(), "OpenSSL 3.0.22");
    assert!(openssl.reaches < 0.5 && openssl.remedy == Some("ropewalk provider install"));
    assert_eq!(openssl.past_support.map(|ended| ended.on), Some("2026-09-07"));
    let text = text::short(&short, 140);
    assert!(
        text.contains("AES-256-GCM with ropewalk: ") && text.contains("of the limit"),
        "{text}"
    );
}

/// Question 1: a free choice. Sensor blocks of 50 KB, behind a slow link.
#[test]
fn sensor_blocks_have_a_free_choice() {
    let rows = cortex_a7();
    let asked = needs("protect=aead message=50KB rate=1MB/s link=10Mbit/s");
    let advice = advise(&asked, &facts(&rows));
    let first = chosen(&advice);
    assert_eq!(first.offer.title, "ChaCha20-Poly1305");
    // Computed from the row of 16 KiB.
    assert_eq!(first.offer.figures[0].from, [16384]);
    let link = advice.bottleneck.unwrap();
    assert!((link.cipher / 47e6 - 1.0).abs() < 0.01 && link.link == 1.25e6);
    let text = text::advice(&advice, false, 140);
    for want in ["46.5x the rate", "the bottleneck, with 1.25 MB/s", "from 16384 B"] {
        assert!(text.contains(want), "{want}: {text}");
    }
}

/// Question 2: a floor of speed. A service that signs 4000 times a second.
#[test]
fn thousands_of_signatures_need_more_cores() {
    let mut rows = cortex_a7();
    let asked = needs("protect=signature ops=4000/s");
    let advice = advise(&asked, &facts(&rows));
    assert!(advice.chosen.is_none());
    let nearest = advice.nearest.as_ref().unwrap();
    assert_eq!(nearest.offer.title, "ECDSA on P-256");
    let [Fail::PerSecond { has, needs: wanted }] = nearest.fails[..] else { panic!("{nearest:?}") };
    assert!((has - 982.0 / 1.01).abs() < 0.1 && wanted == 4000.0);
    assert_eq!(advice.would, [Would::Cores { cores: 5, here: Some(2) }]);
    let text = text::advice(&advice, false, 140);
    for want in
        ["nothing meets the need", "4.11x as much", "5 cores at the same speed each; there are 2"]
    {
        assert!(text.contains(want), "{want}: {text}");
    }
    // Five cores are enough.
    assert!(advise(&needs("protect=signature ops=4000/s cores=5"), &facts(&rows)).chosen.is_some());
    assert!(advise(&needs("protect=signature ops=4000/s cores=4"), &facts(&rows)).chosen.is_none());
    // So is one, if eight at a time are faster.
    let many =
        Record { count: 8, ..row("ropewalk", "ropewalk 0.1.0", "p256/sign", 64, 1e9 / 5000.0) };
    rows.push(many);
    let advice = advise(&asked, &facts(&rows));
    assert!(matches!(&advice.would[0], Would::Many { count: 8, .. }), "{:?}", advice.would);
}

/// Question 2: logs of 100 MiB are hashed, then signed. Hashing takes all of the time.
#[test]
fn long_logs_are_hashed_then_signed() {
    let rows = cortex_a7();
    let advice = advise(&needs("protect=signature message=100MiB latency=5s"), &facts(&rows));
    let first = chosen(&advice);
    let [sign, hash] = &first.offer.figures[..] else { panic!("{first:?}") };
    assert_eq!(
        (sign.part.full_name(), hash.part.full_name()),
        ("p256/sign".into(), "sha256/digest".into())
    );
    let want = 1e9 / 982.0 + 104_857_600.0 * 1e3 / 27.8;
    assert!((first.offer.time.ns / want - 1.0).abs() < 1e-9);
    let late = advise(&needs("protect=signature message=100MiB latency=3s"), &facts(&rows));
    let fail = late.nearest.as_ref().unwrap().fails[0];
    assert!(
        matches!(fail, Fail::Latency { needs: 3e9, .. })
            && fail.words(&late.needs).contains("1.27x too long")
    );
    assert_eq!(late.would, [], "more cores do not help");
}

/// Question 3: a limit of code and memory, for which rows have no figures yet.
#[test]
fn a_limit_without_figures_is_not_judged() {
    let rows = cortex_a7();
    let asked = needs("protect=aead max-code=64KB max-ram=4KB");
    let advice = advise(&asked, &facts(&rows));
    assert_eq!(chosen(&advice).offer.title, "ChaCha20-Poly1305");
    assert_eq!(advice.unknown.len(), 2);
    let text = text::advice(&advice, false, 140);
    assert!(
        text.contains("max-code: rows do not have") && text.contains("max-ram: rows do not"),
        "{text}"
    );
}

/// Question 4: the algorithm is fixed, and libraries are compared.
#[test]
fn a_fixed_algorithm_has_a_fastest_library() {
    let rows = emerald_rapids();
    let advice = advise(&needs("fixed=aes-256-gcm message=1350"), &facts(&rows));
    assert_eq!(chosen(&advice).offer.name(), "AES-256-GCM with ropewalk");
    // The median of another library is lower, and the intervals overlap.
    assert!(
        advice.others[0].offer.library.name().starts_with("ipsec-mb") && !advice.others[0].differs
    );
    assert!(advice.others.len() > 10);
    assert!(advice.others.iter().all(|other| other.offer.title == "AES-256-GCM"));
    let old = advice.others.iter().find(|it| it.offer.library.name() == "OpenSSL 1.1.1w").unwrap();
    assert_eq!(old.past_support.map(|ended| ended.on), Some("2023-09-11"));
    // RSA-2048 signs 34.8 times a second here; another key type would do.
    let rows = cortex_a7();
    let advice = advise(&needs("fixed=rsa-2048/sign ops=500/s"), &facts(&rows));
    assert!(advice.chosen.is_none());
    assert_eq!(advice.would[0], Would::Cores { cores: 15, here: Some(2) });
    let Would::Other { name, per_second } = &advice.would[1] else { panic!("{:?}", advice.would) };
    assert_eq!(name, "ECDSA on P-256 with OpenSSL 3.5.4");
    assert!((per_second - 982.0).abs() < 0.01);
}

#[test]
fn what_is_broken_is_refused_however_fast() {
    let mut rows = cortex_a7();
    for task in
        ["md5/digest", "rc4/encrypt", "aes-128-ecb/encrypt", "rsa-1024/sign", "3des-cbc/encrypt"]
    {
        rows.push(row("libcrypto", "OpenSSL 3.5.4", task, 16384, 1.0));
    }
    for (goal, rule) in
        [("confidentiality", "ecb"), ("confidentiality", "rc4"), ("signature", "rsa-below-2048")]
    {
        let advice = advise(&needs(&format!("protect={goal} bits=112")), &facts(&rows));
        assert!(chosen(&advice).offer.time.ns > 1.0, "{goal}");
        assert!(advice.refused.iter().any(|refused| refused.rule.id == rule), "{goal}");
        let text = text::advice(&advice, true, 140);
        assert!(text.contains(&format!("{rule} forbids")), "{text}");
    }
    for (fixed, rule) in [("md5", "md5"), ("rsa-1024/sign", "rsa-below-2048"), ("rc4", "rc4")] {
        let advice = advise(&needs(&format!("fixed={fixed}")), &facts(&rows));
        assert!(advice.chosen.is_none() && advice.nearest.is_none(), "{fixed}");
        let text = text::advice(&advice, false, 140);
        assert!(
            text.contains("is never recommended") && text.contains(&format!("{rule} forbids")),
            "{text}"
        );
        assert!(text.contains("instead: "), "{text}");
    }
}

/// Only code that was tested meets `must constant-time`, even if other code is faster.
#[test]
fn constant_time_is_by_a_test() {
    let rows = [
        row("ropewalk", "ropewalk 0.1.0", "p256/sign", 64, 20e3),
        row("libcrypto", "OpenSSL 3.5.4", "p256/sign", 64, 10e3),
    ];
    let free = advise(&needs("protect=signature"), &facts(&rows));
    assert_eq!(chosen(&free).offer.library.peer, "libcrypto");
    assert!(text::advice(&free, false, 140).contains("constant-time  not tested here"));
    let tested = advise(&needs("protect=signature must=constant-time"), &facts(&rows));
    assert_eq!(chosen(&tested).offer.library.peer, "ropewalk");
    // Within the noise, the tested one is chosen.
    let near = [
        row("libcrypto", "OpenSSL 3.5.4", "p256/sign", 64, 10e3),
        row("ropewalk", "ropewalk 0.1.0", "p256/sign", 64, 10.1e3),
    ];
    let advice = advise(&needs("protect=signature"), &facts(&near));
    assert_eq!(chosen(&advice).offer.library.peer, "ropewalk");
    assert!(!advice.others[0].differs);
    // What would meet the need is the one that is not tested.
    let fast = advise(&needs("protect=signature must=constant-time ops=90000/s"), &facts(&rows));
    assert!(
        fast.would.iter().any(|would| matches!(would, Would::NotTested { .. })),
        "{:?}",
        fast.would
    );
    let tables = ["/usr/lib/OpenSSL 3.5.4.so".to_owned()];
    let aes = [row("libcrypto", "OpenSSL 3.5.4", "aes-128-gcm/seal", 16384, 1e6)];
    let advice = advise(&needs("protect=aead"), &Facts { tables: &tables, ..facts(&aes) });
    assert!(text::advice(&advice, false, 140).contains("no: its AES is by tables"));
}

/// A version past its support is chosen only if there is no other.
#[test]
fn old_versions_come_last() {
    let mut rows = vec![row("libcrypto", "OpenSSL 1.1.1w", "aes-128-gcm/seal", 16384, 1e3)];
    let asked = needs("protect=aead");
    let advice = advise(&asked, &facts(&rows));
    assert_eq!(chosen(&advice).offer.library.name(), "OpenSSL 1.1.1w");
    assert!(
        text::advice(&advice, false, 140)
            .contains("past its support by its project since 2023-09-11")
    );
    rows.push(row("libcrypto", "OpenSSL 3.5.4", "aes-128-gcm/seal", 16384, 2e3));
    let advice = advise(&asked, &facts(&rows));
    assert_eq!(chosen(&advice).offer.library.name(), "OpenSSL 3.5.4");
    assert!(
        text::advice(&advice, false, 140).contains("takes 0.50x the time; OpenSSL 1.1.1w is past")
    );
}

/// A need is met only if the slow end of the interval meets it.
#[test]
fn an_interval_counts_by_its_slow_end() {
    let rows = [row("ropewalk", "ropewalk 0.1.0", "p256/sign", 64, 1e6)];
    let met = |ops: &str| {
        advise(&needs(&format!("protect=signature ops={ops}")), &facts(&rows)).chosen.is_some()
    };
    assert!(met("990/s") && !met("991/s"));
    let met = |time: &str| {
        advise(&needs(&format!("protect=signature latency={time}")), &facts(&rows)).chosen.is_some()
    };
    assert!(met("1.011ms") && !met("1.009ms"));
}

/// Rows that are wrong, masked, of several threads or of another mode do not count.
#[test]
fn only_plain_rows_count() {
    let plain = || row("libcrypto", "OpenSSL 3.5.4", "aes-128-gcm/seal", 16384, 1e3);
    let bad = [
        Record { answer: Answer::Wrong, ns: None, ..plain() },
        Record { answer: Answer::Wrong, ..plain() },
        Record { mask: "-aes".into(), ..plain() },
        Record { threads: 2, ..plain() },
        Record { cold: Some(true), ..plain() },
        Record { stride: Some(4096), count: 1, ..plain() },
        Record { count: 8, ..plain() },
    ];
    let advice = advise(&needs("protect=aead"), &facts(&bad));
    assert!(advice.chosen.is_none() && advice.nearest.is_none());
    assert!(
        advice.unknown[0].contains("no row has a figure of aes-128-gcm/seal"),
        "{:?}",
        advice.unknown
    );
}

/// A figure between two sizes is on the line between them.
#[test]
fn sizes_between_rows_are_on_a_line() {
    let rows = [
        row("ropewalk", "ropewalk 0.1.0", "aes-128-gcm/seal", 1000, 100.0),
        row("ropewalk", "ropewalk 0.1.0", "aes-128-gcm/seal", 3000, 200.0),
    ];
    let ns = |bytes: u64| {
        let advice = advise(&needs(&format!("protect=aead message={bytes}")), &facts(&rows));
        chosen(&advice).offer.time.ns
    };
    assert_eq!((ns(1000), ns(2000), ns(6000), ns(10)), (100.0, 150.0, 400.0, 100.0));
}

/// The cores of a server: its arithmetic is in its lines.
#[test]
fn a_server_has_a_number_of_cores() {
    let rows = [
        row("ropewalk", "ropewalk 0.1.0", "aes-128-gcm/seal", 1350, 100.0),
        row("ropewalk", "ropewalk 0.1.0", "x25519/agree", 32, 30e3),
        row("ropewalk", "ropewalk 0.1.0", "x25519/generate", 32, 10e3),
        row("ropewalk", "ropewalk 0.1.0", "p256/sign", 64, 20e3),
    ];
    let asked = "tls=40Gbit/s requests=20000/s record=1350 resumed=80%";
    let of = capacity(&needs(asked), &facts(&rows));
    let cores: Vec<f64> = of.lines.iter().map(|line| line.cores).collect();
    let want = [5e9 / 1350.0 * 100.0 / 1e9, 20_000.0 * 40e3 / 1e9, 4000.0 * 20e3 / 1e9];
    assert!(
        cores.iter().zip(want).all(|(cores, want)| (cores / want - 1.0).abs() < 1e-9),
        "{cores:?}"
    );
    assert_eq!((of.whole(), of.is_enough()), (2, true));
    let text = text::capacity(&of, 140);
    for want in [
        "2 cores for the cryptography of TLS 1.3 (1.25); there are 2 here",
        "AES-128-GCM with ropewalk: 3.70 M/s x 100 ns = 0.370 cores (5.00 GB/s / 1350 B)",
        "20.0 k/s x 40.0 us = 0.800 cores (each connection)",
        "4.00 k/s x 20.0 us = 0.080 cores (20 % of the connections)",
    ] {
        assert!(text.contains(want), "{want}: {text}");
    }
    let few = capacity(&needs(&format!("{asked} cores=1")), &facts(&rows));
    assert!(!few.is_enough());
    let missing = capacity(&needs(asked), &facts(&rows[..1]));
    assert_eq!(missing.unknown.len(), 2);
    // Connections that all resume another one are not signed.
    let resumed = capacity(&needs("tls=1Gbit/s requests=1000/s resumed=100%"), &facts(&rows));
    assert_eq!(resumed.lines.len(), 2);
}

/// Texts fit narrow screens, and JSON has the same answer.
#[test]
fn answers_fit_and_are_data() {
    let rows = emerald_rapids();
    let advice = advise(&needs("protect=aead message=50KB rate=20MB/s must=tls13"), &facts(&rows));
    for width in [40, 80, 140] {
        let text = text::advice(&advice, true, width);
        // Names are not broken.
        let long = |line: &&str| line.chars().count() > width && line.trim().contains(' ');
        let long: Vec<&str> = text.lines().filter(long).collect();
        assert!(width == 40 || long.is_empty(), "{long:?}");
    }
    let json = serde_json::to_value(&advice).unwrap();
    assert_eq!(json["needs"]["protect"], "aead");
    assert_eq!(json["chosen"]["offer"]["library"]["peer"], "ropewalk");
    assert_eq!(json["chosen"]["constant_time"], "checked");
    assert_eq!(json["chosen"]["offer"]["figures"][0]["part"]["bytes"], 50_000);
}
