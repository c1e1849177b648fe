//! Declarations of `ropewalk.h`, version 0.1.

use std::{
    ffi::{c_char, c_void},
    ptr::{from_mut, from_ref},
};

use crate::peers::dl::functions;

/// The result of a call.
pub(super) type Status = u32;

/// Success.
pub(super) const OK: Status = 0;

/// The error argument of a call. It is NULL everywhere: the status is sufficient.
pub(super) type Error = *mut c_void;

/// The words of an object. The library refuses an object that has moved, so the words have a fixed address.
pub(super) struct Object<const WORDS: usize>(Box<[u64; WORDS]>);

impl<const WORDS: usize> Object<WORDS> {
    /// Words without an object.
    pub(super) fn new() -> Self {
        Self(Box::new([0; WORDS]))
    }

    pub(super) fn get(&self) -> *const [u64; WORDS] {
        from_ref(&*self.0)
    }

    pub(super) fn get_mut(&mut self) -> *mut [u64; WORDS] {
        from_mut(&mut *self.0)
    }
}

pub(super) const AEAD_KEY_WORDS: usize = 240;
pub(super) const AEAD_STREAM_WORDS: usize = 64;
pub(super) const CIPHER_KEY_WORDS: usize = 144;
pub(super) const STREAM_WORDS: usize = 64;
pub(super) const HASH_STATE_WORDS: usize = 64;
pub(super) const MAC_KEY_WORDS: usize = 88;
pub(super) const MAC_STATE_WORDS: usize = 88;
pub(super) const RECORD_KEY_WORDS: usize = 104;
pub(super) const X25519_KEY_WORDS: usize = 8;
pub(super) const ED25519_KEY_WORDS: usize = 24;
pub(super) const ED25519_PUBLIC_KEY_WORDS: usize = 32;
pub(super) const P256_KEY_WORDS: usize = 8;
pub(super) const P256_PUBLIC_KEY_WORDS: usize = 10;
pub(super) const RSA_KEY_WORDS: usize = 2;
pub(super) const RSA_PUBLIC_KEY_WORDS: usize = 208;

/// `ROPEWALK_RSA_PKCS1V15`.
pub(super) const RSA_PKCS1V15: u32 = 1;

type AeadKey = [u64; AEAD_KEY_WORDS];
type AeadStream = [u64; AEAD_STREAM_WORDS];
type CipherKey = [u64; CIPHER_KEY_WORDS];
type Stream = [u64; STREAM_WORDS];
type HashState = [u64; HASH_STATE_WORDS];
type MacKey = [u64; MAC_KEY_WORDS];
type MacState = [u64; MAC_STATE_WORDS];
type RecordKey = [u64; RECORD_KEY_WORDS];
type X25519Key = [u64; X25519_KEY_WORDS];
type Ed25519Key = [u64; ED25519_KEY_WORDS];
type Ed25519PublicKey = [u64; ED25519_PUBLIC_KEY_WORDS];
type P256Key = [u64; P256_KEY_WORDS];
type P256PublicKey = [u64; P256_PUBLIC_KEY_WORDS];
type RsaKey = [u64; RSA_KEY_WORDS];
type RsaPublicKey = [u64; RSA_PUBLIC_KEY_WORDS];

/// `ropewalk_aead_message`.
#[repr(C)]
pub(super) struct AeadMessage {
    pub(super) key: *const AeadKey,
    pub(super) nonce: *const u8,
    pub(super) nonce_len: usize,
    pub(super) aad: *const u8,
    pub(super) aad_len: usize,
    pub(super) from: *const u8,
    pub(super) to: *mut u8,
    pub(super) len: usize,
    pub(super) tag: *mut u8,
    pub(super) tag_len: usize,
    pub(super) status: Status,
}

/// `ropewalk_cipher_message`.
#[repr(C)]
pub(super) struct CipherMessage {
    pub(super) key: *const CipherKey,
    pub(super) nonce: *const u8,
    pub(super) nonce_len: usize,
    pub(super) from: *const u8,
    pub(super) to: *mut u8,
    pub(super) len: usize,
}

/// `ropewalk_hash_message`.
#[repr(C)]
pub(super) struct HashMessage {
    pub(super) message: *const u8,
    pub(super) message_len: usize,
    pub(super) digest: *mut u8,
}

/// `ropewalk_mac_message`.
#[repr(C)]
pub(super) struct MacMessage {
    pub(super) key: *const MacKey,
    pub(super) message: *const u8,
    pub(super) message_len: usize,
    pub(super) tag: *mut u8,
    pub(super) tag_len: usize,
    pub(super) status: Status,
}

