//! Every form of every call, between pages that fault when touched: what is read lies in pages that
//! cannot be written, and all forms make the same.

use ropewalk::{
    Error, aes_cbc, aes_ccm, aes_cmac, aes_ecb, aes_gcm, aes_kw, aes_xts, cbc_hmac, chacha20,
    chacha20_poly1305,
    poly1305::Poly1305,
    random::{CtrDrbg, LONGEST_REQUEST},
    sha1::Sha1,
    sha3::{
        Sha3_224, Sha3_224Many, Sha3_256, Sha3_256Many, Sha3_384, Sha3_384Many, Sha3_512,
        Sha3_512Many, Shake128, Shake256,
    },
    sha256::Sha256,
};

use crate::{
    Cover, Net,
    ciphers::{CipherMany, CtrMany, Vectored},
    common::{
        Random,
        guarded::{End, Guarded},
        thin,
    },
    functions::{Covers, Function},
    independent,
    kinds::{
        Aead, AeadMany, AesCtr, BlockMode, CmacMany, Codebook, Extendable, Hash, HashMany, Hmac,
        Long128, Long256, Mac, OneTimeMac, Records, Sealing, Short128, Short256, Stream,
    },
    pieces::{self, InPieces},
};

pub(crate) const NET: Net = Net {
    name: "guards",
    primitives: &[
        ("aes-cbc", Cover::Backend(block_mode::<aes_cbc::Key>)),
        ("aes-cbc-many", Cover::Backend(aes_cbc_many)),
        ("aes-cbc-hmac-sha1", Cover::Backend(records::<cbc_hmac::Key<Sha1>>)),
        ("aes-cbc-hmac-sha1-many", Cover::Backend(records_many::<Sha1>)),
        ("aes-cbc-hmac-sha256", Cover::Backend(records::<cbc_hmac::Key<Sha256>>)),
        ("aes-cbc-hmac-sha256-many", Cover::Backend(records_many::<Sha256>)),
        ("aes-ccm", Cover::Backend(aead::<aes_ccm::Key>)),
        ("aes-ccm-many", Cover::Backend(aead_many::<aes_ccm::Many>)),
        ("aes-cmac", Cover::Backend(mac::<aes_cmac::Key>)),
        ("aes-cmac-many", Cover::Backend(hash_many::<CmacMany, 16>)),
        ("aes-ctr", Cover::Backend(streams)),
        ("aes-ctr-many", Cover::Backend(ctr_many)),
        ("aes-ecb", Cover::Backend(codebook::<aes_ecb::Key>)),
        ("aes-gcm", Cover::Backend(aead_in_pieces_too::<aes_gcm::Key>)),
        ("aes-gcm-many", Cover::Backend(aead_many::<aes_gcm::Many>)),
        ("aes-xts", Cover::Backend(codebook::<aes_xts::Key>)),
        ("aes-xts-many", Cover::Backend(cipher_many::<aes_xts::Many>)),
        ("aes-kw", Cover::Backend(aes_kw)),
        ("chacha20", Cover::Backend(stream::<chacha20::Key>)),
        ("chacha20-poly1305", Cover::Backend(aead_in_pieces_too::<chacha20_poly1305::Key>)),
        ("chacha20-poly1305-many", Cover::Backend(aead_many::<chacha20_poly1305::Many>)),
        ("p256", Cover::None("its kernels get arrays of one length")),
        ("p256-many", Cover::None("its kernels get arrays of one length")),
        ("rsa", Cover::None("its kernels get numbers, which have one length in memory")),
        ("rsa-many", Cover::None("its kernels get numbers, which have one length in memory")),
        ("poly1305", Cover::Backend(one_time_mac::<Poly1305>)),
        ("ctr-drbg", Cover::Backend(ctr_drbg)),
        ("sha3-many", Cover::Backend(sha3_many)),
        ("sha3", Cover::Backend(sha3)),
        ("ed25519", Cover::None("its kernels get arrays of one length")),
        ("ed25519-many", Cover::None("its kernels get arrays of one length")),
        ("x25519", Cover::None("its arguments are arrays of one length")),
        ("x25519-many", Cover::None("its arguments are arrays of one length")),
    ],
    functions: |suites| &suites.guards,
};

/// What it does with a hash function, and with HMAC of it.
pub(crate) const fn of_function<F: Function<N>, const N: usize>() -> Covers {
    Covers {
        one: Cover::Backend(hash::<F>),
        many: Cover::Backend(hash_many::<F::Lanes, N>),
        hmac: Cover::Backend(hmac::<F::Mac>),
        hmac_many: Cover::Backend(hash_many::<F::MacLanes, N>),
    }
}

