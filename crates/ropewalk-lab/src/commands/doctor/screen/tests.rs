//! Screens of made-up machines.

use std::path::PathBuf;

use super::{
    super::{
        super::provider::Here,
        backends::tests::report,
        measured::{Times, Uses},
        packages::{Offers, Package},
        verdict::{Case, judge},
    },
    *,
};
use crate::{installed::By, machine::masks};

const FEATURES: &[&str] =
    &["aes", "vaes", "vpclmulqdq", "avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl", "sha"];

/// A library with these times relative to ropewalk for AES-GCM and for SHA-256, which uses AES instructions
/// or not.
fn library(kind: &'static str, version: &str, gcm: f64, sha: f64, uses: bool) -> Library {
    let speed = |task: &str, slower: f64| Speed {
        task: task.into(),
        mb_per_s: Some(20e3 / slower),
        ropewalk_mb_per_s: Some(20e3),
        slower: Some(Times { times: slower, beyond_noise: slower > 1.05 }),
        ..Speed::default()
    };
    let mut speeds = vec![speed("aes-128-gcm/seal", gcm), speed("sha256/digest", sha)];
    speeds[0].uses.push(Uses {
        instructions: "AES instructions",
        feature: "aes",
        faster: Some(Times { times: if uses { 12.0 } else { 1.0 }, beyond_noise: true }),
        note: None,
    });
    let case =
        Case { version: Some(version), speeds: &speeds, features: FEATURES, ..Case::default() };
    let judgement = judge(&case);
    let path = PathBuf::from(format!("/usr/lib/lib{}.so.3", kind.trim_start_matches("lib")));
    Library {
        kind,
        names: vec![path.clone()],
        path,
        by: By::Cache,
        words: crate::installed::says::Words {
            version: Some(version.into()),
            ..Default::default()
        },
        contains: None,
        speeds,
        served_by: None,
        notes: Vec::new(),
        judgement,
    }
}

/// The libraries of a typical Debian 12, on a processor with AVX-512.
fn debian() -> Report {
    let libraries = vec![
        library("libcrypto", "OpenSSL 3.0.22 25 Aug 2026", 4.4, 1.0, true),
        library("libgcrypt", "libgcrypt 1.10.1", 2.8, 1.0, true),
        library("nettle", "nettle 3.8", 6.6, 1.0, true),
        library("gnutls", "GnuTLS 3.7.9", 3.0, 1.0, true),
        library("libsodium", "libsodium 1.0.18", 6.8, 4.9, true),
        library("nss", "NSS 3.87.1", 1.0, 1.0, true),
    ];
    let mut report = Report { libraries, ..report("", Vec::new()) };
    // Hidden features of the machine that runs this test.
    report.hidden.clear();
    report.provider = Some(Here { version: "OpenSSL 3.0.22".into(), ..Here::default() });
    let package = Package {
        name: "libssl3".into(),
        file: "/usr/lib/libcrypto.so.3".into(),
        ..Package::default()
    };
    report.packages = Some(Offers { manager: "apt", packages: vec![package], note: None });
    report.conclude();
    report
}

