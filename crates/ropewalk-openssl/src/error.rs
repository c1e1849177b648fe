//! Errors, with the reasons of OpenSSL's own providers.

use core::ffi::c_uint;

use crate::abi::Item;

macro_rules! reasons {
    ($( $(#[$doc:meta])* $Reason:ident = $id:literal $text:literal, )+) => {
        /// Why a function fails. The numbers are those of `proverr.h`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Reason {
            $( $(#[$doc])* $Reason = $id, )+
        }

        /// The texts that OpenSSL prints.
        pub(crate) static REASONS: &[Item] = &[
            $( Item { id: $id, text: $text.as_ptr() }, )+
            Item { id: 0, text: core::ptr::null() },
        ];
    };
}

reasons! {
    BadDecrypt = 100 c"bad decrypt",
    CipherOperationFailed = 102 c"cipher operation failed",
    FailedToGetParameter = 103 c"failed to get parameter",
    FailedToSetParameter = 104 c"failed to set parameter",
    InvalidKeyLength = 105 c"invalid key length",
    OutputBufferTooSmall = 106 c"output buffer too small",
    WrongFinalBlockLength = 107 c"wrong final block length",
    InvalidAad = 108 c"invalid aad",
    InvalidIvLength = 109 c"invalid iv length",
    InvalidTag = 110 c"invalid tag",
    NotXofOrInvalidLength = 113 c"not xof or invalid length",
    NoKeySet = 114 c"no key set",
    InvalidTagLength = 118 c"invalid tag length",
    TagNotSet = 119 c"tag not set",
    TagNotNeeded = 120 c"tag not needed",
    InvalidSaltLength = 112 c"invalid salt length",
    InvalidDigest = 122 c"invalid digest",
    InvalidDigestLength = 166 c"invalid digest length",
    InvalidIterationCount = 123 c"invalid iteration count",
    InvalidMode = 125 c"invalid mode",
    MissingKey = 128 c"missing key",
    MissingMessageDigest = 129 c"missing message digest",
    MissingPass = 130 c"missing pass",
    MissingSalt = 131 c"missing salt",
    MissingSecret = 132 c"missing secret",
    MissingSeed = 140 c"missing seed",
    KeySizeTooSmall = 171 c"key size too small",
    XtsDataUnitIsTooLarge = 148 c"xts data unit is too large",
    XtsDuplicatedKeys = 149 c"xts duplicated keys",
    WrongOutputBufferSize = 139 c"wrong output buffer size",
    InvalidOutputLength = 217 c"invalid output length",
    RepeatedParameter = 252 c"repeated parameter",
    LengthTooLarge = 202 c"length too large",
    UpdateCallOutOfOrder = 240 c"update call out of order",
    FinalCallOutOfOrder = 237 c"final call out of order",
    InvalidInputLength = 230 c"invalid input length",
    /// Buffers that overlap, but are not the same.
    PartiallyOverlapping = 1001 c"partially overlapping buffers",
    /// The operating system gave no random bytes.
    NoRandomness = 1002 c"no random bytes",
    /// A wrong tag. OpenSSL's own providers put no error on the queue: programs detect a forged message by
    /// that.
    Forged = 1004 c"forged message",
    /// Another provider has failed, and has put its reason on the queue.
    Said = 1005 c"failed elsewhere",
    /// A bug of this provider, which was caught.
    Internal = 1003 c"internal error",
}

impl Reason {
    pub(crate) fn number(self) -> c_uint {
        self as c_uint
    }
}

impl From<ropewalk::Error> for Reason {
    /// For functions without a more exact reason.
    #[cold]
    #[inline(never)]
    fn from(error: ropewalk::Error) -> Self {
        match error {
            ropewalk::Error::Forged => Self::Forged,
            ropewalk::Error::EqualHalves => Self::XtsDuplicatedKeys,
            ropewalk::Error::NoRandomness => Self::NoRandomness,
            ropewalk::Error::Length { .. } => Self::InvalidInputLength,
            _ => Self::CipherOperationFailed,
        }
    }
}
