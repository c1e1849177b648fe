//! The hash functions, for tests outside the nets.

/// Calls a test for each hash function whose output has one length; `with its list`, for each that is a primitive.
#[allow(unused_macros, reason = "each test program uses a part of it")]
macro_rules! each_hash_function {
    ($test:ident with its list) => {
        $test::<ropewalk::md5::Md5>(&ropewalk::md5::PRIMITIVE);
        $test::<ropewalk::sha1::Sha1>(&ropewalk::sha1::PRIMITIVE);
        $test::<ropewalk::sha256::Sha224>(&ropewalk::sha256::PRIMITIVE_224);
        $test::<ropewalk::sha256::Sha256>(&ropewalk::sha256::PRIMITIVE);
        $test::<ropewalk::sha512::Sha384>(&ropewalk::sha512::PRIMITIVE_384);
        $test::<ropewalk::sha512::Sha512>(&ropewalk::sha512::PRIMITIVE);
        $test::<ropewalk::sha512::Sha512_256>(&ropewalk::sha512::PRIMITIVE_512_256);
    };
    ($test:ident) => {
        $test::<ropewalk::md5::Md5>();
        $test::<ropewalk::sha1::Sha1>();
        $test::<ropewalk::sha256::Sha224>();
        $test::<ropewalk::sha256::Sha256>();
        $test::<ropewalk::sha512::Sha384>();
        $test::<ropewalk::sha512::Sha512>();
        $test::<ropewalk::sha512::Sha512_256>();
        $test::<ropewalk::sha3::Sha3_224>();
        $test::<ropewalk::sha3::Sha3_256>();
        $test::<ropewalk::sha3::Sha3_384>();
        $test::<ropewalk::sha3::Sha3_512>();
    };
}
