//! Hash functions.

/// A hash function. An extendable-output function is measured with an output of twice its security strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they have their names from the standards")]
pub enum Function {
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    Sha512_256,
    Sha3_224,
    Sha3_256,
    Sha3_384,
    Sha3_512,
    Shake128,
    Shake256,
}

impl Function {
    /// As its standard writes it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Bytes of output.
    pub fn output_len(self) -> usize {
        self.row().output
    }

    /// Bytes of a block; of SHA-3 and SHAKE, of the rate.
    pub fn block_len(self) -> usize {
        self.row().block
    }

    /// Whether it is an extendable-output function.
    pub fn extends(self) -> bool {
        matches!(self, Self::Shake128 | Self::Shake256)
    }

    const fn row(self) -> Row {
        match self {
            Self::Md5 => row("MD5", 16, 64),
            Self::Sha1 => row("SHA-1", 20, 64),
            Self::Sha224 => row("SHA-224", 28, 64),
            Self::Sha256 => row("SHA-256", 32, 64),
            Self::Sha384 => row("SHA-384", 48, 128),
            Self::Sha512 => row("SHA-512", 64, 128),
            Self::Sha512_256 => row("SHA-512/256", 32, 128),
            Self::Sha3_224 => row("SHA3-224", 28, 144),
            Self::Sha3_256 => row("SHA3-256", 32, 136),
            Self::Sha3_384 => row("SHA3-384", 48, 104),
            Self::Sha3_512 => row("SHA3-512", 64, 72),
            Self::Shake128 => row("SHAKE128", 32, 168),
            Self::Shake256 => row("SHAKE256", 64, 136),
        }
    }
}

struct Row {
    name: &'static str,
    output: usize,
    block: usize,
}

const fn row(name: &'static str, output: usize, block: usize) -> Row {
    Row { name, output, block }
}
