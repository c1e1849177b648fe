//! One-message calls and batches allocate nothing, and keys that do leave nothing there: in a program of
//! its own, since it counts.

#[macro_use]
mod common;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    hint::black_box,
};

use common::backends;
use ropewalk::{
    Error, Hash, aead, aes_cbc, aes_ccm, aes_cmac,
    aes_ctr::{self, Counter, Key, Stream},
    aes_ecb, aes_gcm, aes_kw, aes_xts,
    backend::Primitive,
    cbc_hmac, chacha20, chacha20_poly1305, cipher, ed25519, hash, hkdf, hmac, mac, md5, p256,
    pbkdf2,
    poly1305::{self, Poly1305},
    random::{self, CtrDrbg},
    rsa::{self, HashFunction, Padding, Parts},
    sha1::{self, Sha1},
    sha3::{self, Sha3_256, Shake128},
    sha256::{self, Sha256, Sha256Many},
    sha512, tls12, tls13, x25519,
};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// Bytes that were not zero in what was given back.
    static LEFT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is the system's own; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as our caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `layout` is that of `ptr`; volatile, as nothing else is to read them again.
        let is_left = |i: &usize| unsafe { ptr.wrapping_add(*i).read_volatile() } != 0;
        LEFT.set(LEFT.get() + (0..layout.size()).filter(is_left).count());
        // SAFETY: as our caller promises; `ptr` came from `alloc`.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

fn left(work: impl FnOnce()) -> usize {
    let before = LEFT.get();
    work();
    LEFT.get() - before
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| drop(black_box(Box::new([1; 64])))), 1);
    assert_eq!(left(|| drop(black_box(Box::new([1_u8; 64])))), 64);
}

