//! Calls as C makes them, for Miri, which runs no C: objects, pointers and lengths, with small texts.

use std::{
    ffi::c_void,
    mem::{MaybeUninit, size_of_val},
    ptr::{from_mut, from_ref, null, null_mut},
};

use crate::{
    aead::{many::*, stream::*, *},
    algorithms::*,
    hash::many::*,
    mac::{many::*, *},
    object::Object,
    status::ropewalk_status::{self, *},
};

mod as_a_loop;

/// Calls a function of the library, and compares its status.
macro_rules! gives {
    ($status:ident, $function:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: each pointer is that of a value here, with as many bytes as given, or is NULL, which is refused.
        let status: ropewalk_status = unsafe { $function($($argument,)* null_mut()) };
        assert_eq!(status, $status, stringify!($function));
    };
}

/// Wipes an object.
macro_rules! wipe {
    ($function:ident($object:expr)) => {
        // SAFETY: the object is here, and nothing refers to it.
        unsafe { $function(&raw mut $object) };
    };
}

/// The words of an object that was not made.
fn words<O: Object>() -> O {
    // SAFETY: an object is words, and zero is one.
    unsafe { MaybeUninit::zeroed().assume_init() }
}

fn read<T: ?Sized>(of: &T) -> *const c_void {
    from_ref(of).cast()
}

fn write<T: ?Sized>(to: &mut T) -> *mut c_void {
    from_mut(to).cast()
}

const NONCE: [u8; 12] = [3; 12];

#[test]
fn keys_and_streams() {
    let (mut key, mut stream, mut copy) =
        (words::<ropewalk_aead_key>(), words::<ropewalk_aead_stream>(), words());
    let secret = [7_u8; 16];
    let (text, mut out, mut tag) = ([5_u8; 37], [0_u8; 37], [0_u8; 16]);
    let (nonce, aad) = (read(&NONCE), read(b"header"));
    gives!(
        ROPEWALK_NOT_READY,
        ropewalk_aead_seal(
            &raw const key,
            nonce,
            12,
            aad,
            6,
            read(&text),
            write(&mut out),
            37,
            write(&mut tag),
            16
        )
    );
    gives!(ROPEWALK_NULL, ropewalk_aead_key_init(&raw mut key, ROPEWALK_AES_128_GCM, null(), 16));
    gives!(
        ROPEWALK_OK,
        ropewalk_aead_key_init(&raw mut key, ROPEWALK_AES_128_GCM, read(&secret), 16)
    );
    let k = (&raw mut key).cast_const();
    gives!(
        ROPEWALK_OK,
        ropewalk_aead_seal(
            k,
            nonce,
            12,
            aad,
            6,
            read(&text),
            write(&mut out),
            37,
            write(&mut tag),
            16
        )
    );

    gives!(ROPEWALK_OK, ropewalk_aead_stream_init(&raw mut stream, k, nonce, 12));
    gives!(ROPEWALK_OK, ropewalk_aead_stream_aad(&raw mut stream, aad, 6));
    let mut piece = text;
    let at = piece.as_mut_ptr();
    gives!(ROPEWALK_OK, ropewalk_aead_stream_seal(&raw mut stream, at.cast(), at.cast(), 9));
    gives!(ROPEWALK_OK, ropewalk_aead_stream_clone(&raw mut copy, &raw const stream));
    wipe!(ropewalk_aead_stream_wipe(stream));
    let rest = at.wrapping_add(9);
    gives!(ROPEWALK_OK, ropewalk_aead_stream_seal(&raw mut copy, rest.cast(), rest.cast(), 28));
    assert_eq!(piece, out);
    gives!(ROPEWALK_OK, ropewalk_aead_stream_finish_verify(&raw mut copy, read(&tag), 16));

    // In place, with a wrong tag and a right one.
    let (mut opened, at) = (out, out.as_mut_ptr());
    tag[3] ^= 1;
    gives!(
        ROPEWALK_FORGED,
        ropewalk_aead_open(k, nonce, 12, aad, 6, at.cast(), write(&mut opened), 37, read(&tag), 16)
    );
    assert_eq!(opened, [0; 37]);
    tag[3] ^= 1;
    gives!(
        ROPEWALK_OVERLAP,
        ropewalk_aead_open(
            k,
            nonce,
            12,
            aad,
            6,
            at.cast(),
            at.wrapping_add(1).cast(),
            36,
            read(&tag),
            16
        )
    );
    gives!(
        ROPEWALK_OK,
        ropewalk_aead_open(k, nonce, 12, aad, 6, at.cast(), at.cast(), 37, read(&tag), 16)
    );
    assert_eq!(out, text);

    gives!(ROPEWALK_OK, ropewalk_aead_stream_init(&raw mut stream, k, nonce, 12));
    gives!(ROPEWALK_OK, ropewalk_aead_rekey(&raw mut key, read(&[8_u8; 32]), 16));
    gives!(ROPEWALK_KEY_CHANGED, ropewalk_aead_stream_finish(&raw mut stream, write(&mut tag), 16));
    wipe!(ropewalk_aead_stream_wipe(stream));
    wipe!(ropewalk_aead_key_wipe(key));
    gives!(
        ROPEWALK_NOT_READY,
        ropewalk_aead_stream_init(&raw mut stream, &raw const key, nonce, 12)
    );
}

