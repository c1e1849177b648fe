//! The hash functions by their types, for code that is written once for any.

/// Does something with the type of a hash function and its calls for one message and for many; SHAKE, which has none, is another matter.
macro_rules! with_hash {
    ($algorithm:expr, ($Hash:ident, $digest:ident, $many:ident) => $do:expr, else $else:expr) => {
        $crate::hash::functions::with_hash! { @
            $algorithm, ($Hash, $digest, $many) => $do, else $else;
            Md5: md5::Md5, digest, digest_many;
            Sha1: sha1::Sha1, digest, digest_many;
            Sha224: sha256::Sha224, digest_224, digest_224_many;
            Sha256: sha256::Sha256, digest, digest_many;
            Sha384: sha512::Sha384, digest_384, digest_384_many;
            Sha512: sha512::Sha512, digest, digest_many;
            Sha512_256: sha512::Sha512_256, digest_512_256, digest_512_256_many;
            Sha3_224: sha3::Sha3_224, sha3_224, sha3_224_many;
            Sha3_256: sha3::Sha3_256, sha3_256, sha3_256_many;
            Sha3_384: sha3::Sha3_384, sha3_384, sha3_384_many;
            Sha3_512: sha3::Sha3_512, sha3_512, sha3_512_many;
        }
    };
    (@
        $algorithm:expr, ($Hash:ident, $digest:ident, $many:ident) => $do:expr, else $else:expr;
        $( $Variant:ident: $module:ident::$Type:ident, $call:ident, $call_many:ident; )+
    ) => {
        match $algorithm {
            $( ropewalk::hash::Algorithm::$Variant => {
                #[allow(dead_code, reason = "not everybody wants all")]
                type $Hash = ropewalk::$module::$Type;
                #[allow(unused_imports, reason = "not everybody wants all")]
                use ropewalk::$module::{$call as $digest, $call_many as $many};
                $do
            } )+
            _ => $else,
        }
    };
}
pub(crate) use with_hash;
