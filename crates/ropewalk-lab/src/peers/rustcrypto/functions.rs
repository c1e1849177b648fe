//! The hash functions of RustCrypto, from the list of the library.

use hmac::Hmac;

use super::{Extendable, hash as digest, mac};
use crate::{
    peers::{Job, Unavailable, find, jobs},
    tasks::{Cell, Function},
};

type OfHash = fn(&Cell) -> Box<dyn Job>;
type OfHmac = fn(&Cell) -> Result<Box<dyn Job>, Unavailable>;

/// Makes a job of the hash function.
pub(super) fn hash(function: Function) -> Option<OfHash> {
    find(FUNCTIONS, function).map(|(hash, _)| hash)
}

/// Makes a job of HMAC of the hash function.
pub(super) fn hmac(function: Function) -> Option<OfHmac> {
    find(FUNCTIONS, function)?.1
}

macro_rules! rows {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal ($Type:path, $($facts:literal),+)
        $lists:tt $calls:tt $hmac:tt; )+) => {
        const FUNCTIONS: &[(Function, (OfHash, Option<OfHmac>))] = &[
            $( (Function::$Hash, (digest::<$Type>, Some(mac::<Hmac<$Type>>))), )+
            (Function::Shake128, (extendable::<sha3::Shake128>, None)),
            (Function::Shake256, (extendable::<sha3::Shake256>, None)),
        ];
    };
}

ropewalk::hash_functions! { rows! {} }

fn extendable<H>(cell: &Cell) -> Box<dyn Job>
where
    Extendable<H>: jobs::Hash + 'static,
    H: Default,
{
    jobs::hash(cell, Extendable(H::default()))
}
