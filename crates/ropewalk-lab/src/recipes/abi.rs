//! The part of a target besides its processor.

use serde::Serialize;

/// The target of a file besides its processor, if it affects how the file is built.
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
