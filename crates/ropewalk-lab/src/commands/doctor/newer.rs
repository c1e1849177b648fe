//! Improvements of later versions of libraries for a processor.

/// An improvement of a later version of a library, and the processor features that it needs.
struct Newer {
    library: &'static str,
    since: (u32, u32),
    task: &'static str,
    needs: &'static [&'static str],
    has: &'static str,
}

/// From OpenSSL's CHANGES.md for 3.1 ("AES-GCM enabled with AVX512 vAES and vPCLMULQDQ") and libgcrypt's NEWS for 1.11.0
/// and 1.10.0.
const NEWER: &[Newer] = &[
    Newer {
        library: "OpenSSL",
        since: (3, 1),
        task: "aes-128-gcm/seal",
        needs: &["vaes", "vpclmulqdq", "avx512f", "avx512bw", "avx512dq", "avx512vl"],
        has: "AES-GCM on 512 bits, with VAES",
    },
    Newer {
        library: "libgcrypt",
        since: (1, 11),
        task: "aes-128-gcm/seal",
        needs: &["vpclmulqdq", "avx512f", "avx512bw", "avx512dq", "avx512vl"],
        has: "GHASH on 512 bits",
    },
    Newer {
        library: "libgcrypt",
        since: (1, 11),
        task: "aes-128-gcm/seal",
        needs: &["vpclmulqdq", "avx2"],
        has: "GHASH on 256 bits",
    },
    Newer {
        library: "libgcrypt",
        since: (1, 10),
        task: "aes-128-cbc/decrypt",
        needs: &["vaes", "avx2"],
        has: "AES on 256 bits, with VAES",
    },
];

/// Code that no known version of a library has, and other libraries have.
struct Lacking {
    library: &'static str,
    /// The newest version that was measured.
    newest: (u32, u32),
    task: &'static str,
    needs: &'static [&'static str],
    /// With these features it has an equivalent.
    but_for: &'static [&'static str],
    lacks: &'static str,
    /// The libraries that have it.
    others: &'static str,
}

/// Libraries whose newest version has slow AES-GCM, where others are twice as fast: measured with `ropewalk
/// speed`, on processors with VAES, with AVX-512 and without (records/zen3, records/zen5).
const LACKING: &[Lacking] = &[
    on_256_bits("OpenSSL", (4, 0), &["avx512f"]),
    on_256_bits("AWS-LC", (5, 12), &["avx512f"]),
    on_256_bits("GnuTLS", (3, 8), &[]),
    on_256_bits("nettle", (3, 10), &[]),
    on_256_bits("NSS", (3, 132), &[]),
    on_256_bits("Botan", (3, 13), &[]),
];

const fn on_256_bits(
    library: &'static str,
    newest: (u32, u32),
    but_for: &'static [&'static str],
) -> Lacking {
    Lacking {
        library,
        newest,
        task: "aes-128-gcm/seal",
        needs: &["vaes", "vpclmulqdq", "avx2"],
        but_for,
        lacks: if but_for.is_empty() {
            "AES-GCM with VAES"
        } else {
            "AES-GCM with VAES for processors without AVX-512"
        },
        others: "libgcrypt 1.11, BoringSSL and ring 0.17.13 and later do",
    }
}

/// The code for this processor at a task that no version of a library has, and the remedy.
pub(super) fn in_no_version(
    version: Option<&str>,
    features: &[&str],
    task: &str,
) -> Option<(String, String)> {
    let lacking = LACKING.iter().find(|lacking| {
        let this = version.and_then(|said| number(said, lacking.library));
        task == lacking.task
            && this.is_some_and(|this| this <= lacking.newest)
            && lacking.needs.iter().all(|feature| features.contains(feature))
            && !lacking.but_for.iter().any(|feature| features.contains(feature))
    })?;
    let Lacking { library, newest: (major, minor), lacks, others, .. } = lacking;
    Some((
        format!("no version of {library} up to {major}.{minor} has {lacks}"),
        format!("have another library do that: {others}; `ropewalk speed {task}` compares them"),
    ))
}

