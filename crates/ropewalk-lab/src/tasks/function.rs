//! Hash functions, from the list of the library.

macro_rules! functions {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal
        ($Other:path, $block:literal, $digest:literal, $oid:literal) $lists:tt $calls:tt $hmac:tt; )+) => {
        /// A hash function. An extendable-output function is measured with an output of twice its security strength.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "they have their names from the standards")]
        pub enum Function {
            $( $Hash, )+
            Shake128,
            Shake256,
        }

        impl Function {
            const fn row(self) -> Row {
                match self {
                    $( Self::$Hash => row($title, $digest, $block), )+
                    Self::Shake128 => row("SHAKE128", 32, 168),
                    Self::Shake256 => row("SHAKE256", 64, 136),
                }
            }
        }
    };
}

ropewalk::hash_functions! { functions! {} }

impl Function {
    /// Its name in its standard.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Bytes of output.
    pub fn output_len(self) -> usize {
        self.row().output
    }

    /// Bytes of a block; for SHA-3 and SHAKE, of the rate.
    pub fn block_len(self) -> usize {
        self.row().block
    }

    /// Whether it is an extendable-output function.
    pub fn extends(self) -> bool {
        matches!(self, Self::Shake128 | Self::Shake256)
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
