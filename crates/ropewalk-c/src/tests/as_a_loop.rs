//! Batch calls compared with a loop over the function for one message: messages anywhere in one memory, overlapping or not.

mod public_keys;

use std::{
    ffi::c_void,
    mem::size_of_val,
    ptr::{from_mut, null_mut},
};

use super::{read, words};
use crate::{
    aead::{many::*, *},
    algorithms::*,
    cipher::{many::*, *},
    hash::{many::*, *},
    kdf::{many::*, *},
    mac::{many::*, *},
    records::{many::*, *},
    status::{ropewalk_error, ropewalk_status::*},
};

/// The memory in which all messages of a case lie.
const ROOM: usize = 1 << 17;

/// Miri is slow.
const CASES: usize = if cfg!(miri) { 2 } else { 60 };

/// Pseudorandom numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % below
    }
}

/// The layout of the fields of messages.
struct Places {
    random: Random,
    start: *mut u8,
    /// One of so many fields is misplaced; none if this is 0.
    astray: usize,
    /// Bytes of a message, or of a field if rows are separate.
    step: usize,
    in_rows: bool,
    order: Vec<usize>,
}

impl Places {
    fn new(seed: usize, memory: &mut [u8], len: usize) -> Self {
        let mut random = Random(seed as u64);
        let counts = if cfg!(miri) { [2, 3, 5, 2, 3, 5] } else { [2, 3, 7, 16, 64, 90] };
        let count = counts[random.below(6)];
        let mut order: Vec<_> = (0..count).collect();
        if random.below(2) == 0 {
            order.sort_by_key(|i| i * 77 % 101);
        }
        let astray = [0, 0, 100, 10, 3][random.below(5)];
        let step = len + [150, 150, 20][random.below(3)];
        let in_rows = random.below(2) == 0;
        Self { random, start: memory.as_mut_ptr(), astray, step, in_rows, order }
    }

    fn count(&self) -> usize {
        self.order.len()
    }

    /// The place of a field of a message, of so many bytes.
    fn of(&mut self, message: usize, field: usize, len: usize) -> *mut c_void {
        let place = self.order[message];
        let at = match self.in_rows {
            true => field * (ROOM / 6) + place * (len + self.random.below(2)),
            false => place * self.step + field * 20,
        };
        let is_astray = self.astray > 0 && self.random.below(self.astray) == 0;
        let at = if is_astray { self.random.below(self.step * self.count()) } else { at };
        self.start.wrapping_add(at.min(ROOM - len)).cast()
    }

    /// A length: that of the case, or another one.
    fn len(&mut self, len: usize) -> usize {
        match self.random.below(4) {
            0 => self.random.below(len / 16 + 1) * 16,
            _ => len,
        }
    }
}

/// Fills memory with pseudorandom bytes.
fn fill(memory: &mut [u8], seed: usize) {
    let mut random = Random(seed as u64 + 1000);
    memory.iter_mut().for_each(|byte| *byte = random.below(256) as u8);
}

/// Compares a batch call with a loop, twice from the same memory. `one` returns the status of a message, `answer` what the batch
/// call has written to it.
fn compare<M: Copy>(
    memory: &mut [u8],
    messages: &mut [M],
    many: impl Fn(&mut [M], *mut ropewalk_error) -> u32,
    one: impl Fn(&mut M) -> u32,
    answer: impl Fn(&M) -> Option<u32>,
) {
    let (before, given) = (memory.to_vec(), messages.to_vec());
    let mut error = std::mem::MaybeUninit::<ropewalk_error>::zeroed();
    let status = many(messages, error.as_mut_ptr());
    let after = memory.to_vec();
    // SAFETY: zeros are a valid error, and so is a written one.
    let index = unsafe { error.assume_init() }.index;
    memory.copy_from_slice(&before);
    if ![ROPEWALK_OK, ROPEWALK_FORGED, ROPEWALK_INVALID].iter().any(|of| *of as u32 == status) {
        assert!(after == before, "a call that fails has written");
        let mut of_one = given[index];
        assert_eq!(one(&mut of_one), status, "message {index} alone");
        return;
    }
    let mut first = ROPEWALK_OK as u32;
    for (i, message) in given.iter().enumerate() {
        let status = one(&mut { *message });
        let told = answer(&messages[i]);
        assert!(
            told.is_none_or(|told| told == status),
            "status of message {i}: {told:?}, {status}"
        );
        first = if first == ROPEWALK_OK as u32 { status } else { first };
    }
    assert_eq!(status, first);
    let differs = (0..memory.len()).find(|i| memory[*i] != after[*i]);
    assert_eq!(differs, None, "{} messages give something else than a loop", given.len());
}