/// `ropewalk_record`.
#[repr(C)]
pub(super) struct Record {
    pub(super) key: *const RecordKey,
    pub(super) iv: *const u8,
    pub(super) header: *const u8,
    pub(super) from: *const u8,
    pub(super) from_len: usize,
    pub(super) to: *mut u8,
    pub(super) to_len: usize,
    pub(super) text_len: usize,
    pub(super) status: Status,
}

/// `ropewalk_x25519_item`.
#[repr(C)]
pub(super) struct X25519Item {
    pub(super) key: *const X25519Key,
    pub(super) public_key: *const u8,
    pub(super) secret: *mut u8,
    pub(super) status: Status,
}

/// `ropewalk_x25519_public_item`.
#[repr(C)]
pub(super) struct X25519PublicItem {
    pub(super) key: *const X25519Key,
    pub(super) public_key: *mut u8,
}

/// `ropewalk_ed25519_to_sign`.
#[repr(C)]
pub(super) struct Ed25519ToSign {
    pub(super) key: *const Ed25519Key,
    pub(super) message: *const u8,
    pub(super) message_len: usize,
    pub(super) signature: *mut u8,
}

/// `ropewalk_ed25519_signed`.
#[repr(C)]
pub(super) struct Ed25519Signed {
    pub(super) key: *const Ed25519PublicKey,
    pub(super) message: *const u8,
    pub(super) message_len: usize,
    pub(super) signature: *const u8,
    pub(super) status: Status,
}

/// `ropewalk_p256_item`.
#[repr(C)]
pub(super) struct P256Item {
    pub(super) key: *const P256Key,
    pub(super) public_key: *const u8,
    pub(super) public_key_len: usize,
    pub(super) secret: *mut u8,
    pub(super) status: Status,
}

/// `ropewalk_p256_public_item`.
#[repr(C)]
pub(super) struct P256PublicItem {
    pub(super) key: *const P256Key,
    pub(super) public_key: *mut u8,
    pub(super) public_key_len: usize,
}

/// `ropewalk_p256_to_sign`.
#[repr(C)]
pub(super) struct P256ToSign {
    pub(super) key: *const P256Key,
    pub(super) digest: *const u8,
    pub(super) digest_len: usize,
    pub(super) signature: *mut u8,
}

/// `ropewalk_p256_signed`.
#[repr(C)]
pub(super) struct P256Signed {
    pub(super) key: *const P256PublicKey,
    pub(super) digest: *const u8,
    pub(super) digest_len: usize,
    pub(super) signature: *const u8,
    pub(super) status: Status,
}

/// `ropewalk_rsa_to_sign`.
#[repr(C)]
pub(super) struct RsaToSign {
    pub(super) key: *const RsaKey,
    pub(super) padding: u32,
    pub(super) hash: u32,
    pub(super) salt_len: usize,
    pub(super) digest: *const u8,
    pub(super) digest_len: usize,
    pub(super) signature: *mut u8,
    pub(super) signature_len: usize,
}

/// `ropewalk_rsa_signed`.
#[repr(C)]
pub(super) struct RsaSigned {
    pub(super) key: *const RsaPublicKey,
    pub(super) padding: u32,
    pub(super) hash: u32,
    pub(super) salt_len: usize,
    pub(super) digest: *const u8,
    pub(super) digest_len: usize,
    pub(super) signature: *const u8,
    pub(super) signature_len: usize,
    pub(super) status: Status,
}

/// `ropewalk_cipher_encrypt` and `ropewalk_cipher_decrypt`.
pub(super) type CipherOne = unsafe extern "C" fn(
    *const CipherKey,
    *const u8,
    usize,
    *const u8,
    *mut u8,
    usize,
    Error,
) -> Status;

/// `ropewalk_cipher_encrypt_many` and `ropewalk_cipher_decrypt_many`.
pub(super) type CipherMany = unsafe extern "C" fn(*const CipherMessage, usize, Error) -> Status;

