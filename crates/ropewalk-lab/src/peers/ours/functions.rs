//! The hash functions of ropewalk, a row each.

use ropewalk::{
    Hash, HashMany,
    backend::{Info, Primitive},
    md5::{self, Md5Many},
    sha1::{self, Sha1Many},
    sha3::{self, Sha3_224Many, Sha3_256Many, Sha3_384Many, Sha3_512Many},
    sha256::{self, Sha224Many, Sha256Many},
    sha512::{self, Sha384Many, Sha512_256Many, Sha512Many},
};

use super::{
    digest::{hash, many, shake128, shake128_many, shake256, shake256_many},
    mac::{hmac, hmac_many},
};
use crate::{
    peers::{Job, Unavailable},
    tasks::{Cell, Function},
};

/// What there is of a hash function: of one message, and of many.
pub(super) struct Row {
    function: Function,
    pub(super) backends: OneAndMany<&'static [Info]>,
    pub(super) hash: OneAndMany<Make>,
    pub(super) hmac: Option<OneAndMany<Make>>,
}

/// What makes a job, with a backend of that name.
pub(super) type Make = fn(&Cell, &str) -> Result<Box<dyn Job>, Unavailable>;

/// What is for one message, and what is for many.
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

static FUNCTIONS: [Row; 13] = [
    row::<Md5Many, 16>(Function::Md5, md5::PRIMITIVE, md5::PRIMITIVE_MANY),
    row::<Sha1Many, 20>(Function::Sha1, sha1::PRIMITIVE, sha1::PRIMITIVE_MANY),
    row::<Sha224Many, 28>(Function::Sha224, sha256::PRIMITIVE_224, sha256::PRIMITIVE_224_MANY),
    row::<Sha256Many, 32>(Function::Sha256, sha256::PRIMITIVE, sha256::PRIMITIVE_MANY),
    row::<Sha384Many, 48>(Function::Sha384, sha512::PRIMITIVE_384, sha512::PRIMITIVE_384_MANY),
    row::<Sha512Many, 64>(Function::Sha512, sha512::PRIMITIVE, sha512::PRIMITIVE_MANY),
    row::<Sha512_256Many, 32>(
        Function::Sha512_256,
        sha512::PRIMITIVE_512_256,
        sha512::PRIMITIVE_512_256_MANY,
    ),
    row::<Sha3_224Many, 28>(Function::Sha3_224, sha3::PRIMITIVE, sha3::PRIMITIVE_MANY),
    row::<Sha3_256Many, 32>(Function::Sha3_256, sha3::PRIMITIVE, sha3::PRIMITIVE_MANY),
    row::<Sha3_384Many, 48>(Function::Sha3_384, sha3::PRIMITIVE, sha3::PRIMITIVE_MANY),
    row::<Sha3_512Many, 64>(Function::Sha3_512, sha3::PRIMITIVE, sha3::PRIMITIVE_MANY),
    extendable(Function::Shake128, OneAndMany(shake128, shake128_many)),
    extendable(Function::Shake256, OneAndMany(shake256, shake256_many)),
];

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

/// One of SHAKE. HMAC is of a hash function whose output has one length.
const fn extendable(function: Function, hash: OneAndMany<Make>) -> Row {
    let backends = OneAndMany(sha3::PRIMITIVE.backends, sha3::PRIMITIVE_MANY.backends);
    Row { function, backends, hash, hmac: None }
}