const LONGEST: usize = 65_537;

/// Each once at either end.
fn lens() -> impl Iterator<Item = (usize, End)> {
    let around = [512, 1024, 1344, 2048, 4096, 16_384, 65_536].into_iter();
    let lens = (0..=300).chain(around.flat_map(|len| [len - 1, len, len + 1]));
    thin(lens.flat_map(|len| End::BOTH.map(|end| (len, end))), 21)
}

/// Room for a text and what comes with it.
fn pages() -> Guarded {
    Guarded::new(LONGEST + 32)
}

fn aead<A: Aead>(backend: &'static str) {
    let mut random = Random(11);
    let (data, more) = (random.bytes(LONGEST), random.bytes(301));
    let [mut secrets, mut nonces, mut aads, mut tags] = [(); 4].map(|()| Guarded::new(4096));
    let (mut from, mut to) = (pages(), pages());
    for (i, (len, end)) in lens().enumerate() {
        let secret = random.bytes(A::KEY_LENS[i / 2 % A::KEY_LENS.len()]);
        let tag_len = A::TAG_LENS[i / 2 % A::TAG_LENS.len()];
        let mut key = A::new(secrets.hold(end, &secret), backend).unwrap();
        key.set_tag_len(tag_len).unwrap();
        // 11 and 301 have no divisor in common: each length of additional data has its turn.
        let (nonce, aad) = (random.bytes(A::NONCE_LENS[0]), &more[..len * 11 % 301]);
        let (plaintext, mut ciphertext) = (&data[..len], data[..len].to_vec());
        let mut tag = A::independent_of_len(&secret, &nonce, aad, &mut ciphertext, tag_len);
        let message = [&ciphertext[..], &tag].concat();
        let (nonce, aad) = (nonces.hold(end, &nonce), aads.hold(end, aad));
        let case =
            format!("{backend}, {end:?}, aad of {}, text of {len}, tag of {tag_len}", aad.len());

        let out = to.room(end, len);
        assert_eq!(key.seal_to(nonce, aad, from.hold(end, plaintext), out).unwrap(), tag, "{case}");
        assert!(out == ciphertext, "copied: {case}");
        let opened =
            key.open_to(nonce, aad, from.hold(end, &ciphertext), out, tags.hold(end, &tag));
        assert_eq!(opened, Ok(()), "{case}");
        assert!(out == plaintext, "copied: {case}");

        assert_eq!(key.seal(nonce, aad, out).unwrap(), tag, "{case}");
        assert!(out == ciphertext, "in place: {case}");
        assert_eq!(key.open(nonce, aad, out, tags.hold(end, &tag)), Ok(()), "{case}");
        assert!(out == plaintext, "in place: {case}");

        let out = to.room(end, len + tag_len);
        out[..len].copy_from_slice(plaintext);
        key.seal_appended(nonce, aad, out).unwrap();
        assert!(out == message, "appended: {case}");
        assert_eq!(key.open_appended(nonce, aad, out), Ok(len), "{case}");
        assert!(out[..len] == *plaintext, "appended: {case}");
        key.seal_appended_to(nonce, aad, from.hold(end, plaintext), out).unwrap();
        assert!(out == message, "appended and copied: {case}");
        let out = to.room(end, len);
        let opened = key.open_appended_to(nonce, aad, from.hold(end, &message), out);
        assert_eq!(opened, Ok(()), "{case}");
        assert!(out == plaintext, "appended and copied: {case}");

        tag[i % tag_len] ^= 1 << (i % 8);
        let opened =
            key.open_to(nonce, aad, from.hold(end, &ciphertext), out, tags.hold(end, &tag));
        assert_eq!(opened, Err(Error::Forged), "{case}");
        assert!(out.iter().all(|byte| *byte == 0), "forged: {case}");
    }

    // Nonces of every length.
    let secret = random.bytes(A::KEY_LENS[0]);
    let [portable, key] = [A::PORTABLE, backend].map(|name| A::new(&secret, name).unwrap());
    let lens = (1..=300).chain([4096]).filter(|len| A::takes_nonce(*len));
    for len in thin(lens, 17) {
        let (nonce, plaintext) = (random.bytes(len), &data[..len % 90]);
        let mut want = plaintext.to_vec();
        let tag = portable.seal(&nonce, &more[..7], &mut want).unwrap();
        for end in End::BOTH {
            let (nonce, out) = (nonces.hold(end, &nonce), to.room(end, plaintext.len()));
            out.copy_from_slice(plaintext);
            assert_eq!(key.seal(nonce, &more[..7], out).unwrap(), tag, "{backend}, nonce of {len}");
            assert!(out == want, "{backend}, nonce of {len}");
            assert_eq!(key.open(nonce, &more[..7], out, &tag), Ok(()), "{backend}, nonce of {len}");
            assert!(out == plaintext, "{backend}, nonce of {len}");
        }
    }
}

