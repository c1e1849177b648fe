//! The part of a target that its processor does not say.

use serde::Serialize;

/// What a file is for besides its processor, where that decides what it is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Abi {
    /// 32-bit Arm with floats in integer registers: Debian's armel.
    SoftFloat,
    /// 32-bit Arm with floats in their own registers: Debian's armhf.
    HardFloat,
    /// Android.
    Android,
}

impl Abi {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::SoftFloat => "soft float (armel)",
            Self::HardFloat => "hard float (armhf)",
            Self::Android => "Android",
        }
    }
}
