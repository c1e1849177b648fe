//! What later versions of libraries have for a processor.

/// What later versions of a library have that earlier ones lack, and what it needs of the processor.
struct Newer {
    library: &'static str,
    since: (u32, u32),
    task: &'static str,
    needs: &'static [&'static str],
    has: &'static str,
}

/// From OpenSSL's CHANGES.md for 3.1 ("AES-GCM enabled with AVX512 vAES and vPCLMULQDQ") and libgcrypt's NEWS for 1.11.0
/// and 1.9.3.
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
        since: (1, 10),
        task: "aes-128-cbc/decrypt",
        needs: &["vaes", "avx2"],
        has: "AES on 256 bits, with VAES",
    },
];

/// What a later version has for this processor, at a task or at any, and how to have it.
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

/// The first two numbers behind a library's name: those of `OpenSSL 3.0.19 27 Jan 2026` are 3 and 0.
fn number(said: &str, library: &str) -> Option<(u32, u32)> {
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
    fn numbers_of_versions() {
        assert_eq!(number("OpenSSL 3.0.19 27 Jan 2026", "OpenSSL"), Some((3, 0)));
        assert_eq!(number("OpenSSL 1.1.1w", "OpenSSL"), Some((1, 1)));
        assert_eq!(number("OpenSSL 4.1-dev", "OpenSSL"), Some((4, 1)));
        assert_eq!(number("libgcrypt 1.10.1", "libgcrypt"), Some((1, 10)));
        assert_eq!(number("AWS-LC 5.0.0", "OpenSSL"), None);
    }
}