fn aead_in_pieces_too<A: InPieces>(backend: &'static str) {
    aead::<A>(backend);
    pieces::guards::<A>(backend);
}

fn mac<M: Mac>(backend: &'static str) {
    let mut random = Random(16);
    let data = random.bytes(LONGEST);
    let [mut secrets, mut tags] = [(); 2].map(|()| Guarded::new(64));
    let mut pages = pages();
    for (i, (len, end)) in lens().enumerate() {
        let secret = random.bytes(M::KEY_LENS[i / 2 % M::KEY_LENS.len()]);
        let tag_len = M::TAG_LENS[i / 2 % M::TAG_LENS.len()];
        let mut key = M::new(secrets.hold(end, &secret), backend).unwrap();
        key.set_tag_len(tag_len).unwrap();
        let message = pages.hold(end, &data[..len]);
        let case = format!("{backend}, {end:?}, message of {len}, tag of {tag_len}");
        let tag = M::independent(&secret, message)[..tag_len].to_vec();
        assert_eq!(key.mac(message), tag, "{case}");
        assert_eq!(key.verify(message, tags.hold(end, &tag)), Ok(()), "{case}");
        let (head, rest) = message.split_at(len * 7 / 17);
        assert_eq!(key.mac_pieces(&[head, rest]), tag, "in pieces: {case}");
        let verified = key.verify_pieces(&[head, rest], tags.hold(end, &tag));
        assert_eq!(verified, Ok(()), "in pieces: {case}");
    }
}

fn aes_kw(backend: &'static str) {
    use aes_kw::{Key, padded_len};
    let mut random = Random(17);
    let data = random.bytes(LONGEST);
    let mut secrets = Guarded::new(64);
    let (mut from, mut to) = (pages(), pages());
    for (i, (len, end)) in lens().filter(|(len, _)| (1..=4097).contains(len)).enumerate() {
        let secret = random.bytes([16, 24, 32][i / 2 % 3]);
        let key = Key::with_backend(secrets.hold(end, &secret), backend).unwrap();
        let (plain, case) = (&data[..len], format!("{backend}, {end:?}, key of {len}"));

        let wrapped = independent::wrap(&secret, plain, true);
        let out = to.room(end, padded_len(len));
        key.wrap_padded_to(from.hold(end, plain), out).unwrap();
        assert!(out == wrapped, "padded and copied: {case}");
        assert_eq!(key.unwrap_padded(out).unwrap(), plain, "padded in place: {case}");
        key.wrap_padded(out, len).unwrap();
        assert!(out == wrapped, "padded in place: {case}");
        let out = to.room(end, wrapped.len() - 8);
        assert_eq!(key.unwrap_padded_to(from.hold(end, &wrapped), out), Ok(len), "{case}");
        assert!(out[..len] == *plain, "padded and copied: {case}");

        if len >= 16 && len.is_multiple_of(8) {
            let wrapped = independent::wrap(&secret, plain, false);
            let out = to.room(end, len + 8);
            key.wrap_to(from.hold(end, plain), out).unwrap();
            assert!(out == wrapped, "copied: {case}");
            assert_eq!(key.unwrap(out).unwrap(), plain, "in place: {case}");
            key.wrap(out).unwrap();
            assert!(out == wrapped, "in place: {case}");
            let out = to.room(end, len);
            assert_eq!(key.unwrap_to(from.hold(end, &wrapped), out), Ok(()), "{case}");
            assert!(out == plain, "copied: {case}");
        }
    }
}

