//! Differences between versions in the declarations of the public header.

use std::ffi::c_int;

use super::api::{CBC, CTR, HMAC_MD5, HMAC_SHA_1, HMAC_SHA_512, POLY1305};

/// The interface of a version, as far as it is used here. The table of functions has the same order in all
/// known versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interface {
    /// The length of a job, and the distance of the jobs of a burst.
    pub(super) job_bytes: usize,
    /// The flag that disables GFNI.
    pub(super) no_gfni: u64,
    /// Whether bursts support more than AES-CBC, AES-CTR and HMAC of SHA.
    more_bursts: bool,
    /// Whether HMAC supports an empty message, which otherwise corrupts those after it.
    pub(super) hmac_of_nothing: bool,
}

/// The known versions.
pub(super) const KNOWN: &str = "1.3 to 1.5 and 2.0";

impl Interface {
    /// The interface of a version from `imb_get_version`, if it is known. Versions with the same major number
    /// may differ.
    pub(super) fn of(version: u32) -> Option<Self> {
        let (major, minor, patch) = (version >> 16, version >> 8 & 0xff, version & 0xff);
        let (job_bytes, no_gfni) = match (major, minor) {
            (1, 3) => (200, 1 << 2),
            (1, 4 | 5) => (240, 1 << 2),
            (2, 0) => (216, 1 << 1),
            _ => return None,
        };
        let hmac_of_nothing = (major, minor, patch) >= (2, 0, 2);
        Some(Self { job_bytes, no_gfni, more_bursts: major >= 2, hmac_of_nothing })
    }

    /// Whether bursts support this cipher mode.
    pub(super) fn bursts_cipher(self, mode: c_int) -> bool {
        matches!(mode, CBC | CTR) || self.more_bursts
    }

    /// Whether bursts support this hash function or MAC.
    pub(super) fn bursts_hash(self, algorithm: c_int) -> bool {
        match algorithm {
            HMAC_SHA_1..=HMAC_SHA_512 => true,
            HMAC_MD5 | POLY1305 => false,
            _ => self.more_bursts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::api::{AES_CMAC, CCM, ECB, SHA_1},
        *,
    };

    #[test]
    fn every_version_has_its_own() {
        let bytes = |version| Interface::of(version).map(|interface| interface.job_bytes);
        for (version, want) in [
            (0x01_02_01, None),
            (0x01_03_00, Some(200)),
            (0x01_04_00, Some(240)),
            (0x01_05_00, Some(240)),
            (0x01_06_00, None),
            (0x02_00_00, Some(216)),
            (0x02_00_02, Some(216)),
            (0x02_01_00, None),
            (0x03_00_00, None),
            // Versions with another byte order of the number.
            (0, None),
            (u32::MAX, None),
        ] {
            assert_eq!(bytes(version), want, "{version:#x}");
        }
    }

    #[test]
    fn hmac_of_nothing_is_new() {
        for (version, want) in [(0x01_05_00, false), (0x02_00_01, false), (0x02_00_02, true)] {
            let interface = Interface::of(version).expect("it is known");
            assert_eq!(interface.hmac_of_nothing, want, "{version:#x}");
        }
    }

    #[test]
    fn bursts_take_more_since_2() {
        let [old, new] = [0x01_03_00, 0x02_00_00].map(|v| Interface::of(v).expect("it is known"));
        for (mode, in_old) in [(CBC, true), (CTR, true), (ECB, false), (CCM, false)] {
            assert_eq!(old.bursts_cipher(mode), in_old, "{mode}");
            assert!(new.bursts_cipher(mode), "{mode}");
        }
        for (algorithm, in_old, in_new) in [
            (HMAC_SHA_1, true, true),
            (HMAC_SHA_512, true, true),
            (SHA_1, false, true),
            (AES_CMAC, false, true),
            (HMAC_MD5, false, false),
            (POLY1305, false, false),
        ] {
            assert_eq!(old.bursts_hash(algorithm), in_old, "{algorithm}");
            assert_eq!(new.bursts_hash(algorithm), in_new, "{algorithm}");
        }
        // The bit of one disables AES instructions in the other.
        assert_ne!(old.no_gfni, new.no_gfni);
    }
}
