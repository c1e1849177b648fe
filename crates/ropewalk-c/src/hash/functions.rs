//! The hash functions by their types, in one list that all code for any of them is written from.

/// Calls another macro with its arguments and the list: the hash function, its HMAC, its type, and its calls for one message and
/// for many. SHAKE is not in it.
macro_rules! each_hash {
    ($($callback:ident)::+ ! { $($arguments:tt)* }) => {
        $($callback)::+ ! { $($arguments)*
            Md5, HmacMd5: md5::Md5, digest, digest_many;
            Sha1, HmacSha1: sha1::Sha1, digest, digest_many;
            Sha224, HmacSha224: sha256::Sha224, digest_224, digest_224_many;
            Sha256, HmacSha256: sha256::Sha256, digest, digest_many;
            Sha384, HmacSha384: sha512::Sha384, digest_384, digest_384_many;
            Sha512, HmacSha512: sha512::Sha512, digest, digest_many;
            Sha512_256, HmacSha512_256: sha512::Sha512_256, digest_512_256, digest_512_256_many;
            Sha3_224, HmacSha3_224: sha3::Sha3_224, sha3_224, sha3_224_many;
            Sha3_256, HmacSha3_256: sha3::Sha3_256, sha3_256, sha3_256_many;
            Sha3_384, HmacSha3_384: sha3::Sha3_384, sha3_384, sha3_384_many;
            Sha3_512, HmacSha3_512: sha3::Sha3_512, sha3_512, sha3_512_many;
        }
    };
}
pub(crate) use each_hash;

/// Evaluates an expression with the type of a hash function and its calls for one message and for many, and another expression for
/// SHAKE.
macro_rules! with_hash {
    ($algorithm:expr, ($Hash:ident, $digest:ident, $many:ident) => $do:expr, else $else:expr) => {
        $crate::hash::each_hash! { $crate::hash::with_hash! { @
            $algorithm, ($Hash, $digest, $many) => $do, else $else;
        } }
    };
    (@
        $algorithm:expr, ($Hash:ident, $digest:ident, $many:ident) => $do:expr, else $else:expr;
        $( $Variant:ident, $Hmac:ident: $module:ident::$Type:ident, $call:ident, $call_many:ident; )+
    ) => {
        match $algorithm {
            $( ropewalk::hash::Algorithm::$Variant => {
                #[allow(dead_code, reason = "not every caller uses all")]
                type $Hash = ropewalk::$module::$Type;
                #[allow(unused_imports, reason = "not every caller uses all")]
                use ropewalk::$module::{$call as $digest, $call_many as $many};
                $do
            } )+
            _ => $else,
        }
    };
}
pub(crate) use with_hash;