fn block_mode<B: BlockMode>(backend: &'static str) {
    let mut random = Random(12);
    let data = random.bytes(LONGEST);
    let [mut secrets, mut ivs] = [(); 2].map(|()| Guarded::new(64));
    let (mut from, mut to) = (pages(), pages());
    for (i, (len, end)) in lens().enumerate() {
        let secret = random.bytes(B::KEY_LENS[i / 2 % B::KEY_LENS.len()]);
        let key = B::new(secrets.hold(end, &secret), backend).unwrap();
        let iv: &[u8; 16] = ivs.hold(end, &random.bytes(16)).try_into().unwrap();
        let case = format!("{backend}, {end:?}, text of {len}");

        if len.is_multiple_of(16) {
            let (plaintext, mut ciphertext) = (&data[..len], data[..len].to_vec());
            B::independent(&secret, iv, &mut ciphertext);
            let out = to.room(end, len);
            key.encrypt_to(iv, from.hold(end, plaintext), out).unwrap();
            assert!(out == ciphertext, "copied: {case}");
            key.decrypt_to(iv, from.hold(end, &ciphertext), out).unwrap();
            assert!(out == plaintext, "copied: {case}");
            key.encrypt(iv, out).unwrap();
            assert!(out == ciphertext, "in place: {case}");
            key.decrypt(iv, out).unwrap();
            assert!(out == plaintext, "in place: {case}");
        }

        let (plaintext, padded) = (&data[..len], B::padded_len(len));
        assert_eq!(padded, len + 16 - len % 16);
        let mut ciphertext = plaintext.to_vec();
        ciphertext.resize(padded, (padded - len) as u8);
        B::independent(&secret, iv, &mut ciphertext);
        let out = to.room(end, padded);
        key.encrypt_padded_to(iv, from.hold(end, plaintext), out).unwrap();
        assert!(out == ciphertext, "padded and copied: {case}");
        let opened = key.decrypt_padded_to(iv, from.hold(end, &ciphertext), out);
        assert_eq!(opened, Ok(len), "{case}");
        assert!(out[..len] == *plaintext, "padded and copied: {case}");
        out[len..].fill(0xee);
        key.encrypt_padded(iv, out, len).unwrap();
        assert!(out == ciphertext, "padded in place: {case}");
        assert_eq!(key.decrypt_padded(iv, out), Ok(len), "{case}");
        assert!(out[..len] == *plaintext, "padded in place: {case}");
    }
}

fn records<R: Records>(backend: &'static str) {
    let mut random = Random(18);
    let data = random.bytes(1 << 14);
    let [mut secrets, mut macs, mut ivs, mut headers] = [(); 4].map(|()| Guarded::new(64));
    let (mut from, mut to) = (pages(), pages());
    for (i, (len, end)) in lens().filter(|(len, _)| *len <= data.len()).enumerate() {
        let (secret, mac) = (random.bytes([16, 32][i / 2 % 2]), random.bytes(R::MAC_LEN));
        let key = R::new(secrets.hold(end, &secret), macs.hold(end, &mac), backend).unwrap();
        let iv: &[u8; 16] = ivs.hold(end, &random.bytes(16)).try_into().unwrap();
        let header: &[u8; 11] = headers.hold(end, &random.bytes(11)).try_into().unwrap();
        let least = 16 - (len + R::MAC_LEN) % 16;
        for padding in [least, least + 16 * (i % 16)] {
            let case = format!("{backend}, {end:?}, text of {len}, padding of {padding}");
            let (text, mut record) =
                (&data[..len], R::independent(&mac, header, &data[..len], padding));
            independent::cbc_encrypt(&secret, iv, &mut record);
            let out = to.room(end, record.len());
            if padding == least {
                key.seal_to(iv, header, from.hold(end, text), out).unwrap();
                assert!(out == record, "copied: {case}");
                out[..len].copy_from_slice(text);
                out[len..].fill(0xee);
                key.seal(iv, header, out, len).unwrap();
                assert!(out == record, "in place: {case}");
            }
            let opened = key.open_to(iv, header, from.hold(end, &record), out);
            assert_eq!(opened, Ok(len), "{case}");
            assert!(out[..len] == *text, "copied: {case}");
            out.copy_from_slice(&record);
            assert_eq!(key.open(iv, header, out), Ok(len), "{case}");
            assert!(out[..len] == *text, "in place: {case}");
            record[i % 16] ^= 1 << (i % 8);
            let opened = key.open_to(iv, header, from.hold(end, &record), out);
            assert_eq!(opened, Err(Error::Forged), "{case}");
            assert!(out.iter().all(|byte| *byte == 0), "forged: {case}");
        }
    }
}

