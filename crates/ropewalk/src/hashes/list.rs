//! The hash functions with digests of one length, a line each. All code for each of them is generated from this list: HMAC,
//! algorithms by name, the types for RustCrypto's traits, the C library, and tests.
//!
//! A line has the type for one message and the one for many, the name, also as the standard writes it, the module and its feature, the type of RustCrypto's crates
//! with the block and the digest in bytes and the object identifier, the two lists of backends, the two functions, and HMAC: its name
//! as an algorithm, its two lists, and the first bytes of the tag in test case 1 of RFC 4231, section 4.2.

/// Calls a macro with its arguments and the lines of the Merkle–Damgård functions, each of which is a primitive.
#[doc(hidden)]
#[macro_export]
macro_rules! merkle_damgard_functions {
    ($($callback:ident)::+ ! { $($arguments:tt)* }) => {
        $($callback)::+ ! { $($arguments)*
            Md5 Md5Many "md5" "MD5" md5 "md5" (md5::Md5, 64, 16, "1.2.840.113549.2.5")
                (PRIMITIVE PRIMITIVE_MANY) (digest digest_many)
                (HmacMd5 PRIMITIVE_MD5 PRIMITIVE_MD5_MANY 0x5cce_c34e_a965_6392);
            Sha1 Sha1Many "sha1" "SHA-1" sha1 "sha1" (sha1::Sha1, 64, 20, "1.3.14.3.2.26")
                (PRIMITIVE PRIMITIVE_MANY) (digest digest_many)
                (HmacSha1 PRIMITIVE_SHA1 PRIMITIVE_SHA1_MANY 0xb617_3186_5505_7264);
            Sha224 Sha224Many "sha224" "SHA-224" sha256 "sha256" (sha2::Sha224, 64, 28, "2.16.840.1.101.3.4.2.4")
                (PRIMITIVE_224 PRIMITIVE_224_MANY) (digest_224 digest_224_many)
                (HmacSha224 PRIMITIVE_SHA224 PRIMITIVE_SHA224_MANY 0x896f_b112_8abb_df19);
            Sha256 Sha256Many "sha256" "SHA-256" sha256 "sha256" (sha2::Sha256, 64, 32, "2.16.840.1.101.3.4.2.1")
                (PRIMITIVE PRIMITIVE_MANY) (digest digest_many)
                (HmacSha256 PRIMITIVE_SHA256 PRIMITIVE_SHA256_MANY 0xb034_4c61_d8db_3853);
            Sha384 Sha384Many "sha384" "SHA-384" sha512 "sha512" (sha2::Sha384, 128, 48, "2.16.840.1.101.3.4.2.2")
                (PRIMITIVE_384 PRIMITIVE_384_MANY) (digest_384 digest_384_many)
                (HmacSha384 PRIMITIVE_SHA384 PRIMITIVE_SHA384_MANY 0xafd0_3944_d848_9562);
            Sha512 Sha512Many "sha512" "SHA-512" sha512 "sha512" (sha2::Sha512, 128, 64, "2.16.840.1.101.3.4.2.3")
                (PRIMITIVE PRIMITIVE_MANY) (digest digest_many)
                (HmacSha512 PRIMITIVE_SHA512 PRIMITIVE_SHA512_MANY 0x87aa_7cde_a5ef_619d);
            Sha512_256 Sha512_256Many "sha512-256" "SHA-512/256" sha512 "sha512" (sha2::Sha512_256, 128, 32, "2.16.840.1.101.3.4.2.6")
                (PRIMITIVE_512_256 PRIMITIVE_512_256_MANY) (digest_512_256 digest_512_256_many)
                (HmacSha512_256 PRIMITIVE_SHA512_256 PRIMITIVE_SHA512_256_MANY 0x9f91_26c3_d9c3_c330);
            Sm3 Sm3Many "sm3" "SM3" sm3 "sm3" (sm3::Sm3, 64, 32, "1.2.156.10197.1.401")
                (PRIMITIVE PRIMITIVE_MANY) (digest digest_many)
                (HmacSm3 PRIMITIVE_SM3 PRIMITIVE_SM3_MANY 0x51b0_0d1f_b498_32bf);
        }
    };
}

/// Calls a macro with its arguments and the lines of all functions. SHA-3, whose functions are one primitive, comes last.
#[doc(hidden)]
#[macro_export]
macro_rules! hash_functions {
    (@ { $($callback:ident)::+ } { $($arguments:tt)* } $($lines:tt)*) => {
        $($callback)::+ ! { $($arguments)* $($lines)*
            Sha3_224 Sha3_224Many "sha3-224" "SHA3-224" sha3 "sha3" (sha3::Sha3_224, 144, 28, "2.16.840.1.101.3.4.2.7")
                (PRIMITIVE PRIMITIVE_MANY) (sha3_224 sha3_224_many)
                (HmacSha3_224 PRIMITIVE_SHA3_224 PRIMITIVE_SHA3_224_MANY 0x3b16_546b_bc7b_e270);
            Sha3_256 Sha3_256Many "sha3-256" "SHA3-256" sha3 "sha3" (sha3::Sha3_256, 136, 32, "2.16.840.1.101.3.4.2.8")
                (PRIMITIVE PRIMITIVE_MANY) (sha3_256 sha3_256_many)
                (HmacSha3_256 PRIMITIVE_SHA3_256 PRIMITIVE_SHA3_256_MANY 0xba85_1923_10df_fa96);
            Sha3_384 Sha3_384Many "sha3-384" "SHA3-384" sha3 "sha3" (sha3::Sha3_384, 104, 48, "2.16.840.1.101.3.4.2.9")
                (PRIMITIVE PRIMITIVE_MANY) (sha3_384 sha3_384_many)
                (HmacSha3_384 PRIMITIVE_SHA3_384 PRIMITIVE_SHA3_384_MANY 0x68d2_dcf7_fd4d_dd0a);
            Sha3_512 Sha3_512Many "sha3-512" "SHA3-512" sha3 "sha3" (sha3::Sha3_512, 72, 64, "2.16.840.1.101.3.4.2.10")
                (PRIMITIVE PRIMITIVE_MANY) (sha3_512 sha3_512_many)
                (HmacSha3_512 PRIMITIVE_SHA3_512 PRIMITIVE_SHA3_512_MANY 0xeb3f_bd4b_2eaa_b8f5);
        }
    };
    ($($callback:ident)::+ ! { $($arguments:tt)* }) => {
        $crate::merkle_damgard_functions! {
            $crate::hash_functions! { @ { $($callback)::+ } { $($arguments)* } }
        }
    };
}