/// The code for this processor, at a task or at any, that a later version has, and how to get it.
pub(super) fn newer(
    version: Option<&str>,
    features: &[&str],
    task: Option<&str>,
) -> Option<(String, String)> {
    let newer = NEWER.iter().find(|newer| {
        let older = version.and_then(|said| number(said, newer.library));
        task.is_none_or(|task| task == newer.task)
            && older.is_some_and(|older| older < newer.since)
            && newer.needs.iter().all(|feature| features.contains(feature))
    })?;
    let Newer { library, since: (major, minor), has, .. } = newer;
    Some((
        format!("{library} {major}.{minor} and later have {has}"),
        format!("install {library} {major}.{minor} or later"),
    ))
}

/// The first two numbers after a library's name: those of `OpenSSL 3.0.19 27 Jan 2026` are 3 and 0.
pub(super) fn number(said: &str, library: &str) -> Option<(u32, u32)> {
    let mut numbers = said.strip_prefix(library)?.trim_start().split(['.', ' ', '-']);
    let mut next = || numbers.next()?.parse().ok();
    Some((next()?, next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_features_and_tasks_are_there() {
        for newer in NEWER {
            let known = |name| ropewalk::cpu::FEATURES.iter().any(|feature| feature.name == name);
            assert!(newer.needs.iter().all(|name| known(*name)), "{}", newer.has);
            assert!(crate::tasks::TASKS.iter().any(|task| task.full_name() == newer.task));
        }
    }

    #[test]
    fn what_no_version_has() {
        let zen_3 = ["aes", "vaes", "vpclmulqdq", "avx2"];
        let zen_4 = [&zen_3[..], &["avx512f"]].concat();
        let gcm =
            |version, features: &[&str]| in_no_version(Some(version), features, "aes-128-gcm/seal");
        let (cause, remedy) = gcm("OpenSSL 4.0.3 29 Sep 2026", &zen_3).unwrap();
        assert_eq!(
            cause,
            "no version of OpenSSL up to 4.0 has AES-GCM with VAES for processors without AVX-512"
        );
        assert!(remedy.contains("libgcrypt 1.11") && remedy.contains("ropewalk speed"), "{remedy}");
        assert!(gcm("OpenSSL 3.0.19 27 Jan 2026", &zen_3).is_some());
        // A later version may have it, and with AVX-512 this one has.
        assert_eq!(gcm("OpenSSL 4.1.0", &zen_3), None);
        assert_eq!(gcm("OpenSSL 4.0.3", &zen_4), None);
        assert_eq!(gcm("OpenSSL 4.0.3", &["aes"]), None);
        assert!(gcm("nettle 3.10", &zen_4).unwrap().0.ends_with("has AES-GCM with VAES"));
        assert_eq!(in_no_version(Some("OpenSSL 4.0.3"), &zen_3, "sha256/digest"), None);
        for lacking in LACKING {
            let known = |name: &&str| ropewalk::cpu::FEATURES.iter().any(|f| f.name == *name);
            assert!(lacking.needs.iter().chain(lacking.but_for).all(known), "{}", lacking.library);
            assert!(crate::tasks::TASKS.iter().any(|task| task.full_name() == lacking.task));
        }
    }

    #[test]
    fn numbers_of_versions() {
        assert_eq!(number("OpenSSL 3.0.19 27 Jan 2026", "OpenSSL"), Some((3, 0)));
        assert_eq!(number("OpenSSL 1.1.1w", "OpenSSL"), Some((1, 1)));
        assert_eq!(number("OpenSSL 4.1-dev", "OpenSSL"), Some((4, 1)));
        assert_eq!(number("libgcrypt 1.10.1", "libgcrypt"), Some((1, 10)));
        assert_eq!(number("AWS-LC 5.0.0", "OpenSSL"), None);
    }
}