fn codebook<C: Codebook>(backend: &'static str) {
    let mut random = Random(16);
    let data = random.bytes(LONGEST);
    let [mut secrets, mut tweaks] = [(); 2].map(|()| Guarded::new(64));
    let (mut from, mut to) = (pages(), pages());
    for (i, (len, end)) in lens().filter(|(len, _)| C::takes(*len)).enumerate() {
        let secret = random.bytes(C::KEY_LENS[i / 2 % C::KEY_LENS.len()]);
        let key = C::new(secrets.hold(end, &secret), backend).unwrap();
        let tweak: &[u8; 16] = tweaks.hold(end, &random.bytes(16)).try_into().unwrap();
        let case = format!("{backend}, {end:?}, text of {len}");
        let (plaintext, mut ciphertext) = (&data[..len], data[..len].to_vec());
        C::independent(&secret, tweak, &mut ciphertext);

        let out = to.room(end, len);
        key.encrypt_to(tweak, from.hold(end, plaintext), out).unwrap();
        assert!(out == ciphertext, "copied: {case}");
        key.decrypt_to(tweak, from.hold(end, &ciphertext), out).unwrap();
        assert!(out == plaintext, "copied: {case}");
        key.encrypt(tweak, out).unwrap();
        assert!(out == ciphertext, "in place: {case}");
        key.decrypt(tweak, out).unwrap();
        assert!(out == plaintext, "in place: {case}");
    }
}

fn streams(backend: &'static str) {
    stream::<AesCtr<32>>(backend);
    stream::<AesCtr<64>>(backend);
    stream::<AesCtr<128>>(backend);
}

fn stream<S: Stream>(backend: &'static str) {
    let mut random = Random(13);
    let data = random.bytes(LONGEST);
    let [mut secrets, mut ivs] = [(); 2].map(|()| Guarded::new(64));
    let (mut from, mut to) = (pages(), pages());
    for (i, (len, end)) in lens().enumerate() {
        let secret = random.bytes(S::KEY_LENS[i / 2 % S::KEY_LENS.len()]);
        let key = S::new(secrets.hold(end, &secret), backend).unwrap();
        let iv: &[u8; 16] = ivs.hold(end, &random.bytes(16)).try_into().unwrap();
        let case = format!("{backend}, {end:?}, text of {len}");
        let (plaintext, mut ciphertext) = (&data[..len], data[..len].to_vec());
        S::independent(&secret, iv, &mut ciphertext);

        let out = to.room(end, len);
        key.apply_to(iv, from.hold(end, plaintext), out).unwrap();
        assert!(out == ciphertext, "copied: {case}");
        key.apply(iv, out).unwrap();
        assert!(out == plaintext, "in place: {case}");
        let (head, rest) = out.split_at_mut(len * 7 / 17);
        let mut place = S::start(iv);
        key.next(&mut place, head).unwrap();
        key.next(&mut place, rest).unwrap();
        assert!(out == ciphertext, "in pieces: {case}");
    }
}

fn hmac<M: Hmac>(backend: &'static str) {
    let data = Random(16).bytes(LONGEST);
    let (mut pages, secret) = (pages(), [7; 32]);
    let key = M::new(&secret[..M::KEY_LENS[0]], backend).unwrap();
    for (len, end) in lens() {
        let message = pages.hold(end, &data[..len]);
        let want = M::independent(&secret[..M::KEY_LENS[0]], message);
        assert_eq!(key.mac(message), want, "{backend}, {end:?}, {len}");
        let mut running = key.start();
        let (head, rest) = message.split_at(len * 7 / 17);
        let of_secret_len = key.mac_of_secret_len(head, rest, rest.len() / 2, rest.len());
        assert_eq!(of_secret_len, Ok(want.clone()), "{backend}, {end:?}, {len}");
        M::update(&mut running, head);
        M::update(&mut running, rest);
        assert_eq!(M::finish(running), want, "{backend}, {end:?}, {len} in pieces");
    }
}

fn one_time_mac<M: OneTimeMac>(backend: &'static str) {
    let mut random = Random(16);
    let data = random.bytes(LONGEST);
    let (mut pages, mut keys) = (pages(), Guarded::new(64));
    for (len, end) in lens() {
        let message = pages.hold(end, &data[..len]);
        let key: &[u8; 32] = keys.hold(end, &random.bytes(32)).try_into().unwrap();
        let want = M::independent(key, message);
        assert_eq!(M::mac(key, message, backend), want, "{backend}, {end:?}, {len}");
        let mut mac = M::new(key, backend);
        let (head, rest) = message.split_at(len * 7 / 17);
        mac.update(head);
        mac.update(rest);
        assert_eq!(mac.finish(), want, "{backend}, {end:?}, {len} in pieces");
    }
}