/// Calls a function of the library, and returns its status as a number.
macro_rules! status {
    ($function:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: each pointer is that of a value here, with as many bytes as given.
        unsafe { $function($($argument),*) as u32 }
    };
}

use status;

/// Lengths for which lanes are used, or not.
const LENS: [usize; 5] = [16, 48, 64, 256, 576];

#[test]
fn aeads() {
    for (algorithm, secret_len) in
        [(ROPEWALK_AES_128_GCM, 16), (ROPEWALK_AES_128_CCM, 16), (ROPEWALK_CHACHA20_POLY1305, 32)]
    {
        let mut keys = [words::<ropewalk_aead_key>(), words()];
        for (i, key) in keys.iter_mut().enumerate() {
            let secret = [i as u8; 32];
            assert_eq!(
                status!(ropewalk_aead_key_init(
                    key,
                    algorithm,
                    read(&secret),
                    secret_len,
                    null_mut()
                )),
                0
            );
        }
        let mut memory = vec![0; ROOM];
        for case in 0..2 * CASES {
            let len = LENS[case % 5];
            fill(&mut memory, case);
            let mut places = Places::new(case, &mut memory, len);
            let mut messages: Vec<ropewalk_aead_message> = (0..places.count())
                .map(|i| {
                    let (text_len, aad_len) = (places.len(len), [0, 13][i % 2]);
                    let out = places.of(i, 5, text_len);
                    let r#in = if case % 3 == 0 { places.of(i, 4, text_len) } else { out };
                    ropewalk_aead_message {
                        key: &raw const keys[places.random.below(8) / 7],
                        nonce: places.of(i, 0, 12),
                        nonce_len: 12,
                        aad: places.of(i, 1, aad_len),
                        aad_len,
                        r#in,
                        out,
                        len: text_len,
                        tag: places.of(i, 2, 16),
                        tag_len: 16 + places.random.below(300) / 299,
                        status: 99,
                    }
                })
                .collect();
            let seal = |m: &mut ropewalk_aead_message| {
                status!(ropewalk_aead_seal(
                    m.key,
                    m.nonce,
                    m.nonce_len,
                    m.aad,
                    m.aad_len,
                    m.r#in,
                    m.out,
                    m.len,
                    m.tag,
                    m.tag_len,
                    null_mut()
                ))
            };
            let open = |m: &mut ropewalk_aead_message| {
                status!(ropewalk_aead_open(
                    m.key,
                    m.nonce,
                    m.nonce_len,
                    m.aad,
                    m.aad_len,
                    m.r#in,
                    m.out,
                    m.len,
                    m.tag,
                    m.tag_len,
                    null_mut()
                ))
            };
            let answer = |m: &ropewalk_aead_message| Some(m.status);
            let seal_many = |all: &mut [ropewalk_aead_message], error: *mut _| {
                status!(ropewalk_aead_seal_many(all.as_mut_ptr(), all.len(), error))
            };
            let open_many = |all: &mut [ropewalk_aead_message], error: *mut _| {
                status!(ropewalk_aead_open_many(all.as_mut_ptr(), all.len(), error))
            };
            compare(&mut memory, &mut messages, seal_many, seal, answer);
            // Some are then as they must be for opening.
            for message in &mut messages {
                message.r#in = message.out;
            }
            compare(&mut memory, &mut messages, open_many, open, answer);
        }
    }
}

