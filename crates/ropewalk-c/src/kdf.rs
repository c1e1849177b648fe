//! Key derivation: HKDF, PBKDF2, and the functions of TLS.

use std::ffi::c_void;

use ropewalk::{Hash as _, hash::Algorithm, hkdf, pbkdf2};

use crate::{
    algorithms::{Kind as _, ropewalk_hash},
    enter::{Failure, Result, Why, call, making},
    hash::with_hash,
    mac::{Key, ropewalk_mac_key, with_hmac},
    memory,
    object::{self, words},
    overlap::{self, Span, as_long},
    status::{ropewalk_error, ropewalk_status},
};

pub(crate) mod many;
mod tls;

/// Words of a ropewalk_prk.
pub const ROPEWALK_PRK_WORDS: usize = 72;

/// A pseudorandom key of HKDF, or a secret of TLS 1.3, from which keys are derived. It must not be copied or moved. Any number of
/// threads may use one at the same time.
#[repr(C)]
pub struct ropewalk_prk {
    /// Private.
    pub words: [u64; ROPEWALK_PRK_WORDS],
}

words! { ropewalk_prk has a key, Prk, "pseudorandom key", b"RWhkdfpr", leaves 3584 }

/// Declares the pseudorandom keys of all hash functions.
macro_rules! prks {
    ($( $Type:ident $Many:ident $called:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt
        ($Hmac:ident $($of_hmac:tt)+); )+) => {
        #[allow(clippy::large_enum_variant, reason = "a key lies where it is used, not on the heap")]
        pub(crate) enum Prk {
            $( $Type(hkdf::Prk<ropewalk::$module::$Type>), )+
        }

        $( impl OfPrk for ropewalk::$module::$Type {
            fn wrap(prk: hkdf::Prk<Self>) -> Prk {
                Prk::$Type(prk)
            }
            fn prk(prk: &Prk) -> &hkdf::Prk<Self> {
                match prk {
                    Prk::$Type(prk) => prk,
                    _ => unreachable!("it is of this function"),
                }
            }
        } )+
    };
}

ropewalk::hash_functions! { prks! {} }

/// Evaluates an expression with a pseudorandom key and the type of its hash function.
macro_rules! with_prk {
    ($prk:expr, ($Hash:ident, $name:ident) => $do:expr) => {
        ropewalk::hash_functions! { $crate::kdf::with_prk! { @ $prk, ($Hash, $name) => $do; } }
    };
    (@
        $prk:expr, ($Hash:ident, $name:ident) => $do:expr;
        $( $Type:ident $Many:ident $called:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt
        ($Hmac:ident $($of_hmac:tt)+); )+
    ) => {
        match $prk {
            $( $crate::kdf::Prk::$Type($name) => {
                #[allow(dead_code, reason = "not every caller uses both")]
                type $Hash = ropewalk::$module::$Type;
                $do
            } )+
        }
    };
}
use with_prk;

/// A hash function, with access to its pseudorandom keys.
pub(crate) trait OfPrk: ropewalk::Hash {
    fn wrap(prk: hkdf::Prk<Self>) -> Prk;
    /// The key, which must be of this function.
    fn prk(prk: &Prk) -> &hkdf::Prk<Self>;
}

impl Prk {
    fn new(hash: Algorithm, bytes: &[u8]) -> Result<Self> {
        with_hash!(hash, (H, _digest, _many) => Ok(H::wrap(hkdf::Prk::new(bytes)?)),
            else Err(Why::Kind { what: "hash function", allowed: "those of HMAC" }.into()))
    }
}

/// Makes a pseudorandom key of bytes that are uniformly random already, as many as a digest of `hash` has. Previous contents are
/// not wiped.
///
/// # Safety
/// `prk` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_prk_init(
    prk: *mut ropewalk_prk,
    hash: ropewalk_hash,
    secret: *const c_void,
    secret_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(prk, error, || {
        overlap::apart("pseudorandom key", Span::of(prk), [Span::new(secret, secret_len)])?;
        let hash = Algorithm::numbered(hash)?;
        // SAFETY: the caller's bytes, which are not the key's.
        let secret = unsafe { memory::input("secret", secret, secret_len) }?;
        // SAFETY: the caller's key.
        unsafe { object::make(prk, || Prk::new(hash, secret)) }
    })
}

/// Wipes a pseudorandom key. NULL, and a key that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `prk` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_prk_wipe(prk: *mut ropewalk_prk) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(prk) };
}

/// Writes the bytes of a pseudorandom key, as many as a digest has.
///
/// # Safety
/// `prk` was made; `out` has `out_len` bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_prk_bytes(
    prk: *const ropewalk_prk,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("output", Span::new(out, out_len), [Span::of(prk)])?;
        // SAFETY: the caller's bytes, which are not the key's.
        let out = unsafe { memory::output("output", out, out_len) }?;
        // SAFETY: the caller's key.
        let bytes = with_prk!(unsafe { object::get(prk) }?, (H, prk) => prk.as_bytes());
        as_long("output", out.len(), bytes.len(), "as a digest")?;
        out.copy_from_slice(bytes);
        Ok(())
    })
}

/// HKDF-Extract (RFC 5869): makes a pseudorandom key of a secret that is not uniformly random. The salt is a key of HMAC with the
/// hash function to be used; without a salt, a key made of the empty string.
///
/// Fails with ROPEWALK_WRONG_KIND for a key that is not of HMAC.
///
/// # Safety
/// `prk` is for writing; `salt` was made; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hkdf_extract(
    prk: *mut ropewalk_prk,
    salt: *const ropewalk_mac_key,
    secret: *const c_void,
    secret_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    making(prk, error, || unsafe { extract(prk, salt, (secret, secret_len)) })
}