#[test]
fn aes_cbc_allocates_nothing() {
    let mut text = vec![0; 5008];
    for name in backends(&aes_cbc::PRIMITIVE) {
        let count = allocations(|| {
            let key = aes_cbc::Key::with_backend(&[0; 32], name).unwrap();
            for len in [0, 1, 16, 100, 5000] {
                let text = &mut text[..aes_cbc::padded_len(len)];
                key.encrypt_padded(&[0; 16], text, len).unwrap();
                key.decrypt_padded(&[0; 16], text).unwrap();
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn aes_cbc_of_many_allocates_nothing() {
    let keys = [16, 24, 32].map(|len| aes_cbc::Key::new(&[1; 32][..len]).unwrap());
    let mut texts: Vec<_> = (0..50).map(|i| vec![0; i * 7 % 16 * 160]).collect();
    let mut messages: Vec<_> = (texts.iter_mut().enumerate())
        .map(|(i, text)| aes_cbc::Message { key: &keys[i % 5 % 3], iv: &[2; 16], text })
        .collect();
    for name in backends(&aes_cbc::PRIMITIVE_MANY) {
        let count = allocations(|| {
            aes_cbc::Many::with_backend(name).unwrap().encrypt(&mut messages).unwrap();
            aes_cbc::encrypt_many(&mut messages).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn cbc_hmac_allocates_nothing() {
    records::<Sha1>(&cbc_hmac::PRIMITIVE_SHA1);
    records::<Sha256>(&cbc_hmac::PRIMITIVE_SHA256);
}

#[test]
fn cbc_hmac_of_many_allocates_nothing() {
    records_many::<Sha1>(&cbc_hmac::PRIMITIVE_SHA1_MANY);
    records_many::<Sha256>(&cbc_hmac::PRIMITIVE_SHA256_MANY);
}

fn records_many<H: cbc_hmac::Hash>(primitive: &Primitive) {
    let keys = [16, 32].map(|len| cbc_hmac::Key::<H>::new(&[1; 32][..len], &[2; 32]).unwrap());
    let mut records: Vec<_> =
        (0..50).map(|i| vec![0; cbc_hmac::Key::<H>::sealed_len(i * 7 % 16 * 160)]).collect();
    let mut messages: Vec<_> = (records.iter_mut().enumerate())
        .map(|(i, record)| cbc_hmac::Message {
            key: &keys[i % 5 % 2],
            iv: &[3; 16],
            header: &[4; 11],
            record,
            len: i * 7 % 16 * 160,
        })
        .collect();
    let mut results = [Ok(()); 50];
    for name in backends(primitive) {
        let count = allocations(|| {
            let many = cbc_hmac::Many::with_backend(name).unwrap();
            many.seal(&mut messages).unwrap();
            many.open(&mut messages, &mut results).unwrap();
            cbc_hmac::seal_many(&mut messages).unwrap();
            cbc_hmac::open_many(&mut messages, &mut results).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

fn records<H: cbc_hmac::Hash>(primitive: &Primitive) {
    let mut record = vec![0; cbc_hmac::Key::<H>::sealed_len(5000)];
    for name in backends(primitive) {
        let count = allocations(|| {
            let key = cbc_hmac::Key::<H>::with_backend(&[0; 32], &[1; 100], name).unwrap();
            for len in [0, 1, 16, 100, 5000] {
                let record = &mut record[..cbc_hmac::Key::<H>::sealed_len(len)];
                key.seal(&[0; 16], &[0; 11], record, len).unwrap();
                key.open(&[0; 16], &[0; 11], record).unwrap();
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn aes_ctr_of_many_allocates_nothing() {
    let keys = [16, 24, 32].map(|len| Key::new(&[1; 32][..len]).unwrap());
    let mut texts: Vec<_> = (0..50).map(|i| vec![0; i / 20 * 30 + i % 3]).collect();
    let mut messages: Vec<_> = (texts.iter_mut().enumerate())
        .map(|(i, text)| aes_ctr::Message { key: &keys[i % 5 % 3], iv: &[2; 16], text })
        .collect();
    for name in backends(&aes_ctr::PRIMITIVE_MANY) {
        let count = allocations(|| {
            let many = aes_ctr::Many::with_backend(name).unwrap();
            many.apply_keystream(Counter::Bits64, &mut messages).unwrap();
            aes_ctr::apply_keystream_many(Counter::Bits64, &mut messages).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn aes_xts_of_many_allocates_nothing() {
    let secret: [u8; 64] = core::array::from_fn(|i| i as u8);
    let keys = [32, 64].map(|len| aes_xts::Key::new(&secret[..len]).unwrap());
    let mut texts: Vec<_> = (0..50).map(|i| vec![0; 16 + i * 7 % 16 * 33]).collect();
    let mut messages: Vec<_> = (texts.iter_mut().enumerate())
        .map(|(i, text)| aes_xts::Message { key: &keys[i / 9 % 2], tweak: &[2; 16], text })
        .collect();
    for name in backends(&aes_xts::PRIMITIVE_MANY) {
        let count = allocations(|| {
            let many = aes_xts::Many::with_backend(name).unwrap();
            many.encrypt(&mut messages).unwrap();
            many.decrypt(&mut messages).unwrap();
            aes_xts::encrypt_many(&mut messages).unwrap();
            aes_xts::decrypt_many(&mut messages).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn aes_ecb_allocates_nothing() {
    let mut text = vec![0; 5008];
    for name in backends(&aes_ecb::PRIMITIVE) {
        let count = allocations(|| {
            let key = aes_ecb::Key::with_backend(&[0; 32], name).unwrap();
            for len in [0, 16, 112, 5008] {
                key.encrypt(&mut text[..len]).unwrap();
                key.decrypt(&mut text[..len]).unwrap();
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn aes_xts_allocates_nothing() {
    let (mut text, mut secret) = (vec![0; 5000], [0; 64]);
    secret[0] = 1;
    for name in backends(&aes_xts::PRIMITIVE) {
        let count = allocations(|| {
            let key = aes_xts::Key::with_backend(&secret, name).unwrap();
            for len in [16, 17, 100, 5000] {
                key.encrypt(&[0; 16], &mut text[..len]).unwrap();
                key.decrypt(&[0; 16], &mut text[..len]).unwrap();
            }
            key.encrypt_sectors(7, 500, &mut text).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn aes_ccm_allocates_nothing() {
    let mut message = vec![0; 5000];
    for name in backends(&aes_ccm::PRIMITIVE) {
        let count = allocations(|| {
            let mut key = aes_ccm::Key::with_backend(&[0; 32], name).unwrap();
            key.rekey(&[1; 16]).unwrap();
            for len in [16, 17, 100, 5000] {
                key.seal_appended(&[1; 12], &[0; 100], &mut message[..len]).unwrap();
                key.open_appended(&[1; 12], &[0; 100], &mut message[..len]).unwrap();
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn aes_cmac_allocates_nothing() {
    let message = vec![0; 5000];
    for name in backends(&aes_cmac::PRIMITIVE) {
        let count = allocations(|| {
            let key = aes_cmac::Key::with_backend(&[0; 32], name).unwrap();
            let mut pieces = key.start();
            pieces.update(&message[..77]);
            pieces.update(&message);
            let tag = pieces.clone().finish();
            pieces.verify(&tag).unwrap();
            key.verify(&message, &key.mac(&message)).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn aes_cmac_of_many_allocates_nothing() {
    let keys = [16, 32].map(|len| aes_cmac::Key::new(&vec![7; len]).unwrap());
    let texts: Vec<_> = (0..37).map(|i| vec![0; 50 * i]).collect();
    let message = |(i, text)| aes_cmac::Message { key: &keys[i % 2], text };
    let messages: Vec<_> = texts.iter().map(Vec::as_slice).enumerate().map(message).collect();
    let mut tags = vec![aes_cmac::Tag::default(); texts.len()];
    for name in backends(&aes_cmac::PRIMITIVE_MANY) {
        let count = allocations(|| {
            aes_cmac::Many::with_backend(name).unwrap().mac(&messages, &mut tags).unwrap();
            aes_cmac::mac_many(&messages, &mut tags).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn aes_kw_allocates_nothing() {
    let mut wrapped = [0; 72];
    for name in backends(&aes_kw::PRIMITIVE) {
        let count = allocations(|| {
            let key = aes_kw::Key::with_backend(&[0; 32], name).unwrap();
            key.wrap_to(&[1; 64], &mut wrapped).unwrap();
            key.unwrap(&mut wrapped).unwrap();
            key.wrap_padded_to(&[1; 61], &mut wrapped).unwrap();
            key.unwrap_padded_to(&wrapped, &mut [0; 64]).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

/// Some keys do, and no call.
#[test]
fn aes_gcm_allocates_nothing() {
    let mut message = vec![0; 5000];
    for name in backends(&aes_gcm::PRIMITIVE) {
        let key = aes_gcm::Key::with_backend(&[0; 32], name).unwrap();
        let count = allocations(|| {
            for len in [16, 17, 100, 5000] {
                for nonce in [[1; 12].as_slice(), &[2; 13]] {
                    key.seal_appended(nonce, &[0; 100], &mut message[..len]).unwrap();
                    key.open_appended(nonce, &[0; 100], &mut message[..len]).unwrap();
                    let mut stream = aes_gcm::Stream::new(&key, nonce).unwrap();
                    stream.absorb_aad(&key, &[0; 100]).unwrap();
                    stream.seal(&key, &mut message[..len]).unwrap();
                    stream.open_unverified(&key, &mut message[..len]).unwrap();
                    stream.clone().tag(&key);
                    stream.verify(&key, &[0; 16]).unwrap_err();
                }
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}

macro_rules! of_many_allocates_nothing {
    ($($test:ident: $module:ident, $key_len:literal;)+) => { $(
        #[test]
        fn $test() {
            let keys = [1, 2].map(|byte| $module::Key::new(&[byte; $key_len]).unwrap());
            let mut texts: Vec<_> = (0..150).map(|i| vec![0; i * 7 % 16 * (1 + i % 90)]).collect();
            let mut messages: Vec<_> = (texts.iter_mut().enumerate())
                .map(|(i, text)| {
                    let nonce = &[2; 12];
                    $module::Message { key: &keys[i % 2], nonce, aad: &[3; 13], text }
                })
                .collect();
            // The first use of a backend computes its known answers, which is no part of a call.
            ropewalk::backend::wrong().for_each(|info| panic!("{} is wrong", info.name));
            for name in backends(&$module::PRIMITIVE_MANY) {
                let (mut tags, mut results) = ([$module::Tag::default(); 150], [Ok(()); 150]);
                let count = allocations(|| {
                    for many in [$module::Many::with_backend(name).unwrap(), $module::Many::new()] {
                        many.seal(&mut messages, &mut tags).unwrap();
                        let tags = tags.each_ref().map(|tag| &**tag);
                        many.open(&mut messages, &tags, &mut results).unwrap();
                        assert_eq!(results, [Ok(()); 150]);
                    }
                });
                assert_eq!(count, 0, "{name}");
            }
        }
    )+ };
}

of_many_allocates_nothing! {
    aes_ccm_of_many_allocates_nothing: aes_ccm, 32;
    aes_gcm_of_many_allocates_nothing: aes_gcm, 32;
    chacha20_poly1305_of_many_allocates_nothing: chacha20_poly1305, 32;
}

#[test]
fn aes_gcm_keys_leave_nothing() {
    for name in backends(&aes_gcm::PRIMITIVE) {
        let mut key = aes_gcm::Key::with_backend(&[7; 32], name).unwrap();
        assert_eq!(left(|| key.rekey(&[8; 16]).unwrap()), 0, "{name}, of a key that was replaced");
        assert_eq!(left(|| drop(key)), 0, "{name}");
    }
}

#[test]
fn aes_ctr_allocates_nothing() {
    let mut text = vec![0; 5000];
    for name in backends(&aes_ctr::PRIMITIVE) {
        let count = allocations(|| {
            let key = Key::with_backend(&[0; 32], name).unwrap();
            for len in [0, 1, 16, 100, 5000] {
                key.apply_keystream(Counter::Bits128, &[0xff; 16], &mut text[..len]).unwrap();
            }
            let mut stream = Stream::new(Counter::Bits32, &[0; 16]);
            stream.apply_keystream(&key, &mut text[..77]).unwrap();
            stream.apply_keystream(&key, &mut text).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn hashes_allocate_nothing() {
    each_hash_function!(hasher with its list);
}

fn hasher<H: Hash>(primitive: &Primitive) {
    let text = vec![0; 5000];
    for name in backends(primitive) {
        let count = allocations(|| {
            let mut hasher = H::with_backend(name).unwrap();
            hasher.digest(&text);
            hasher.update(&text[..77]);
            hasher.update(&text);
            hasher.clone().finish();
            H::default().digest(&text[..16]);
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn ed25519_allocates_nothing() {
    assert_eq!(ropewalk::backend::wrong().count(), 0);
    for name in backends(&ed25519::PRIMITIVE) {
        let count = allocations(|| {
            let key = ed25519::PrivateKey::with_backend(&[7; 32], name).unwrap();
            key.public().verify(b"message", &key.sign(b"message")).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
    let key = ed25519::PrivateKey::from_seed(&[7; 32]);
    let public = key.public();
    for name in backends(&ed25519::PRIMITIVE_MANY) {
        let count = allocations(|| {
            let many = ed25519::Many::with_backend(name).unwrap();
            let (mut signatures, mut results) = ([[0; 64]; 10], [Err(Error::NoBackend); 10]);
            let message: &[u8] = b"message";
            many.sign(&[ed25519::ToSign { key: &key, message }; 10], &mut signatures).unwrap();
            let signed = signatures.each_ref();
            let signed =
                signed.map(|signature| ed25519::Signed { key: &public, message, signature });
            many.verify(&signed, &mut results).unwrap();
            assert_eq!(results, [Ok(()); 10]);
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn p256_allocates_nothing() {
    assert_eq!(ropewalk::backend::wrong().count(), 0);
    // The first random bytes are those of a new generator.
    let key = p256::PrivateKey::generate().unwrap();
    let (public, digest) = (&key.public(), &[3; 32][..]);
    for name in backends(&p256::PRIMITIVE) {
        let count = allocations(|| {
            let key = p256::PrivateKey::with_backend(&[7; 32], name).unwrap();
            key.agree(public);
            let signature = key.sign(digest).unwrap();
            key.public().verify_with_backend(digest, &signature, name).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
    for name in backends(&p256::PRIMITIVE_MANY) {
        let count = allocations(|| {
            let many = p256::Many::with_backend(name).unwrap();
            many.public(&[&key; 10], &mut [None; 10]).unwrap();
            many.agree(&[(&key, public); 10], &mut [const { None }; 10]).unwrap();
            let (mut signatures, mut results) = ([None; 10], [Err(Error::NoBackend); 10]);
            many.sign(&[p256::ToSign { key: &key, digest }; 10], &mut signatures).unwrap();
            let signatures = signatures.map(Option::unwrap);
            let signed = signatures.each_ref();
            let signed = signed.map(|signature| p256::Signed { key: public, digest, signature });
            many.verify(&signed, &mut results).unwrap();
            assert_eq!(results, [Ok(()); 10]);
        });
        assert_eq!(count, 0, "{name}");
    }
}

/// RSA has its keys and its tables on the heap.
#[test]
fn rsa_leaves_nothing_on_the_heap() {
    assert_eq!(ropewalk::backend::wrong().count(), 0);
    let [n, e, p, q] = &common::rsa_keys()[0];
    let (parts, function, digest) = (Parts { n, e, p, q }, HashFunction::Sha256, &[3; 32][..]);
    // The first random bytes are those of a new generator.
    rsa::PrivateKey::new(&parts).unwrap();
    for name in backends(&rsa::PRIMITIVE) {
        let count = left(|| {
            let key = rsa::PrivateKey::with_backend(&parts, name).unwrap();
            let mut signature = [0; 256];
            key.sign_pss(function, digest, 32, &mut signature).unwrap();
            key.public().verify_pss(function, digest, 32, &signature).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
    for name in backends(&rsa::PRIMITIVE_MANY) {
        let count = left(|| {
            let (key, many) =
                (&rsa::PrivateKey::new(&parts).unwrap(), rsa::Many::with_backend(name));
            let mut signatures = [[0; 256]; 9];
            let padding = Padding::Pkcs1v15;
            let mut to_sign = signatures.each_mut().map(|signature| rsa::ToSign {
                key,
                padding,
                function,
                digest,
                signature,
            });
            let mut results = [Err(Error::NoBackend); 9];
            many.unwrap().sign(&mut to_sign, &mut results).unwrap();
            assert_eq!(results, [Ok(()); 9]);
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn x25519_allocates_nothing() {
    // The first use of a backend computes its known answers, which is no part of a call.
    assert_eq!(ropewalk::backend::wrong().count(), 0);
    for name in backends(&x25519::PRIMITIVE) {
        let count = allocations(|| {
            let key = x25519::PrivateKey::with_backend(&[7; 32], name).unwrap();
            key.agree(&key.public()).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
    let key = x25519::PrivateKey::from_bytes(&[7; 32]);
    for name in backends(&x25519::PRIMITIVE_MANY) {
        let count = allocations(|| {
            let many = x25519::Many::with_backend(name).unwrap();
            let mut public = [x25519::PublicKey([0; 32]); 10];
            many.public(&[&key; 10], &mut public).unwrap();
            let mut secrets = [const { None }; 10];
            many.agree(&public.each_ref().map(|public| (&key, public)), &mut secrets).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn chacha20_allocates_nothing() {
    let mut text = vec![0; 5000];
    for name in backends(&chacha20::PRIMITIVE) {
        let count = allocations(|| {
            let key = chacha20::Key::with_backend(&[0; 32], name).unwrap();
            let mut stream = chacha20::Stream::new(0, &[0; 12]);
            for len in [0, 1, 16, 100, 5000] {
                key.apply_keystream(1, &[0; 12], &mut text[..len]).unwrap();
                stream.apply_keystream(&key, &mut text[..len]).unwrap();
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn chacha20_poly1305_allocates_nothing() {
    let mut message = vec![0; 5000];
    for name in backends(&chacha20_poly1305::PRIMITIVE) {
        let count = allocations(|| {
            let key = chacha20_poly1305::Key::with_backend(&[0; 32], name).unwrap();
            for len in [16, 17, 100, 300, 5000] {
                key.seal_appended(&[1; 12], &[0; 100], &mut message[..len]).unwrap();
                key.open_appended(&[1; 12], &[0; 100], &mut message[..len]).unwrap();
                let mut stream = chacha20_poly1305::Stream::new(&key, &[1; 12]).unwrap();
                stream.absorb_aad(&key, &[0; 100]).unwrap();
                stream.seal(&key, &mut message[..len]).unwrap();
                stream.open_unverified(&key, &mut message[..len]).unwrap();
                stream.clone().tag(&key);
                stream.verify(&key, &[0; 16]).unwrap_err();
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn poly1305_allocates_nothing() {
    let text = vec![0; 5000];
    for name in backends(&poly1305::PRIMITIVE) {
        let count = allocations(|| {
            let mut mac = Poly1305::with_backend(&[7; 32], name).unwrap();
            mac.update(&text[..77]);
            mac.update(&text);
            mac.finish();
            poly1305::mac_with_backend(&[7; 32], &text, name).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn random_bytes_allocate_nothing() {
    let mut out = vec![0; 100_000];
    for name in backends(&random::PRIMITIVE) {
        let count = allocations(|| {
            let mut drbg = CtrDrbg::with_backend(&[0; 48], b"a ship", name).unwrap();
            drbg.reseed(&[1; 48], b"").unwrap();
            drbg.generate(b"more", &mut out[..5000]).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
    // On 32-bit x86 a process's first system call may have to read where the kernel has its entry.
    if cfg!(target_arch = "x86") {
        std::thread::spawn(random::array::<16>).join().unwrap().unwrap();
    }
    // The first bytes of a thread too.
    let count = allocations(|| {
        random::array::<16>().unwrap();
        random::fill(&mut out).unwrap();
    });
    assert_eq!(count, 0);
}

#[test]
fn algorithms_by_their_names_allocate_nothing() {
    let (secret, mut text): (Vec<u8>, _) = ((0..64).collect(), vec![0; 5008]);
    // Keys of AES-GCM have tables elsewhere where there are no AES instructions.
    let sealing: Vec<_> = aead::Algorithm::ALL
        .iter()
        .map(|algorithm| aead::Key::new(*algorithm, &secret[..algorithm.key_len()]).unwrap())
        .collect();
    let count = allocations(|| {
        for key in &sealing {
            key.seal_appended(&[1; 12], b"", &mut text).unwrap();
            key.open_appended(&[1; 12], b"", &mut text).unwrap();
        }
        for algorithm in cipher::Algorithm::ALL {
            let key = cipher::Key::new(*algorithm, &secret[..algorithm.key_len()]).unwrap();
            key.encrypt(&secret[..algorithm.nonce_len()], &mut text).unwrap();
        }
        for algorithm in mac::Algorithm::ALL {
            let key = mac::Key::new(*algorithm, &secret[..algorithm.key_len()]).unwrap();
            let mut mac = key.start();
            mac.update(&text);
            mac.verify(&key.mac(&text)).unwrap();
        }
        for algorithm in hash::Algorithm::ALL {
            let mut hasher = hash::Hasher::new(*algorithm);
            hasher.update(&text);
            assert_eq!(hasher.clone().finish(), hasher.digest(&text));
        }
        hash::Algorithm::named("sha257").unwrap_err();
    });
    assert_eq!(count, 0);
}

#[test]
fn many_hashes_allocate_nothing() {
    let text = vec![0; 5000];
    let messages: Vec<&[u8]> = (0..50).map(|i| &text[..i * i]).collect();
    let mut digests = vec![[0; 32]; messages.len()];
    for name in backends(&sha256::PRIMITIVE_MANY) {
        let count = allocations(|| {
            let many = Sha256Many::with_backend(name).unwrap();
            many.digest(&messages, &mut digests).unwrap();
            many.digest(&messages[10..11], &mut digests[10..11]).unwrap();
            sha256::digest_many(&messages, &mut digests).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
    let (mut of_sha1, mut of_sha224) = (vec![[0; 20]; 50], vec![[0; 28]; 50]);
    let (mut of_sha384, mut of_sha512) = (vec![[0; 48]; 50], vec![[0; 64]; 50]);
    let mut of_md5 = vec![[0; 16]; 50];
    let mut outputs = vec![[0; 400]; 50];
    let count = allocations(|| {
        md5::digest_many(&messages, &mut of_md5).unwrap();
        sha1::digest_many(&messages, &mut of_sha1).unwrap();
        sha256::digest_224_many(&messages, &mut of_sha224).unwrap();
        sha512::digest_384_many(&messages, &mut of_sha384).unwrap();
        sha512::digest_many(&messages, &mut of_sha512).unwrap();
        sha512::digest_512_256_many(&messages, &mut digests).unwrap();
        sha3::sha3_256_many(&messages, &mut digests).unwrap();
        sha3::shake128_many(&messages, &mut outputs).unwrap();
    });
    assert_eq!(count, 0);
}

#[test]
fn hmac_and_its_kin_allocate_nothing() {
    let text = vec![0; 5000];
    let mut out = [0; 100];
    for name in backends(&hmac::PRIMITIVE_SHA256) {
        let count = allocations(|| {
            let key = hmac::Key::<Sha256>::with_backend(&text[..100], name).unwrap();
            key.verify(&text, &key.mac(&text)).unwrap();
            let mut mac = key.start();
            mac.update(&text[..77]);
            mac.clone().update(&text);
            mac.finish();
            let prk = hkdf::extract(&key, &text[..32]);
            prk.expand(&[&text[..10]], &mut out).unwrap();
            tls13::expand_label(&prk, b"key", b"", &mut out).unwrap();
            tls12::prf(&key, b"label", &[&text[..64]], &mut out).unwrap();
            pbkdf2::derive(&key, &text[..16], 3, &mut out).unwrap();
            let (first, second) = out.split_at_mut(50);
            let derivation =
                |out| pbkdf2::Derivation { password: &key, salt: &[], iterations: 3, out };
            let mut derivations = [first, second].map(derivation);
            pbkdf2::derive_many::<Sha256Many>(&mut derivations).unwrap();
            let expansion = |out| hkdf::Expansion { prk: &prk, info: &[], out };
            let mut expansions = derivations.map(|derivation| expansion(derivation.out));
            hkdf::expand_many::<Sha256Many>(&mut expansions).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn sha3_allocates_nothing() {
    let (text, mut out) = (vec![0; 5000], vec![0; 1000]);
    for name in backends(&sha3::PRIMITIVE) {
        let count = allocations(|| {
            let mut hasher = Sha3_256::with_backend(name).unwrap();
            hasher.digest(&text);
            hasher.update(&text[..77]);
            hasher.update(&text);
            hasher.clone().finish();
            sha3::sha3_256(&text[..16]);
            let mut shake = Shake128::with_backend(name).unwrap();
            shake.digest(&text, &mut out);
            shake.update(&text);
            let mut reader = shake.finish();
            reader.squeeze(&mut out[..77]);
            reader.clone().squeeze(&mut out);
            sha3::shake128(&text[..16], &mut out);
        });
        assert_eq!(count, 0, "{name}");
    }
}
