//! What the C library leaves of keys: each kind of key is made, used, made anew and wiped through its functions.
#![allow(unsafe_code)]

use std::{error::Error, ffi::CString, sync::OnceLock};

use libloading::Library;
use ropewalk::keys::Zeroizing;

use super::left;
use crate::operations::{Case, Operation, Outcome, Secret, rsa_file, secret};

/// The name of an algorithm, the bytes of its key, and what is done with it.
type Kind = (&'static str, usize, fn(&Case) -> Outcome);

#[rustfmt::skip]
const KINDS: &[Kind] = &[
    ("aes-128-gcm", 16, aead),
    ("aes-256-gcm", 32, aead),
    ("aes-256-ccm", 32, aead),
    ("chacha20-poly1305", 32, aead),
    ("aes-256-gcm", 32, aead_stream),
    ("chacha20-poly1305", 32, aead_stream),
    ("aes-256-gcm", 32, sealer),
    ("aes-256-ctr", 32, cipher),
    ("aes-256-cbc", 32, cipher),
    ("aes-256-xts", 64, cipher),
    ("chacha20", 32, cipher),
    ("aes-256-ctr", 32, key_stream),
    ("aes-256", 32, ecb),
    ("aes-256", 32, wrap),
    ("aes-256-cmac", 32, mac),
    ("hmac-sha1", 20, mac),
    ("hmac-sha256", 32, mac),
    ("hmac-sha512", 64, mac),
    ("hmac-sha3-256", 32, mac),
    ("sha256", 32, prk),
    ("sha384", 48, prk),
    ("sha1", 32, records),
    ("sha256", 32, records),
    ("ctr-drbg", 48, drbg),
    ("x25519", 32, x25519),
    ("ed25519", 32, ed25519),
    ("p256", 32, p256),
    ("p256", 32, p256_signing),
    ("rsa", 256, rsa),
    // Last: after a call for many messages, every key that is dropped overwrites as much as such a call takes.
    ("aes-256-gcm", 32, aead_many),
    ("x25519", 32, x25519_many),
    ("ed25519", 32, ed25519_many),
    ("p256", 32, p256_many),
    ("rsa", 256, rsa_many),
];

/// Words of the largest object, and room for its alignment.
const WORDS: usize = 256;

/// Runs every kind with the library of a file.
pub(super) fn run(file: &str) -> Vec<String> {
    // SAFETY: the library's initialisers do nothing but what a Rust library's do.
    match unsafe { Library::new(file) } {
        Ok(library) => drop(LIBRARY.set(library)),
        Err(error) => return vec![format!("{file}: {error}")],
    }
    // It reads which instruction sets are masked off.
    if let Err(error) = Function::named("init").and_then(|init| init.call([])) {
        return vec![error.to_string()];
    }
    let mut complaints = Vec::new();
    for (algorithm, key, run) in KINDS {
        for len in [48, 304] {
            let case = Case { backend: algorithm, key: *key, len };
            let operation = Operation { primitive: "C", name: "C", keys: &[], tells: 0, run: *run };
            match left(&operation, &case) {
                Ok((left, _)) if left.is_empty() => {}
                Ok((left, _)) => complaints.push(format!("C, {algorithm}, {case:?}: {left}")),
                Err(error) => complaints.push(format!("C, {algorithm}, {case:?}: {error}")),
            }
        }
    }
    println!("C library: {} kinds of keys", KINDS.len());
    complaints
}

static LIBRARY: OnceLock<Library> = OnceLock::new();

/// A function of the library. It is found before an operation begins, as the search has a stack of its own.
struct Function {
    name: &'static str,
    /// Every argument is a word. The C calling conventions of these machines let a function ignore those that it does not have.
    call: unsafe extern "C" fn(
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
    ) -> u32,
}

impl Function {
    fn named(name: &'static str) -> Result<Self, Box<dyn Error>> {
        let library = LIBRARY.get().ok_or("no library")?;
        let symbol = format!("ropewalk_{name}");
        // SAFETY: each function of the header takes words and returns a status or nothing.
        let call = unsafe { library.get(symbol.as_bytes()) }?;
        Ok(Self { name, call: *call })
    }

    /// Calls it with these arguments, and NULL for the error after them.
    #[inline(always)]
    fn call<const N: usize>(&self, arguments: [usize; N]) -> Outcome {
        let a = |i| if i < N { arguments[i] } else { 0 };
        // SAFETY: the operations below pass what the header asks for.
        let status = unsafe {
            (self.call)(a(0), a(1), a(2), a(3), a(4), a(5), a(6), a(7), a(8), a(9), a(10))
        };
        if status == 0 || self.name.ends_with("_wipe") {
            return Ok(());
        }
        Err(format!("{}: status {status}", self.name).into())
    }
}

/// The number of an algorithm.
fn numbered(kind: &'static str, name: &str) -> Result<usize, Box<dyn Error>> {
    let (name, mut number) = (CString::new(name)?, 0_u32);
    Function::named(kind)?.call([name.as_ptr().addr(), (&raw mut number).addr()])?;
    Ok(number as usize)
}

/// An object, which is no part of a stack.
struct Object(Vec<u64>);

impl Object {
    fn new() -> Self {
        Self(vec![0; WORDS])
    }

    fn at(&mut self) -> usize {
        self.0.as_mut_ptr().expose_provenance()
    }
}

fn at(bytes: &[u8]) -> usize {
    bytes.as_ptr().expose_provenance()
}

fn at_mut(bytes: &mut [u8]) -> usize {
    bytes.as_mut_ptr().expose_provenance()
}

const NONCE: [u8; 16] = [7; 16];

macro_rules! functions {
    ($($name:literal)+) => { [$(Function::named($name)?),+] };
}

fn aead(case: &Case) -> Outcome {
    let [init, clone, seal, open, rekey, wipe] = functions!(
        "aead_key_init" "aead_key_clone" "aead_seal" "aead_open" "aead_rekey" "aead_key_wipe");
    let algorithm = numbered("aead_named", case.backend)?;
    let (mut key, mut copy) = (Object::new(), Object::new());
    let (secret, mut text, mut tag) = (secret(case.key), secret(case.len), [0; 16]);
    init.call([key.at(), algorithm, at(&secret), case.key])?;
    let texts = [at(&NONCE), 12, at(&NONCE), 5, at_mut(&mut text), at_mut(&mut text), case.len];
    let of = |key: usize, tag: usize| {
        let [a, b, c, d, e, f, g] = texts;
        [key, a, b, c, d, e, f, g, tag, 16]
    };
    seal.call(of(key.at(), at_mut(&mut tag)))?;
    clone.call([copy.at(), key.at()])?;
    rekey.call([key.at(), at(&secret), case.key])?;
    open.call(of(copy.at(), at(&tag)))?;
    wipe.call([copy.at()])?;
    wipe.call([key.at()])
}

fn aead_stream(case: &Case) -> Outcome {
    let [init, start, seal, finish, wipe] = functions!(
        "aead_key_init" "aead_stream_init" "aead_stream_seal" "aead_stream_finish" "aead_key_wipe");
    let algorithm = numbered("aead_named", case.backend)?;
    let (mut key, mut stream) = (Object::new(), Object::new());
    let (secret, mut text, mut tag) = (secret(case.key), secret(case.len), [0; 16]);
    init.call([key.at(), algorithm, at(&secret), case.key])?;
    start.call([stream.at(), key.at(), at(&NONCE), 12])?;
    seal.call([stream.at(), at(&text), at_mut(&mut text), case.len - 5])?;
    finish.call([stream.at(), at_mut(&mut tag), 16])?;
    wipe.call([key.at()])
}

fn sealer(case: &Case) -> Outcome {
    let [init, start, seal, wipe, wipe_key] = functions!(
        "aead_key_init" "sealer_init_counter" "sealer_seal" "sealer_wipe" "aead_key_wipe");
    let algorithm = numbered("aead_named", case.backend)?;
    let (mut key, mut sealer) = (Object::new(), Object::new());
    let (secret, mut text, mut tag) = (secret(case.key), secret(case.len), [0; 16]);
    let mut nonce = [0; 12];
    init.call([key.at(), algorithm, at(&secret), case.key])?;
    start.call([sealer.at(), key.at(), at(&NONCE), 0, 1000])?;
    let text = at_mut(&mut text);
    seal.call([sealer.at(), 0, 0, text, case.len, at_mut(&mut nonce), 12, at_mut(&mut tag), 16])?;
    wipe_key.call([key.at()])?;
    wipe.call([sealer.at()])
}

fn aead_many(case: &Case) -> Outcome {
    const COUNT: usize = 9;
    let [init, seal, wipe] = functions!("aead_key_init" "aead_seal_many" "aead_key_wipe");
    let algorithm = numbered("aead_named", case.backend)?;
    let (mut key, secret) = (Object::new(), secret(case.key));
    let (mut texts, mut tags) = (texts(COUNT, case.len), [[0; 16]; COUNT]);
    init.call([key.at(), algorithm, at(&secret), case.key])?;
    // As `ropewalk_aead_message` has them, each member of which has the size of a word.
    let message = |(text, tag): (&mut Secret, &mut [u8; 16])| {
        let text = at_mut(text);
        [key.at(), at(&NONCE), 12, 0, 0, text, text, case.len, at_mut(tag), 16, 0]
    };
    let mut messages: Vec<_> = texts.iter_mut().zip(&mut tags).map(message).collect();
    seal.call([messages.as_mut_ptr().expose_provenance(), COUNT])?;
    wipe.call([key.at()])
}

fn cipher(case: &Case) -> Outcome {
    let [init, encrypt, decrypt, wipe] =
        functions!("cipher_key_init" "cipher_encrypt" "cipher_decrypt" "cipher_key_wipe");
    let algorithm = numbered("cipher_named", case.backend)?;
    let nonce_len = if case.backend == "chacha20" { 12 } else { 16 };
    let (mut key, secret, mut text) = (Object::new(), secret(case.key), secret(case.len));
    init.call([key.at(), algorithm, at(&secret), case.key])?;
    let text = at_mut(&mut text);
    encrypt.call([key.at(), at(&NONCE), nonce_len, text, text, case.len])?;
    decrypt.call([key.at(), at(&NONCE), nonce_len, text, text, case.len])?;
    wipe.call([key.at()])
}

fn key_stream(case: &Case) -> Outcome {
    let [init, start, apply, wipe, wipe_key] = functions!(
        "cipher_key_init" "stream_init_ctr" "stream_apply" "stream_wipe" "cipher_key_wipe");
    let algorithm = numbered("cipher_named", case.backend)?;
    let (mut key, mut stream) = (Object::new(), Object::new());
    let (secret, mut text) = (secret(case.key), secret(case.len));
    init.call([key.at(), algorithm, at(&secret), case.key])?;
    start.call([stream.at(), key.at(), 128, at(&NONCE), 16])?;
    apply.call([stream.at(), at(&text), at_mut(&mut text), case.len - 5])?;
    wipe.call([stream.at()])?;
    wipe_key.call([key.at()])
}

fn ecb(case: &Case) -> Outcome {
    let [init, encrypt, decrypt, wipe] =
        functions!("ecb_key_init" "ecb_encrypt" "ecb_decrypt" "ecb_key_wipe");
    let (mut key, secret, mut text) = (Object::new(), secret(case.key), secret(case.len));
    init.call([key.at(), at(&secret), case.key])?;
    let text = at_mut(&mut text);
    encrypt.call([key.at(), text, text, case.len])?;
    decrypt.call([key.at(), text, text, case.len])?;
    wipe.call([key.at()])
}

fn wrap(case: &Case) -> Outcome {
    let [init, wrap, unwrap, wipe] = functions!("wrap_key_init" "wrap" "unwrap" "wrap_key_wipe");
    let (mut key, secret, mut text) = (Object::new(), secret(case.key), secret(case.len));
    let mut wrapped = vec![0; case.len + 8];
    init.call([key.at(), at(&secret), case.key])?;
    wrap.call([key.at(), at(&text), case.len, at_mut(&mut wrapped), case.len + 8])?;
    unwrap.call([key.at(), at(&wrapped), case.len + 8, at_mut(&mut text), case.len])?;
    wipe.call([key.at()])
}

fn mac(case: &Case) -> Outcome {
    let [init, once, start, update, finish, wipe] = functions!(
        "mac_key_init" "mac_once" "mac_init" "mac_update" "mac_finish" "mac_key_wipe");
    let algorithm = numbered("mac_named", case.backend)?;
    let tag_len = if case.backend == "aes-256-cmac" { 16 } else { case.key };
    let (mut key, mut state) = (Object::new(), Object::new());
    let (secret, text, mut tag) = (secret(case.key), secret(case.len), [0; 64]);
    init.call([key.at(), algorithm, at(&secret), case.key])?;
    once.call([key.at(), at(&text), case.len, at_mut(&mut tag), tag_len])?;
    start.call([state.at(), key.at()])?;
    update.call([state.at(), at(&text), case.len - 5])?;
    finish.call([state.at(), at_mut(&mut tag), tag_len])?;
    wipe.call([key.at()])
}

fn prk(case: &Case) -> Outcome {
    let [init, expand, wipe] = functions!("prk_init" "hkdf_expand" "prk_wipe");
    let hash = numbered("hash_named", case.backend)?;
    let (mut prk, secret, mut out) = (Object::new(), secret(case.key), vec![0; case.len]);
    init.call([prk.at(), hash, at(&secret), case.key])?;
    expand.call([prk.at(), at(&NONCE), 16, at_mut(&mut out), case.len])?;
    wipe.call([prk.at()])
}

fn records(case: &Case) -> Outcome {
    let [init, seal, open, wipe] =
        functions!("record_key_init" "record_seal" "record_open" "record_key_wipe");
    let hash = numbered("hash_named", case.backend)?;
    let digest_len = if case.backend == "sha1" { 20 } else { 32 };
    let (mut key, aes, mac) = (Object::new(), secret(case.key), secret(digest_len));
    let text = secret(case.len);
    // The text, the MAC, and a padding of at least one byte.
    let len = (case.len + digest_len) / 16 * 16 + 16;
    let (mut record, mut text_len) = (vec![0; len], 0_usize);
    init.call([key.at(), hash, at(&aes), case.key, at(&mac), digest_len])?;
    let (iv, header, to) = (at(&NONCE), at(&NONCE), at_mut(&mut record));
    seal.call([key.at(), iv, 16, header, 11, at(&text), case.len, to, len])?;
    open.call([
        key.at(),
        iv,
        16,
        header,
        11,
        to,
        to,
        len,
        (&raw mut text_len).expose_provenance(),
    ])?;
    wipe.call([key.at()])
}

fn drbg(case: &Case) -> Outcome {
    let [init, generate, reseed, wipe] =
        functions!("drbg_init" "drbg_generate" "drbg_reseed" "drbg_wipe");
    let (mut drbg, entropy, mut out) = (Object::new(), secret(case.key), vec![0; case.len]);
    init.call([drbg.at(), at(&entropy), case.key, 0, 0])?;
    generate.call([drbg.at(), 0, 0, at_mut(&mut out), case.len])?;
    reseed.call([drbg.at(), at(&entropy), case.key, 0, 0])?;
    wipe.call([drbg.at()])
}

fn x25519(case: &Case) -> Outcome {
    let [init, bytes, public, agree, wipe] = functions!(
        "x25519_key_init" "x25519_key_bytes" "x25519_public" "x25519_agree" "x25519_key_wipe");
    let (mut key, secret, mut out) = (Object::new(), secret(case.key), [0; 32]);
    init.call([key.at(), at(&secret)])?;
    bytes.call([key.at(), at_mut(&mut out)])?;
    public.call([key.at(), at_mut(&mut out)])?;
    agree.call([key.at(), at(&THEIRS), at_mut(&mut out)])?;
    wipe.call([key.at()])
}

fn x25519_many(case: &Case) -> Outcome {
    const COUNT: usize = 11;
    let [init, public, agree, wipe] = functions!(
        "x25519_key_init" "x25519_public_many" "x25519_agree_many" "x25519_key_wipe");
    let (mut key, secret, mut outs) = (Object::new(), secret(case.key), [[0; 32]; COUNT]);
    init.call([key.at(), at(&secret)])?;
    // As `ropewalk_x25519_public_item` and `ropewalk_x25519_item` have them.
    let mut items = outs.each_mut().map(|out| [key.at(), at_mut(out)]);
    public.call([items.as_mut_ptr().expose_provenance(), COUNT])?;
    let mut items = outs.each_mut().map(|out| [key.at(), at(&THEIRS), at_mut(out), 0]);
    agree.call([items.as_mut_ptr().expose_provenance(), COUNT])?;
    wipe.call([key.at()])
}

/// A public key of X25519, a message of Ed25519, and a digest.
const THEIRS: [u8; 32] = [9; 32];

fn ed25519(case: &Case) -> Outcome {
    let [init, bytes, public, sign, wipe] = functions!(
        "ed25519_key_init" "ed25519_key_bytes" "ed25519_public" "ed25519_sign" "ed25519_key_wipe");
    let (mut key, secret, mut out) = (Object::new(), secret(case.key), [0; 64]);
    init.call([key.at(), at(&secret)])?;
    bytes.call([key.at(), at_mut(&mut out)])?;
    public.call([key.at(), at_mut(&mut out)])?;
    sign.call([key.at(), at(&THEIRS), 32, at_mut(&mut out)])?;
    wipe.call([key.at()])
}

fn ed25519_many(case: &Case) -> Outcome {
    const COUNT: usize = 11;
    let [init, sign, wipe] = functions!("ed25519_key_init" "ed25519_sign_many" "ed25519_key_wipe");
    let (mut key, secret, mut outs) = (Object::new(), secret(case.key), [[0; 64]; COUNT]);
    init.call([key.at(), at(&secret)])?;
    // As `ropewalk_ed25519_to_sign` has them.
    let mut messages = outs.each_mut().map(|out| [key.at(), at(&THEIRS), 32, at_mut(out)]);
    sign.call([messages.as_mut_ptr().expose_provenance(), COUNT])?;
    wipe.call([key.at()])
}

fn p256(case: &Case) -> Outcome {
    let [init, bytes, public, agree, wipe] = functions!(
        "p256_key_init" "p256_key_bytes" "p256_public" "p256_agree" "p256_key_wipe");
    let (mut key, secret, mut out) = (Object::new(), secret_of_p256(case), [0; 65]);
    init.call([key.at(), at(&secret)])?;
    bytes.call([key.at(), at_mut(&mut out)])?;
    public.call([key.at(), at_mut(&mut out), 65])?;
    agree.call([key.at(), at(&POINT), 33, at_mut(&mut out)])?;
    wipe.call([key.at()])
}

fn p256_signing(case: &Case) -> Outcome {
    let [init, sign, sign_deterministic, wipe] = functions!(
        "p256_key_init" "p256_sign" "p256_sign_deterministic" "p256_key_wipe");
    let (mut key, secret, mut out) = (Object::new(), secret_of_p256(case), [0; 64]);
    init.call([key.at(), at(&secret)])?;
    sign.call([key.at(), at(&THEIRS), 32, at_mut(&mut out)])?;
    sign_deterministic.call([key.at(), at(&THEIRS), 32, at_mut(&mut out)])?;
    wipe.call([key.at()])
}

fn p256_many(case: &Case) -> Outcome {
    const COUNT: usize = 11;
    let [init, public, agree, sign, sign_deterministic, wipe] = functions!(
        "p256_key_init" "p256_public_many" "p256_agree_many" "p256_sign_many"
        "p256_sign_deterministic_many" "p256_key_wipe");
    let (mut key, secret, mut outs) = (Object::new(), secret_of_p256(case), [[0; 65]; COUNT]);
    init.call([key.at(), at(&secret)])?;
    // As `ropewalk_p256_public_item`, `ropewalk_p256_item` and `ropewalk_p256_to_sign` have them.
    let mut items = outs.each_mut().map(|out| [key.at(), at_mut(out), 65]);
    public.call([items.as_mut_ptr().expose_provenance(), COUNT])?;
    let mut items = outs.each_mut().map(|out| [key.at(), at(&POINT), 33, at_mut(out), 0]);
    agree.call([items.as_mut_ptr().expose_provenance(), COUNT])?;
    let mut digests = outs.each_mut().map(|out| [key.at(), at(&THEIRS), 32, at_mut(out)]);
    sign.call([digests.as_mut_ptr().expose_provenance(), COUNT])?;
    sign_deterministic.call([digests.as_mut_ptr().expose_provenance(), COUNT])?;
    wipe.call([key.at()])
}

/// The point of P-256 with x = 5, compressed.
const POINT: [u8; 33] = {
    let mut point = [0; 33];
    (point[0], point[32]) = (2, 5);
    point
};

fn rsa(_: &Case) -> Outcome {
    let [read, write, sign_pkcs1v15, sign_pss, wipe] = functions!(
        "rsa_key_read" "rsa_key_write" "rsa_sign_pkcs1v15" "rsa_sign_pss" "rsa_key_wipe");
    let (mut key, file, mut out) = (Object::new(), rsa_file()?, [0; 256]);
    let (mut again, mut len) = (Zeroizing::new(vec![0; 4096]), 0_usize);
    read.call([key.at(), at(&file), file.len()])?;
    sign_pkcs1v15.call([key.at(), SHA256, at(&THEIRS), 32, at_mut(&mut out), 256])?;
    sign_pss.call([key.at(), SHA256, 32, at(&THEIRS), 32, at_mut(&mut out), 256])?;
    for form in [1, 2] {
        write.call([key.at(), form, at_mut(&mut again), (&raw mut len).expose_provenance()])?;
    }
    wipe.call([key.at()])
}

fn rsa_many(_: &Case) -> Outcome {
    const COUNT: usize = 9;
    let [read, sign, wipe] = functions!("rsa_key_read" "rsa_sign_many" "rsa_key_wipe");
    let (mut key, file, mut outs) = (Object::new(), rsa_file()?, [[0; 256]; COUNT]);
    read.call([key.at(), at(&file), file.len()])?;
    // As `ropewalk_rsa_to_sign` has them: RSASSA-PKCS1-v1_5 is 1, and the hash function is the other half of that word.
    let mut digests = outs
        .each_mut()
        .map(|out| [key.at(), 1 | SHA256 << 32, 0, at(&THEIRS), 32, at_mut(out), 256]);
    sign.call([digests.as_mut_ptr().expose_provenance(), COUNT])?;
    wipe.call([key.at()])
}

/// The number of SHA-256.
const SHA256: usize = 4;

/// A number from 1 to n - 1: its first byte is public.
fn secret_of_p256(case: &Case) -> Secret {
    let mut secret = secret(case.key);
    secret[0] = 0x7f;
    secret
}

fn texts(count: usize, len: usize) -> Vec<Secret> {
    (0..count).map(|_| secret(len)).collect()
}