fn hash<H: Hash>(backend: &'static str) {
    let data = Random(14).bytes(LONGEST);
    let (mut pages, hasher) = (pages(), H::new(backend));
    for (len, end) in lens() {
        let message = pages.hold(end, &data[..len]);
        let want = H::independent(message);
        assert_eq!(hasher.digest(message), want, "{backend}, {end:?}, {len}");
        let mut hasher = hasher.clone();
        let (head, rest) = message.split_at(len * 7 / 17);
        hasher.update(head);
        hasher.update(rest);
        assert_eq!(hasher.finish(), want, "{backend}, {end:?}, {len} in pieces");
    }
}

fn sha3(backend: &'static str) {
    hash::<Sha3_224>(backend);
    hash::<Sha3_256>(backend);
    hash::<Sha3_384>(backend);
    hash::<Sha3_512>(backend);
    extendable::<Shake128>(backend);
    extendable::<Shake256>(backend);
}

fn extendable<H: Extendable>(backend: &'static str) {
    let data = Random(16).bytes(LONGEST);
    let (mut from, mut to, hasher) = (pages(), pages(), H::new(backend));
    for (len, end) in lens() {
        // A long message has a short output, and a short one a long.
        for (len, out_len) in [(len, len % 401), (len % 401, len)] {
            let (message, out) = (from.hold(end, &data[..len]), to.room(end, out_len));
            let mut want = vec![0; out_len];
            H::independent(message, &mut want);
            hasher.digest(message, out);
            assert!(out == want, "{backend}, {end:?}, {len} to {out_len}");
            out.fill(0xee);
            let mut hasher = hasher.clone();
            hasher.update(message);
            let (mut reader, (head, rest)) = (hasher.finish(), out.split_at_mut(out_len * 7 / 17));
            H::squeeze(&mut reader, head);
            H::squeeze(&mut reader, rest);
            assert!(out == want, "{backend}, {end:?}, {len} to {out_len} in pieces");
        }
    }
}

fn aead_many<M: AeadMany>(backend: &'static str) {
    let mut random = Random(20);
    let chosen = M::ONE.chosen().unwrap().name;
    let secrets: Vec<_> =
        (0..3).map(|i| random.bytes(M::Key::KEY_LENS[i % M::Key::KEY_LENS.len()])).collect();
    let keys: Vec<_> = secrets.iter().map(|key| M::Key::new(key, chosen).unwrap()).collect();
    let (data, many) = (random.bytes(LONGEST), M::with_backend(backend).unwrap());
    let mut pages = [(); 20].map(|()| pages());
    let (mut nonces, mut aads) =
        ([(); 20].map(|()| Guarded::new(64)), [(); 20].map(|()| Guarded::new(400)));
    for (i, (len, end)) in lens().enumerate() {
        // Of one length, and mixed, with fewer and more than any number of lanes.
        let (step, count, alike) = (i % 3 * 29, 1 + i % 20, i % 2 == 0);
        let len_of = |j: usize| (len + j * step) % (LONGEST + 1);
        let key_of = |j: usize| if alike { 0 } else { j % 3 };
        let aad_of = |j: usize| &data[..[13, (len + j * step) % 80, len % 301][i % 3]];
        let nonce = random.bytes(M::Key::NONCE_LENS[0]);
        let mut messages: Vec<_> = (pages.iter_mut().zip(&mut nonces).zip(&mut aads))
            .take(count)
            .enumerate()
            .map(|(j, ((page, nonces), aads))| {
                let text = page.room(end, len_of(j));
                text.copy_from_slice(&data[..len_of(j)]);
                let (nonce, aad) = (nonces.hold(end, &nonce), aads.hold(end, aad_of(j)));
                Sealing { key: &keys[key_of(j)], nonce, aad, text }
            })
            .collect();
        let tags = many.seal(&mut messages, count).unwrap();
        for (j, message) in messages.iter().enumerate() {
            let mut want = data[..len_of(j)].to_vec();
            let tag = M::Key::independent(&secrets[key_of(j)], &nonce, aad_of(j), &mut want);
            let case = format!("{backend}, {end:?}, {} of {count}", want.len());
            assert!(*message.text == want && tags[j] == tag, "{case}");
        }
        let tags: Vec<_> = tags.iter().map(Vec::as_slice).collect();
        let mut results = vec![Err(Error::NoBackend); count];
        many.open(&mut messages, &tags, &mut results).unwrap();
        for (j, message) in messages.iter().enumerate() {
            let case = format!("{backend}, {end:?}, {} of {count}", message.text.len());
            assert!(*message.text == data[..len_of(j)] && results[j] == Ok(()), "{case}");
        }
    }
}