fn screen(report: &Report, columns: usize, rows: Option<usize>) -> Vec<String> {
    let mut out = Vec::new();
    report.write_screen(Size { columns, rows }, &mut out).unwrap();
    let text = anstream::adapter::strip_str(std::str::from_utf8(&out).unwrap()).to_string();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn one_screen_has_it_all_and_the_answer_is_last() {
    let report = debian();
    for (columns, rows) in [(80, Some(24)), (80, None), (100, Some(40)), (200, Some(50))] {
        let lines = screen(&report, columns, rows);
        assert!(lines.len() <= 23, "{lines:#?}");
        assert!(lines.iter().all(|line| line.chars().count() <= columns), "{lines:#?}");
        let at = |start: &str| {
            let found = lines.iter().position(|line| line.contains(start));
            found.unwrap_or_else(|| panic!("no {start}: {lines:#?}"))
        };
        for (library, verdict) in [
            ("! OpenSSL 3.0.22 ", "could be 4.4x faster: AES-128-GCM"),
            ("! libgcrypt 1.10.1 ", "could be 2.8x faster: AES-128-GCM"),
            ("✓ nettle 3.8 ", "no release is faster"),
            ("✓ GnuTLS 3.7.9 ", "no release is faster"),
            ("! libsodium 1.0.18 ", "could be 6.8x faster: AES-128-GCM"),
            ("✓ NSS 3.87.1 ", "fast"),
        ] {
            assert!(lines[at(library)].contains(verdict), "{lines:#?}");
        }
        let first = at("  ropewalk provider install");
        assert!(first > at("✓ NSS") && first > at("provider: not installed"), "{lines:#?}");
        let gain = "AES-128-GCM 4.4x faster for programs that use OpenSSL";
        assert!(at(gain) - first <= 1 && at(gain) < at("apt offers nothing faster than libssl3"));
        let answer =
            "3 of 6 libraries are as fast as they could be; first: ropewalk provider install";
        assert_eq!(lines.last().unwrap(), answer);
    }
    assert!(report.wrong.is_empty(), "what is merely old is no fault: {:?}", report.wrong);
    assert!(report.could_be_faster());
}

#[test]
fn narrow_terminals_have_the_same() {
    let report = debian();
    let lines = screen(&report, 40, Some(100));
    let is_command = |line: &str| line.trim_start().starts_with("ropewalk ");
    let wide = lines.iter().find(|line| line.chars().count() > 40 && !is_command(line));
    assert_eq!(wide, None, "{lines:#?}");
    let text = lines.join("\n");
    for library in ["OpenSSL 3.0", "libgcrypt", "nettle 3.8", "could be 4.4x faster: AES-128-GCM"] {
        assert!(text.contains(library), "{text}");
    }
    assert!(lines.last().unwrap().ends_with("provider install"), "{text}");
    // On few lines, fast libraries are omitted before the units of the speeds.
    let text = screen(&report, 40, Some(30)).join("\n");
    assert!(text.contains("GB/s of 16 KiB") && text.contains("OpenSSL 3.0.22"), "{text}");
    assert!(text.contains(" more: ropewalk doctor --libraries\n"), "{text}");
}

/// A file shows instructions, not whether they make it fast.
#[test]
fn what_was_not_measured_is_not_called_fast() {
    let mut report = debian();
    report.libraries.iter_mut().for_each(|library| library.speeds.clear());
    report.conclude();
    assert!(report.answer.contains("could be, by their files; first: "), "{}", report.answer);
}

#[test]
fn many_libraries_are_at_most_forty_lines() {
    let mut report = debian();
    for _ in 0..40 {
        report.libraries.push(library("botan", "Botan 3.13.0", 1.0, 1.0, true));
    }
    report.conclude();
    for rows in [None, Some(24), Some(40), Some(60)] {
        let lines = screen(&report, 80, rows);
        let most = rows.map_or(40, |rows| rows.min(41) - 1);
        assert!(lines.len() <= most, "{rows:?}: {} lines", lines.len());
        let text = lines.join("\n");
        assert!(text.contains(" more: ropewalk doctor --libraries"), "{text}");
        assert!(text.contains("! OpenSSL 3.0.22"), "what could be faster is shown: {text}");
        assert!(text.ends_with("ropewalk provider install"), "{text}");
    }
}

#[test]
fn faults_come_before_what_is_old() {
    let mut report = debian();
    report.libraries[1] = library("libgcrypt", "libgcrypt 1.10.1", 40.0, 1.0, false);
    report.masks = masks::in_environment([("NETTLE_FAT_OVERRIDE".as_ref(), "none".as_ref())]);
    report.provider = None;
    report.conclude();
    let lines = screen(&report, 100, None);
    let text = lines.join("\n");
    assert!(text.contains("✗ libgcrypt 1.10.1"), "{text}");
    assert!(text.contains("instructions unused: 40x at AES-128-GCM"), "{text}");
    assert!(text.contains("✗ NETTLE_FAT_OVERRIDE: "), "{text}");
    let commands: Vec<&str> = report.remedies.iter().map(|remedy| &*remedy.command).collect();
    assert_eq!(commands[0], "ropewalk doctor --recipe /usr/lib/libgcrypt.so.3");
    assert_eq!(commands[1], "unset NETTLE_FAT_OVERRIDE");
    assert!(commands.len() <= 5);
    let wrong: Vec<&str> = report.wrong.iter().map(|wrong| &*wrong.what).collect();
    assert_eq!(wrong, ["NETTLE_FAT_OVERRIDE", "libgcrypt 1.10.1"]);
}

#[test]
fn the_provider_is_named_where_it_serves() {
    let mut report = debian();
    report.provider = Some(Here {
        installed: true,
        at_work: true,
        served: 43,
        algorithms: 43,
        config: "/home/a/openssl.cnf".into(),
        ..Here::default()
    });
    report.mark_served();
    report.conclude();
    let text = screen(&report, 100, None).join("\n");
    assert!(
        text.contains("✓ OpenSSL 3.0.22") && text.contains("ropewalk's provider serves here"),
        "{text}"
    );
    assert!(text.contains("provider: ropewalk serves 43 of its 43 algorithms"), "{text}");
    assert!(!text.contains("provider install"), "{text}");
    assert!(report.answer.starts_with("4 of 6 "), "{}", report.answer);
    // It is installed, but not set.
    report.provider.as_mut().unwrap().at_work = false;
    report.libraries[0].served_by = None;
    report.conclude();
    assert_eq!(report.remedies[0].command, "export OPENSSL_CONF=/home/a/openssl.cnf");
}

#[test]
fn packages_that_are_faster_are_offered() {
    let mut report = debian();
    report.provider = None;
    let package = Package {
        name: "libgcrypt20".into(),
        file: "/usr/lib/libgcrypt.so.3".into(),
        installed: Some("1.10.1-3".into()),
        offered: vec!["1.10.1-3+deb12u1".into(), "1.12.0-1".into()],
    };
    report.packages = Some(Offers { manager: "apt", packages: vec![package], note: None });
    report.conclude();
    // Whether a later version helps depends on the processor of this machine.
    let is_old = super::super::newer::newer(
        Some("libgcrypt 1.10.1"),
        &report.machine.processor.features,
        None,
    );
    let text = screen(&report, 100, None).join("\n");
    let install = report
        .remedies
        .iter()
        .any(|it| it.command.ends_with("apt-get install libgcrypt20=1.12.0-1"));
    assert_eq!(install, is_old.is_some(), "{text}");
    assert_eq!(
        text.contains("apt offers 1.12.0 in place of libgcrypt 1.10.1"),
        is_old.is_some(),
        "{text}"
    );
    report.packages.as_mut().unwrap().note = Some("it hangs".into());
    let text = screen(&report, 100, None).join("\n");
    assert!(text.contains("apt: not known what it offers: it hangs"), "{text}");
}

#[test]
fn a_machine_without_libraries_has_an_answer() {
    let mut report = report("", Vec::new());
    report.hidden.clear();
    report.conclude();
    let lines = screen(&report, 80, None);
    assert_eq!(lines.last().unwrap(), "No library of cryptography was found here.");
}
