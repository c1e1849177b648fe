//! The hash functions of ropewalk, from the list of the library.

use ropewalk::{
    Hash, HashMany,
    backend::{Info, Primitive},
    sha3,
};

use super::{
    digest::{hash, many, shake128, shake128_many, shake256, shake256_many},
    mac::{hmac, hmac_many},
};
use crate::{
    peers::{Job, Unavailable},
    tasks::{Cell, Function},
};

/// The jobs of a hash function: for single messages, and for batches.
pub(super) struct Row {
    function: Function,
    pub(super) backends: OneAndMany<&'static [Info]>,
    pub(super) hash: OneAndMany<Make>,
    pub(super) hmac: Option<OneAndMany<Make>>,
}

/// Makes a job, with a backend of that name.
pub(super) type Make = fn(&Cell, &str) -> Result<Box<dyn Job>, Unavailable>;

/// One for single messages, and one for batches.
pub(super) struct OneAndMany<T>(T, T);

impl<T: Copy> OneAndMany<T> {
    pub(super) fn of(&self, many: bool) -> T {
        if many { self.1 } else { self.0 }
    }
}

/// The row of a hash function.
pub(super) fn of(function: Function) -> Option<&'static Row> {
    FUNCTIONS.iter().find(|row| row.function == function)
}

macro_rules! rows {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal
        ($Other:path, $block:literal, $digest:literal, $oid:literal) ($one:ident $many:ident) $calls:tt $hmac:tt; )+) => {
        static FUNCTIONS: &[Row] = &[
            $(
                row::<ropewalk::$module::$Many, $digest>(
                    Function::$Hash,
                    ropewalk::$module::$one,
                    ropewalk::$module::$many,
                ),
            )+
            extendable(Function::Shake128, OneAndMany(shake128, shake128_many)),
            extendable(Function::Shake256, OneAndMany(shake256, shake256_many)),
        ];
    };
}

ropewalk::hash_functions! { rows! {} }

const fn row<M, const N: usize>(function: Function, one: Primitive, lanes: Primitive) -> Row
where
    M: HashMany<One: Hash<Digest = [u8; N]>> + 'static,
{
    Row {
        function,
        backends: OneAndMany(one.backends, lanes.backends),
        hash: OneAndMany(hash::<M::One>, many::<M, N>),
        hmac: Some(OneAndMany(hmac::<M::One>, hmac_many::<M, N>)),
    }
}

/// A SHAKE function. HMAC requires a hash function with a fixed output length.
const fn extendable(function: Function, hash: OneAndMany<Make>) -> Row {
    let backends = OneAndMany(sha3::PRIMITIVE.backends, sha3::PRIMITIVE_MANY.backends);
    Row { function, backends, hash, hmac: None }
}