fn aes_cbc_many(backend: &'static str) {
    let mut random = Random(19);
    let secrets = [16, 24, 32].map(|len| random.bytes(len));
    let keys = [0, 1, 2].map(|i| aes_cbc::Key::new(&secrets[i]).unwrap());
    let (data, many) = (random.bytes(LONGEST), aes_cbc::Many::with_backend(backend).unwrap());
    let mut pages = [(); 20].map(|()| pages());
    let mut ivs = Guarded::new(64);
    for (i, (len, end)) in lens().enumerate() {
        let iv = ivs.hold(end, &random.bytes(16)).try_into().unwrap();
        // Of one length, and mixed, with fewer and more than any number of lanes.
        let (step, count, alike) = (i % 3 * 29, 1 + i % 20, i % 2 == 0);
        let lens: Vec<_> = (0..count).map(|j| (len + j * step) % (LONGEST + 1) / 16 * 16).collect();
        let mut messages: Vec<_> = pages
            .iter_mut()
            .zip(&lens)
            .enumerate()
            .map(|(j, (page, len))| {
                let text = page.room(end, *len);
                text.copy_from_slice(&data[..*len]);
                aes_cbc::Message { key: &keys[if alike { 0 } else { j % 3 }], iv, text }
            })
            .collect();
        many.encrypt(&mut messages).unwrap();
        for (j, message) in messages.iter().enumerate() {
            let mut want = data[..lens[j]].to_vec();
            let secret = &secrets[if alike { 0 } else { j % 3 }];
            <aes_cbc::Key as BlockMode>::independent(secret, iv, &mut want);
            assert!(*message.text == want, "{backend}, {end:?}, {} of {count}", want.len());
        }
    }
}

fn ctr_many(backend: &'static str) {
    cipher_many::<CtrMany<32>>(backend);
    cipher_many::<CtrMany<128>>(backend);
}

fn cipher_many<M: CipherMany>(backend: &'static str) {
    let mut random = Random(20);
    let secrets = [0, 1, 2].map(|i| random.bytes(M::KEY_LENS[i % M::KEY_LENS.len()]));
    let keys = [0, 1, 2].map(|i| M::key(&secrets[i]));
    let (data, many) = (random.bytes(LONGEST), M::with_backend(backend).unwrap());
    let mut pages = [(); 20].map(|()| pages());
    let mut ivs = Guarded::new(64);
    for (i, (len, end)) in lens().enumerate() {
        let iv = ivs.hold(end, &random.bytes(16)).try_into().unwrap();
        // Of one length, of one number of blocks, and mixed, with fewer and more than any number of lanes.
        let (step, count, of) = ([0, 29, 1][i % 3], 1 + i % 20, [0, 1, 3][i / 2 % 3]);
        let len_of = |j: usize| ((len + j * step) % (LONGEST + 1)).max(M::SHORTEST);
        // All of one key, of two that are as long where there are such, or of any.
        let key_of = |j: usize| j.checked_div(of).unwrap_or(0) % 3;
        let mut messages: Vec<_> = (pages.iter_mut().take(count).enumerate())
            .map(|(j, page)| {
                let text = page.room(end, len_of(j));
                text.copy_from_slice(&data[..len_of(j)]);
                Vectored { key: &keys[key_of(j)], iv, text }
            })
            .collect();
        many.encrypt(&mut messages).unwrap();
        for (j, message) in messages.iter().enumerate() {
            let mut want = data[..len_of(j)].to_vec();
            M::independent(&secrets[key_of(j)], iv, &mut want);
            assert!(*message.text == want, "{backend}, {end:?}, {} of {count}", want.len());
        }
        many.decrypt(&mut messages).unwrap();
        for (j, message) in messages.iter().enumerate() {
            assert!(*message.text == data[..len_of(j)], "{backend}, {end:?}, {j} of {count}");
        }
    }
}