/// # Safety
/// As [`ropewalk_hkdf_extract`].
unsafe fn extract(
    prk: *mut ropewalk_prk,
    salt: *const ropewalk_mac_key,
    secret: (*const c_void, usize),
) -> Result<()> {
    let read = [Span::of(salt), Span::new(secret.0, secret.1)];
    overlap::apart("pseudorandom key", Span::of(prk), read)?;
    // SAFETY: the caller's key.
    let salt = unsafe { object::get(salt) }?;
    // SAFETY: the caller's bytes, which are not the pseudorandom key's.
    let secret = unsafe { memory::input("secret", secret.0, secret.1) }?;
    let new = || with_hmac!(salt, (H, salt) => Ok(H::wrap(hkdf::extract(salt, secret))), _ => Err(not_hmac()));
    // SAFETY: the caller's pseudorandom key.
    unsafe { object::make(prk, new) }
}

/// HKDF-Expand (RFC 5869): fills `out`, of up to 255 digests. `info` is the context.
///
/// # Safety
/// `prk` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hkdf_expand(
    prk: *const ropewalk_prk,
    info: *const c_void,
    info_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { expand(prk, (info, info_len), (out, out_len)) })
}

/// # Safety
/// As [`ropewalk_hkdf_expand`].
unsafe fn expand(
    prk: *const ropewalk_prk,
    info: (*const c_void, usize),
    out: (*mut c_void, usize),
) -> Result<()> {
    let read = [Span::of(prk), Span::new(info.0, info.1)];
    overlap::apart("output", Span::new(out.0, out.1), read)?;
    // SAFETY: the caller's bytes, apart from all others.
    let out = unsafe { memory::output("output", out.0, out.1) }?;
    // SAFETY: the same.
    let info = unsafe { memory::input("info", info.0, info.1) }?;
    // SAFETY: the caller's key.
    Ok(with_prk!(unsafe { object::get(prk) }?, (H, prk) => prk.expand(&[info], out))?)
}

/// HKDF in one call: extracts, and expands to `out`, of up to 255 digests.
///
/// # Safety
/// Each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hkdf(
    hash: ropewalk_hash,
    salt: *const c_void,
    salt_len: usize,
    secret: *const c_void,
    secret_len: usize,
    info: *const c_void,
    info_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let read = [(salt, salt_len), (secret, secret_len), (info, info_len)];
        let others = read.map(|(at, len)| Span::new(at, len));
        overlap::apart("output", Span::new(out, out_len), others)?;
        // SAFETY: the caller's bytes, apart from all others.
        let out = unsafe { memory::output("output", out, out_len) }?;
        // SAFETY: the same.
        let salt = unsafe { memory::input("salt", salt, salt_len) }?;
        // SAFETY: the same.
        let secret = unsafe { memory::input("secret", secret, secret_len) }?;
        // SAFETY: the same.
        let info = unsafe { memory::input("info", info, info_len) }?;
        let hash = Algorithm::numbered(hash)?;
        with_hash!(hash, (H, _digest, _many) => {
            let salt = ropewalk::hmac::Key::<H>::new(salt);
            Ok(hkdf::extract(&salt, secret).expand(&[info], out)?)
        }, else Err(Why::Kind { what: "hash function", allowed: "those of HMAC" }.into()))
    })
}

/// PBKDF2 (RFC 8018): fills `out`. The password is a key of HMAC with the hash function to be used.
///
/// Fails with ROPEWALK_WRONG_KIND for a key that is not of HMAC, and with ROPEWALK_LENGTH for no iteration.
///
/// # Safety
/// `password` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_pbkdf2(
    password: *const ropewalk_mac_key,
    salt: *const c_void,
    salt_len: usize,
    iterations: u32,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { derive(password, (salt, salt_len), iterations, (out, out_len)) })
}

/// # Safety
/// As [`ropewalk_pbkdf2`].
unsafe fn derive(
    password: *const ropewalk_mac_key,
    salt: (*const c_void, usize),
    iterations: u32,
    out: (*mut c_void, usize),
) -> Result<()> {
    let read = [Span::of(password), Span::new(salt.0, salt.1)];
    overlap::apart("output", Span::new(out.0, out.1), read)?;
    // SAFETY: the caller's bytes, apart from all others.
    let out = unsafe { memory::output("output", out.0, out.1) }?;
    // SAFETY: the same.
    let salt = unsafe { memory::input("salt", salt.0, salt.1) }?;
    // SAFETY: the caller's key.
    with_hmac!(unsafe { object::get(password) }?,
        (H, password) => Ok(pbkdf2::derive(password, salt, iterations, out)?), _ => Err(not_hmac()))
}

#[cold]
fn not_hmac() -> Failure {
    Why::Kind { what: "key", allowed: "HMAC" }.into()
}

/// The digest length of the function of a key.
fn digest_len(prk: &Prk) -> usize {
    with_prk!(prk, (H, _prk) => H::DIGEST_LEN)
}

/// Checks that it is a key of HMAC.
fn check_hmac(key: &Key) -> Result<()> {
    match key {
        Key::Cmac(..) => Err(not_hmac()),
        _ => Ok(()),
    }
}