#[test]
fn ciphers() {
    for (algorithm, secret_len, nonce_len) in [
        (ROPEWALK_AES_128_CTR, 16, 16),
        (ROPEWALK_AES_128_CBC, 16, 16),
        (ROPEWALK_AES_128_XTS, 32, 16),
        (ROPEWALK_CHACHA20, 32, 12),
    ] {
        let (mut key, secret) =
            (words::<ropewalk_cipher_key>(), std::array::from_fn::<u8, 32, _>(|i| i as u8));
        assert_eq!(
            status!(ropewalk_cipher_key_init(
                &raw mut key,
                algorithm,
                read(&secret),
                secret_len,
                null_mut()
            )),
            0
        );
        let key = (&raw mut key).cast_const();
        let mut memory = vec![0; ROOM];
        for case in 0..2 * CASES {
            let len = LENS[case % 5];
            fill(&mut memory, case);
            let mut places = Places::new(case, &mut memory, len);
            let mut messages: Vec<ropewalk_cipher_message> = (0..places.count())
                .map(|i| {
                    let len = places.len(len).max(16);
                    let out = places.of(i, 5, len);
                    let r#in = if case % 3 == 0 { places.of(i, 4, len) } else { out };
                    let nonce = places.of(i, 0, nonce_len);
                    ropewalk_cipher_message { key, nonce, nonce_len, r#in, out, len }
                })
                .collect();
            let encrypt = |m: &mut ropewalk_cipher_message| {
                status!(ropewalk_cipher_encrypt(
                    m.key,
                    m.nonce,
                    m.nonce_len,
                    m.r#in,
                    m.out,
                    m.len,
                    null_mut()
                ))
            };
            let decrypt = |m: &mut ropewalk_cipher_message| {
                status!(ropewalk_cipher_decrypt(
                    m.key,
                    m.nonce,
                    m.nonce_len,
                    m.r#in,
                    m.out,
                    m.len,
                    null_mut()
                ))
            };
            let encrypt_many = |all: &mut [ropewalk_cipher_message], error: *mut _| {
                status!(ropewalk_cipher_encrypt_many(all.as_ptr(), all.len(), error))
            };
            let decrypt_many = |all: &mut [ropewalk_cipher_message], error: *mut _| {
                status!(ropewalk_cipher_decrypt_many(all.as_ptr(), all.len(), error))
            };
            compare(&mut memory, &mut messages, encrypt_many, encrypt, |_| None);
            compare(&mut memory, &mut messages, decrypt_many, decrypt, |_| None);
        }
    }
}

#[test]
fn digests_and_tags() {
    let mut keys = [words::<ropewalk_mac_key>(), words()];
    for (key, algorithm) in keys.iter_mut().zip([ROPEWALK_HMAC_SHA256, ROPEWALK_AES_128_CMAC]) {
        assert_eq!(
            status!(ropewalk_mac_key_init(key, algorithm, read(&[7_u8; 16]), 16, null_mut())),
            0
        );
    }
    let mut memory = vec![0; ROOM];
    for case in 0..3 * CASES {
        let len = LENS[case % 5];
        fill(&mut memory, case);
        let mut places = Places::new(case, &mut memory, len);
        let mut messages = Vec::new();
        for i in 0..places.count() {
            let (message_len, tag) = (places.len(len), places.of(i, 0, 32));
            messages.push(ropewalk_hash_message {
                message: places.of(i, 5, message_len),
                message_len,
                digest: tag,
            });
        }
        let hash = [ROPEWALK_SHA256, ROPEWALK_SHA3_256, ROPEWALK_SHAKE128][case % 3];
        let digest = |m: &mut ropewalk_hash_message| {
            status!(ropewalk_hash_digest(hash, m.message, m.message_len, m.digest, 32, null_mut()))
        };
        let digest_many = |all: &mut [ropewalk_hash_message], error: *mut _| {
            status!(ropewalk_hash_digest_many(hash, all.as_ptr(), all.len(), 32, error))
        };
        compare(&mut memory, &mut messages, digest_many, digest, |_| None);

        let which = places.random.below(3);
        let mut messages: Vec<ropewalk_mac_message> = messages
            .iter()
            .enumerate()
            .map(|(i, one)| {
                let which = if which == 2 { i / 5 % 2 } else { which };
                ropewalk_mac_message {
                    key: &raw const keys[which],
                    message: one.message,
                    message_len: one.message_len,
                    tag: one.digest,
                    tag_len: [32, 16][which],
                    status: 99,
                }
            })
            .collect();
        let mac = |m: &mut ropewalk_mac_message| {
            status!(ropewalk_mac_once(
                m.key,
                m.message,
                m.message_len,
                m.tag,
                m.tag_len,
                null_mut()
            ))
        };
        let verify = |m: &mut ropewalk_mac_message| {
            status!(ropewalk_mac_verify(
                m.key,
                m.message,
                m.message_len,
                m.tag,
                m.tag_len,
                null_mut()
            ))
        };
        let mac_many = |all: &mut [ropewalk_mac_message], error: *mut _| {
            status!(ropewalk_mac_many(all.as_mut_ptr(), all.len(), error))
        };
        let verify_many = |all: &mut [ropewalk_mac_message], error: *mut _| {
            status!(ropewalk_mac_verify_many(all.as_mut_ptr(), all.len(), error))
        };
        let answer = |m: &ropewalk_mac_message| Some(m.status);
        compare(&mut memory, &mut messages, mac_many, mac, answer);
        compare(&mut memory, &mut messages, verify_many, verify, answer);
    }
}

#[test]
fn records() {
    let mut keys = [words::<ropewalk_record_key>(), words()];
    for (key, hash) in keys.iter_mut().zip([ROPEWALK_SHA1, ROPEWALK_SHA256]) {
        let secret = [5_u8; 32];
        assert_eq!(
            status!(ropewalk_record_key_init(
                key,
                hash,
                read(&secret),
                16,
                read(&secret),
                20,
                null_mut()
            )),
            0
        );
    }
    let mut memory = vec![0; ROOM];
    for case in 0..CASES {
        let len = [16, 64, 1040][case % 3];
        fill(&mut memory, case);
        let mut places = Places::new(case, &mut memory, len + 64);
        let mut messages: Vec<ropewalk_record> = (0..places.count())
            .map(|i| {
                let (key, in_len) = (&raw const keys[places.random.below(8) / 7], places.len(len));
                let out_len = status!(ropewalk_record_len(key, in_len)) as usize;
                let out = places.of(i, 5, out_len);
                let r#in = if case % 2 == 0 { places.of(i, 4, in_len) } else { out };
                ropewalk_record {
                    key,
                    iv: places.of(i, 0, 16),
                    header: places.of(i, 1, 11),
                    r#in,
                    in_len,
                    out,
                    out_len,
                    text_len: 0,
                    status: 99,
                }
            })
            .collect();
        let seal = |m: &mut ropewalk_record| {
            status!(ropewalk_record_seal(
                m.key,
                m.iv,
                16,
                m.header,
                11,
                m.r#in,
                m.in_len,
                m.out,
                m.out_len,
                null_mut()
            ))
        };
        let open = |m: &mut ropewalk_record| {
            let mut len = 0;
            status!(ropewalk_record_open(
                m.key,
                m.iv,
                16,
                m.header,
                11,
                m.r#in,
                m.out,
                m.in_len,
                &raw mut len,
                null_mut()
            ))
        };
        let seal_many = |all: &mut [ropewalk_record], error: *mut _| {
            status!(ropewalk_record_seal_many(all.as_mut_ptr(), all.len(), error))
        };
        let open_many = |all: &mut [ropewalk_record], error: *mut _| {
            status!(ropewalk_record_open_many(all.as_mut_ptr(), all.len(), error))
        };
        let answer = |m: &ropewalk_record| Some(m.status);
        compare(&mut memory, &mut messages, seal_many, seal, answer);
        for record in &mut messages {
            (record.r#in, record.in_len) = (record.out, record.out_len);
        }
        compare(&mut memory, &mut messages, open_many, open, answer);
    }
}

#[test]
fn derived_keys() {
    let (mut password, mut prk) = (words::<ropewalk_mac_key>(), words::<ropewalk_prk>());
    let secret = [3_u8; 32];
    assert_eq!(
        status!(ropewalk_mac_key_init(
            &raw mut password,
            ROPEWALK_HMAC_SHA256,
            read(&secret),
            32,
            null_mut()
        )),
        0
    );
    assert_eq!(
        status!(ropewalk_prk_init(&raw mut prk, ROPEWALK_SHA256, read(&secret), 32, null_mut())),
        0
    );
    let (password, prk) = ((&raw mut password).cast_const(), (&raw mut prk).cast_const());
    let mut memory = vec![0; ROOM];
    for case in 0..CASES {
        let len = [16, 48, 64][case % 3];
        fill(&mut memory, case);
        let mut places = Places::new(case, &mut memory, len);
        let mut expansions = Vec::new();
        let mut derivations = Vec::new();
        for i in 0..places.count() {
            let (info, salt) = (places.of(i, 0, 12), places.of(i, 1, 12));
            let (out, out_len) = (places.of(i, 5, len), len);
            expansions.push(ropewalk_hkdf_expansion { prk, info, info_len: 12, out, out_len });
            let out = places.of(i, 5, len);
            derivations.push(ropewalk_pbkdf2_derivation {
                password,
                salt,
                salt_len: 12,
                iterations: 2,
                out,
                out_len,
            });
        }
        let expand = |m: &mut ropewalk_hkdf_expansion| {
            status!(ropewalk_hkdf_expand(m.prk, m.info, m.info_len, m.out, m.out_len, null_mut()))
        };
        let expand_many = |all: &mut [ropewalk_hkdf_expansion], error: *mut _| {
            status!(ropewalk_hkdf_expand_many(all.as_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut expansions, expand_many, expand, |_| None);
        let derive = |m: &mut ropewalk_pbkdf2_derivation| {
            status!(ropewalk_pbkdf2(
                m.password,
                m.salt,
                m.salt_len,
                m.iterations,
                m.out,
                m.out_len,
                null_mut()
            ))
        };
        let derive_many = |all: &mut [ropewalk_pbkdf2_derivation], error: *mut _| {
            status!(ropewalk_pbkdf2_many(all.as_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut derivations, derive_many, derive, |_| None);
    }
}

/// Memory that no message may write: the array of messages, and keys, whether messages overlap otherwise or not.
#[test]
fn the_array_and_keys_are_not_written() {
    let mut keys = [words::<ropewalk_aead_key>(), words()];
    for key in &mut keys {
        assert_eq!(
            status!(ropewalk_aead_key_init(
                key,
                ROPEWALK_AES_128_CCM,
                read(&[1_u8; 16]),
                16,
                null_mut()
            )),
            0
        );
    }
    let mut memory = vec![0; ROOM];
    for (count, len) in [(1, 16), (2, 16), (2, 576), (20, 16), (20, 256)] {
        for place in 0..4 {
            fill(&mut memory, count);
            let start = memory.as_mut_ptr();
            let mut messages: Vec<ropewalk_aead_message> = (0..count)
                .map(|i| {
                    let at = |field: usize| start.wrapping_add(i * 1000 + field).cast::<c_void>();
                    ropewalk_aead_message {
                        key: &raw const keys[i % 2],
                        nonce: at(0),
                        nonce_len: 12,
                        aad: at(12),
                        aad_len: 0,
                        r#in: at(50),
                        out: at(50),
                        len,
                        tag: at(20),
                        tag_len: 16,
                        status: 99,
                    }
                })
                .collect();
            let before = memory.clone();
            let last = count - 1;
            let inside = from_mut(&mut messages[0]).cast::<c_void>();
            let key = (&raw const keys[(last + 1) % 2]).cast_mut().cast::<c_void>();
            match place {
                0 => messages[last].tag = inside.wrapping_byte_add(80),
                1 => messages[last].out = inside.wrapping_byte_sub(len - 1),
                // With one message, its own key is not that of another message.
                _ if count == 1 => continue,
                2 => messages[last].tag = key.wrapping_byte_add(size_of_val(&keys[0]) - 1),
                _ => messages[last].out = key.wrapping_byte_sub(len - 1),
            }
            let status = status!(ropewalk_aead_seal_many(messages.as_mut_ptr(), count, null_mut()));
            assert_eq!(status, ROPEWALK_OVERLAP as u32, "{count} of {len}, {place}");
            assert!(memory == before && messages.iter().all(|message| message.status == 99));
        }
    }
}

/// Results of messages would be written to a key that lies in the array.
#[test]
fn no_key_lies_in_the_array() {
    const WORDS: usize = size_of::<ropewalk_mac_key>() / 8;
    let mut room = vec![0_u64; WORDS + 2 * size_of::<ropewalk_mac_message>() / 8];
    let key = room.as_mut_ptr().cast::<ropewalk_mac_key>();
    assert_eq!(
        status!(ropewalk_mac_key_init(
            key,
            ROPEWALK_HMAC_SHA256,
            read(&[1_u8; 16]),
            16,
            null_mut()
        )),
        0
    );
    let mut tags = [[0_u8; 32]; 2];
    // They begin in the last word of the key.
    let messages = room.as_mut_ptr().wrapping_add(WORDS - 1).cast::<ropewalk_mac_message>();
    for (i, tag) in tags.iter_mut().enumerate() {
        let message = ropewalk_mac_message {
            key,
            message: read(b"some"),
            message_len: 4,
            tag: from_mut(tag).cast(),
            tag_len: 32,
            status: 99,
        };
        // SAFETY: there is space for both.
        unsafe { messages.wrapping_add(i).write(message) };
    }
    for count in [1, 2] {
        for status in [
            status!(ropewalk_mac_many(messages, count, null_mut())),
            status!(ropewalk_mac_verify_many(messages, count, null_mut())),
        ] {
            assert_eq!(status, ROPEWALK_OVERLAP as u32, "{count}");
        }
        // SAFETY: it has been written.
        assert_eq!((unsafe { (*messages).status }, tags), (99, [[0; 32]; 2]));
    }
}