fn records_many<H: cbc_hmac::Hash>(backend: &'static str)
where
    cbc_hmac::Key<H>: Records,
{
    let mut random = Random(20);
    let secrets = [16, 32, 16].map(|len| random.bytes(len));
    let macs = [20, 32, 65].map(|len| random.bytes(len));
    let keys = [0, 1, 2].map(|i| cbc_hmac::Key::<H>::new(&secrets[i], &macs[i]).unwrap());
    let (data, many) = (random.bytes(LONGEST), cbc_hmac::Many::<H>::with_backend(backend).unwrap());
    let mut pages = [(); 20].map(|()| pages());
    let [mut ivs, mut headers] = [(); 2].map(|()| Guarded::new(64));
    for (i, (len, end)) in lens().enumerate() {
        let iv = ivs.hold(end, &random.bytes(16)).try_into().unwrap();
        let header = headers.hold(end, &random.bytes(11)).try_into().unwrap();
        // Of one length, and mixed, with fewer and more than any number of lanes.
        let (step, count, alike) = (i % 3 * 29, 1 + i % 20, i % 2 == 0);
        let most = data.len().min(1 << 14) - 300;
        let lens: Vec<_> = (0..count).map(|j| (len + j * step) % (most + 1)).collect();
        let mut messages: Vec<_> = pages
            .iter_mut()
            .zip(&lens)
            .enumerate()
            .map(|(j, (page, len))| {
                let record = page.room(end, cbc_hmac::Key::<H>::sealed_len(*len));
                record[..*len].copy_from_slice(&data[..*len]);
                let key = &keys[if alike { 0 } else { j % 3 }];
                cbc_hmac::Message { key, iv, header, record, len: *len }
            })
            .collect();
        many.seal(&mut messages).unwrap();
        for (j, message) in messages.iter().enumerate() {
            let (of, text) = (if alike { 0 } else { j % 3 }, &data[..lens[j]]);
            let padding = 16 - (text.len() + H::DIGEST_LEN) % 16;
            let mut want =
                <cbc_hmac::Key<H> as Records>::independent(&macs[of], header, text, padding);
            independent::cbc_encrypt(&secrets[of], iv, &mut want);
            assert!(*message.record == want, "{backend}, {end:?}, {} of {count}", text.len());
        }
        let mut results = vec![Err(Error::Forged); count];
        many.open(&mut messages, &mut results).unwrap();
        for ((message, len), result) in messages.iter().zip(&lens).zip(&results) {
            assert_eq!((*result, message.len), (Ok(()), *len), "{backend}, {end:?}");
            assert!(message.record[..*len] == data[..*len], "{backend}, {end:?}, {len}");
        }
    }
}

fn sha3_many(backend: &'static str) {
    hash_many::<Sha3_224Many, 28>(backend);
    hash_many::<Sha3_256Many, 32>(backend);
    hash_many::<Sha3_384Many, 48>(backend);
    hash_many::<Sha3_512Many, 64>(backend);
    hash_many::<Short128, 30>(backend);
    hash_many::<Long128, 400>(backend);
    hash_many::<Short256, 64>(backend);
    hash_many::<Long256, 300>(backend);
}

fn hash_many<H: HashMany<Digest = [u8; N]>, const N: usize>(backend: &'static str) {
    let data = Random(15).bytes(LONGEST);
    let (many, mut pages) = (H::new(backend), [(); 20].map(|()| pages()));
    let mut digests = Guarded::new(8192);
    for (i, (len, end)) in lens().enumerate() {
        // Of one length, and mixed, with fewer and more than any number of lanes.
        let (step, count) = (i % 3 * 29, 1 + i % 20);
        let lens = (0..count).map(|j| (len + j * step) % (LONGEST + 1));
        let messages: Vec<_> =
            pages.iter_mut().zip(lens).map(|(pages, len)| pages.hold(end, &data[..len])).collect();
        let out = digests.room(end, N * count).as_chunks_mut().0;
        many.digest(&messages, out).unwrap();
        for (message, digest) in messages.iter().zip(out) {
            let want = H::independent(message);
            assert_eq!(*digest, want[..], "{backend}, {end:?}, {} of {count}", message.len());
        }
    }
}

fn ctr_drbg(backend: &'static str) {
    let mut random = Random(18);
    let [mut entropies, mut inputs] = [(); 2].map(|()| Guarded::new(64));
    let mut to = pages();
    for (i, (len, end)) in lens().filter(|(len, _)| *len <= LONGEST_REQUEST).enumerate() {
        let (entropy, input) = (random.bytes(48), random.bytes(i / 2 % 49));
        let held = entropies.hold(end, &entropy).try_into().unwrap();
        let case = format!("{backend}, {end:?}, input of {}, output of {len}", input.len());
        let input = inputs.hold(end, &input);
        let mut drbg = CtrDrbg::with_backend(held, input, backend).unwrap();
        let mut want = independent::CtrDrbg::new(held, input);
        drbg.reseed(held, input).unwrap();
        want.reseed(held, input);
        let out = to.room(end, len);
        drbg.generate(input, out).unwrap();
        assert!(out == want.generate(input, len), "{case}");
    }
}