const COUNT: usize = 4;

#[test]
fn messages_side_by_side() {
    let mut key = words::<ropewalk_aead_key>();
    gives!(
        ROPEWALK_OK,
        ropewalk_aead_key_init(&raw mut key, ROPEWALK_AES_128_GCM, read(&[7_u8; 16]), 16)
    );
    let (mut texts, mut tags) = ([[5_u8; 40]; COUNT], [[0_u8; 16]; COUNT]);
    let (text, tag) = (texts.as_mut_ptr(), tags.as_mut_ptr());
    let mut messages: [ropewalk_aead_message; COUNT] = std::array::from_fn(|i| {
        let out = text.wrapping_add(i);
        ropewalk_aead_message {
            key: (&raw mut key).cast_const(),
            nonce: read(&NONCE),
            nonce_len: 12,
            aad: null(),
            aad_len: 0,
            r#in: out.cast(),
            out: out.cast(),
            len: 40 - 3 * i,
            tag: tag.wrapping_add(i).cast(),
            tag_len: 16,
            status: 0,
        }
    });
    gives!(ROPEWALK_OK, ropewalk_aead_seal_many(messages.as_mut_ptr(), COUNT));
    messages[2].nonce_len = 0;
    gives!(ROPEWALK_LENGTH, ropewalk_aead_open_many(messages.as_mut_ptr(), COUNT));
    messages[2].nonce_len = 12;
    let right = messages[1].out;
    messages[1].out = messages.as_mut_ptr().cast();
    gives!(ROPEWALK_OVERLAP, ropewalk_aead_open_many(messages.as_mut_ptr(), COUNT));
    messages[1].out = right;
    gives!(ROPEWALK_OK, ropewalk_aead_open_many(messages.as_mut_ptr(), COUNT));
    wipe!(ropewalk_aead_key_wipe(key));
    assert!((0..COUNT).all(|i| texts[i][..40 - 3 * i] == [5; 40][3 * i..]));
}

#[test]
fn digests_and_tags_within_their_messages() {
    let mut texts = [[9_u8; 70]; COUNT];
    let text = texts.as_mut_ptr();
    let of_message = |i: usize| -> *mut c_void { text.wrapping_add(i).cast() };
    let digests: [ropewalk_hash_message; COUNT] = std::array::from_fn(|i| ropewalk_hash_message {
        message: of_message(i),
        message_len: size_of_val(&texts[i]),
        digest: of_message(i),
    });
    gives!(ROPEWALK_OK, ropewalk_hash_digest_many(ROPEWALK_SHA256, digests.as_ptr(), COUNT, 32));

    let mut key = words::<ropewalk_mac_key>();
    gives!(
        ROPEWALK_OK,
        ropewalk_mac_key_init(&raw mut key, ROPEWALK_HMAC_SHA256, read(b"secret"), 6)
    );
    let mut macs: [ropewalk_mac_message; COUNT] = std::array::from_fn(|i| ropewalk_mac_message {
        key: (&raw mut key).cast_const(),
        message: of_message(i),
        message_len: 38,
        tag: of_message(i).wrapping_byte_add(38),
        tag_len: 32,
        status: 0,
    });
    gives!(ROPEWALK_OK, ropewalk_mac_many(macs.as_mut_ptr(), COUNT));
    gives!(ROPEWALK_OK, ropewalk_mac_verify_many(macs.as_mut_ptr(), COUNT));
    macs[1].tag = macs.as_mut_ptr().cast();
    gives!(ROPEWALK_OVERLAP, ropewalk_mac_many(macs.as_mut_ptr(), COUNT));
    wipe!(ropewalk_mac_key_wipe(key));
    assert!(texts.iter().all(|text| *text == texts[0]));
}