functions! {
    /// The version, and the function that reads `ROPEWALK_CPU`.
    Version {
        fn ropewalk_version() -> *const c_char;
        fn ropewalk_version_number() -> u32;
        fn ropewalk_init(error: Error) -> Status;
    }

    /// Authenticated ciphers.
    Aead {
        fn ropewalk_aead_named(name: *const c_char, algorithm: *mut u32, error: Error) -> Status;
        fn ropewalk_aead_key_init(
            key: *mut AeadKey,
            algorithm: u32,
            secret: *const u8,
            secret_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_aead_rekey(key: *mut AeadKey, secret: *const u8, secret_len: usize, error: Error) -> Status;
        fn ropewalk_aead_seal(
            key: *const AeadKey,
            nonce: *const u8,
            nonce_len: usize,
            aad: *const u8,
            aad_len: usize,
            from: *const u8,
            to: *mut u8,
            len: usize,
            tag: *mut u8,
            tag_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_aead_open(
            key: *const AeadKey,
            nonce: *const u8,
            nonce_len: usize,
            aad: *const u8,
            aad_len: usize,
            from: *const u8,
            to: *mut u8,
            len: usize,
            tag: *const u8,
            tag_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_aead_seal_many(messages: *mut AeadMessage, count: usize, error: Error) -> Status;
        fn ropewalk_aead_open_many(messages: *mut AeadMessage, count: usize, error: Error) -> Status;
        fn ropewalk_aead_seal_once(
            algorithm: u32,
            secret: *const u8,
            secret_len: usize,
            nonce: *const u8,
            nonce_len: usize,
            aad: *const u8,
            aad_len: usize,
            from: *const u8,
            to: *mut u8,
            len: usize,
            tag: *mut u8,
            tag_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_aead_open_once(
            algorithm: u32,
            secret: *const u8,
            secret_len: usize,
            nonce: *const u8,
            nonce_len: usize,
            aad: *const u8,
            aad_len: usize,
            from: *const u8,
            to: *mut u8,
            len: usize,
            tag: *const u8,
            tag_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_aead_stream_init(
            stream: *mut AeadStream,
            key: *const AeadKey,
            nonce: *const u8,
            nonce_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_aead_stream_seal(
            stream: *mut AeadStream,
            from: *const u8,
            to: *mut u8,
            len: usize,
            error: Error,
        ) -> Status;
    }

    /// Ciphers without a tag.
    Cipher {
        fn ropewalk_cipher_named(name: *const c_char, algorithm: *mut u32, error: Error) -> Status;
        fn ropewalk_cipher_nonce_len(algorithm: u32) -> usize;
        fn ropewalk_cipher_key_init(
            key: *mut CipherKey,
            algorithm: u32,
            secret: *const u8,
            secret_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_cipher_key_wipe(key: *mut CipherKey);
        fn ropewalk_cipher_encrypt(
            key: *const CipherKey,
            nonce: *const u8,
            nonce_len: usize,
            from: *const u8,
            to: *mut u8,
            len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_cipher_decrypt(
            key: *const CipherKey,
            nonce: *const u8,
            nonce_len: usize,
            from: *const u8,
            to: *mut u8,
            len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_cipher_encrypt_many(messages: *const CipherMessage, count: usize, error: Error) -> Status;
        fn ropewalk_cipher_decrypt_many(messages: *const CipherMessage, count: usize, error: Error) -> Status;
        fn ropewalk_stream_init_ctr(
            stream: *mut Stream,
            key: *const CipherKey,
            counter_bits: u32,
            iv: *const u8,
            iv_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_stream_init_chacha20(
            stream: *mut Stream,
            key: *const CipherKey,
            counter: u32,
            nonce: *const u8,
            nonce_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_stream_apply(
            stream: *mut Stream,
            from: *const u8,
            to: *mut u8,
            len: usize,
            error: Error,
        ) -> Status;
    }

    /// Hash functions.
    Hash {
        fn ropewalk_hash_named(name: *const c_char, algorithm: *mut u32, error: Error) -> Status;
        fn ropewalk_hash_digest(
            algorithm: u32,
            message: *const u8,
            message_len: usize,
            digest: *mut u8,
            digest_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_hash_init(state: *mut HashState, algorithm: u32, error: Error) -> Status;
        fn ropewalk_hash_update(state: *mut HashState, piece: *const u8, piece_len: usize, error: Error) -> Status;
        fn ropewalk_hash_finish(state: *mut HashState, digest: *mut u8, digest_len: usize, error: Error) -> Status;
        fn ropewalk_hash_digest_many(
            algorithm: u32,
            messages: *const HashMessage,
            count: usize,
            digest_len: usize,
            error: Error,
        ) -> Status;
    }

    /// HMAC and CMAC.
    Mac {
        fn ropewalk_mac_named(name: *const c_char, algorithm: *mut u32, error: Error) -> Status;
        fn ropewalk_mac_key_init(
            key: *mut MacKey,
            algorithm: u32,
            secret: *const u8,
            secret_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_mac_key_wipe(key: *mut MacKey);
        fn ropewalk_mac_once(
            key: *const MacKey,
            message: *const u8,
            message_len: usize,
            tag: *mut u8,
            tag_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_mac_many(messages: *mut MacMessage, count: usize, error: Error) -> Status;
        fn ropewalk_mac_init(state: *mut MacState, key: *const MacKey, error: Error) -> Status;
        fn ropewalk_mac_update(state: *mut MacState, piece: *const u8, piece_len: usize, error: Error) -> Status;
        fn ropewalk_mac_finish(state: *mut MacState, tag: *mut u8, tag_len: usize, error: Error) -> Status;
    }

    /// Records of TLS.
    Records {
        fn ropewalk_hash_named(name: *const c_char, algorithm: *mut u32, error: Error) -> Status;
        fn ropewalk_record_key_init(
            key: *mut RecordKey,
            hash: u32,
            aes_secret: *const u8,
            aes_secret_len: usize,
            mac_secret: *const u8,
            mac_secret_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_record_key_wipe(key: *mut RecordKey);
        fn ropewalk_record_seal(
            key: *const RecordKey,
            iv: *const u8,
            iv_len: usize,
            header: *const u8,
            header_len: usize,
            from: *const u8,
            from_len: usize,
            to: *mut u8,
            to_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_record_open(
            key: *const RecordKey,
            iv: *const u8,
            iv_len: usize,
            header: *const u8,
            header_len: usize,
            from: *const u8,
            to: *mut u8,
            len: usize,
            text_len: *mut usize,
            error: Error,
        ) -> Status;
        fn ropewalk_record_seal_many(records: *mut Record, count: usize, error: Error) -> Status;
        fn ropewalk_record_open_many(records: *mut Record, count: usize, error: Error) -> Status;
    }

    /// X25519.
    X25519 {
        fn ropewalk_x25519_key_init(key: *mut X25519Key, secret: *const u8, error: Error) -> Status;
        fn ropewalk_x25519_key_wipe(key: *mut X25519Key);
        fn ropewalk_x25519_public(key: *const X25519Key, public_key: *mut u8, error: Error) -> Status;
        fn ropewalk_x25519_agree(
            key: *const X25519Key,
            public_key: *const u8,
            secret: *mut u8,
            error: Error,
        ) -> Status;
        fn ropewalk_x25519_agree_many(items: *mut X25519Item, count: usize, error: Error) -> Status;
        fn ropewalk_x25519_public_many(items: *const X25519PublicItem, count: usize, error: Error) -> Status;
    }

    /// Ed25519.
    Ed25519 {
        fn ropewalk_ed25519_key_init(key: *mut Ed25519Key, secret: *const u8, error: Error) -> Status;
        fn ropewalk_ed25519_key_wipe(key: *mut Ed25519Key);
        fn ropewalk_ed25519_public_key_init(
            key: *mut Ed25519PublicKey,
            public_key: *const u8,
            error: Error,
        ) -> Status;
        fn ropewalk_ed25519_sign(
            key: *const Ed25519Key,
            message: *const u8,
            message_len: usize,
            signature: *mut u8,
            error: Error,
        ) -> Status;
        fn ropewalk_ed25519_verify(
            key: *const Ed25519PublicKey,
            message: *const u8,
            message_len: usize,
            signature: *const u8,
            error: Error,
        ) -> Status;
        fn ropewalk_ed25519_sign_many(messages: *const Ed25519ToSign, count: usize, error: Error) -> Status;
        fn ropewalk_ed25519_verify_many(messages: *mut Ed25519Signed, count: usize, error: Error) -> Status;
    }

    /// P-256.
    P256 {
        fn ropewalk_p256_key_init(key: *mut P256Key, secret: *const u8, error: Error) -> Status;
        fn ropewalk_p256_key_wipe(key: *mut P256Key);
        fn ropewalk_p256_public_key_init(
            key: *mut P256PublicKey,
            public_key: *const u8,
            public_key_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_p256_public(
            key: *const P256Key,
            public_key: *mut u8,
            public_key_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_p256_agree(
            key: *const P256Key,
            public_key: *const u8,
            public_key_len: usize,
            secret: *mut u8,
            error: Error,
        ) -> Status;
        fn ropewalk_p256_sign(
            key: *const P256Key,
            digest: *const u8,
            digest_len: usize,
            signature: *mut u8,
            error: Error,
        ) -> Status;
        fn ropewalk_p256_verify(
            key: *const P256PublicKey,
            digest: *const u8,
            digest_len: usize,
            signature: *const u8,
            error: Error,
        ) -> Status;
        fn ropewalk_p256_agree_many(items: *mut P256Item, count: usize, error: Error) -> Status;
        fn ropewalk_p256_public_many(items: *const P256PublicItem, count: usize, error: Error) -> Status;
        fn ropewalk_p256_sign_many(digests: *const P256ToSign, count: usize, error: Error) -> Status;
        fn ropewalk_p256_verify_many(digests: *mut P256Signed, count: usize, error: Error) -> Status;
    }

    /// RSA.
    Rsa {
        fn ropewalk_rsa_key_read(key: *mut RsaKey, file: *const u8, file_len: usize, error: Error) -> Status;
        fn ropewalk_rsa_key_wipe(key: *mut RsaKey);
        fn ropewalk_rsa_public_key_read(
            key: *mut RsaPublicKey,
            file: *const u8,
            file_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_rsa_sign_pkcs1v15(
            key: *const RsaKey,
            hash: u32,
            digest: *const u8,
            digest_len: usize,
            signature: *mut u8,
            signature_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_rsa_verify_pkcs1v15(
            key: *const RsaPublicKey,
            hash: u32,
            digest: *const u8,
            digest_len: usize,
            signature: *const u8,
            signature_len: usize,
            error: Error,
        ) -> Status;
        fn ropewalk_rsa_sign_many(digests: *const RsaToSign, count: usize, error: Error) -> Status;
        fn ropewalk_rsa_verify_many(digests: *mut RsaSigned, count: usize, error: Error) -> Status;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = include_str!("../../../../ropewalk-c/include/ropewalk.h");

    #[test]
    fn objects_have_the_words_of_the_header() {
        for (name, words) in [
            ("AEAD_KEY", AEAD_KEY_WORDS),
            ("AEAD_STREAM", AEAD_STREAM_WORDS),
            ("CIPHER_KEY", CIPHER_KEY_WORDS),
            ("STREAM", STREAM_WORDS),
            ("HASH_STATE", HASH_STATE_WORDS),
            ("MAC_KEY", MAC_KEY_WORDS),
            ("MAC_STATE", MAC_STATE_WORDS),
            ("RECORD_KEY", RECORD_KEY_WORDS),
            ("X25519_KEY", X25519_KEY_WORDS),
            ("ED25519_KEY", ED25519_KEY_WORDS),
            ("ED25519_PUBLIC_KEY", ED25519_PUBLIC_KEY_WORDS),
            ("P256_KEY", P256_KEY_WORDS),
            ("P256_PUBLIC_KEY", P256_PUBLIC_KEY_WORDS),
            ("RSA_KEY", RSA_KEY_WORDS),
            ("RSA_PUBLIC_KEY", RSA_PUBLIC_KEY_WORDS),
        ] {
            let line = format!("#define ROPEWALK_{name}_WORDS {words}\n");
            assert!(HEADER.contains(&line), "{line}");
        }
    }

    /// The members of each struct, in the order of the header, with their offsets.
    #[test]
    fn messages_have_the_members_of_the_header() {
        use std::mem::offset_of;
        let word = size_of::<usize>();
        for (name, members, last) in [
            ("aead_message", 11, offset_of!(AeadMessage, status)),
            ("cipher_message", 6, offset_of!(CipherMessage, len)),
            ("hash_message", 3, offset_of!(HashMessage, digest)),
            ("mac_message", 6, offset_of!(MacMessage, status)),
            ("record", 9, offset_of!(Record, status)),
            ("x25519_item", 4, offset_of!(X25519Item, status)),
            ("x25519_public_item", 2, offset_of!(X25519PublicItem, public_key)),
            ("ed25519_to_sign", 4, offset_of!(Ed25519ToSign, signature)),
            ("ed25519_signed", 5, offset_of!(Ed25519Signed, status)),
            ("p256_item", 5, offset_of!(P256Item, status)),
            ("p256_public_item", 3, offset_of!(P256PublicItem, public_key_len)),
            ("p256_to_sign", 4, offset_of!(P256ToSign, signature)),
            ("p256_signed", 5, offset_of!(P256Signed, status)),
        ] {
            let start = HEADER.find(&format!("typedef struct ropewalk_{name} {{")).expect(name);
            let end = HEADER[start..].find(&format!("}} ropewalk_{name};")).expect(name);
            let body = HEADER[start..start + end].lines();
            let is_member =
                |line: &&str| line.ends_with(';') && !line.trim_start().starts_with('*');
            let declared = body.filter(is_member).count();
            assert_eq!((declared, last), (members, (members - 1) * word), "{name}");
        }
        // Padding and hash are 32 bits each.
        assert_eq!(offset_of!(RsaToSign, signature_len), 5 * word + 8);
        assert_eq!(offset_of!(RsaSigned, status), 6 * word + 8);
    }
}
