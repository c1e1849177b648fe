//! P-256: through `EVP_PKEY` with keys of a provider, or with those of `EC_KEY` in libraries that have no providers.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::{
    api::{
        BIGNUM, BN_CTX, EC_GROUP, EC_KEY, EC_POINT, ENGINE, EVP_PKEY, EVP_PKEY_CTX, OSSL_LIB_CTX,
        OSSL_PARAM,
    },
    curves::{Derive, FetchedContext},
    digest, errors, failed, made,
    source::Source,
};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{
            self, CurveKey, Hash as _,
            p256::{DER, Der, POINT, Pair, Point},
        },
    },
    tasks::{AgreementOp, Cell, Function, SignatureOp},
};

functions! {
    /// Keys of any kind.
    Keys {
        fn EVP_PKEY_new() -> *mut EVP_PKEY;
        fn EVP_PKEY_free(key: *mut EVP_PKEY);
    }

    /// Keys of a provider, since OpenSSL 3.0.
    FetchedKeys {
        fn EVP_PKEY_CTX_new_from_name(
            library: *mut OSSL_LIB_CTX,
            name: *const c_char,
            properties: *const c_char,
        ) -> *mut EVP_PKEY_CTX;
        fn EVP_PKEY_CTX_free(ctx: *mut EVP_PKEY_CTX);
        fn EVP_PKEY_fromdata_init(ctx: *mut EVP_PKEY_CTX) -> c_int;
        fn EVP_PKEY_fromdata(
            ctx: *mut EVP_PKEY_CTX,
            key: *mut *mut EVP_PKEY,
            selection: c_int,
            params: *const OSSL_PARAM,
        ) -> c_int;
        fn EVP_PKEY_copy_parameters(to: *mut EVP_PKEY, from: *const EVP_PKEY) -> c_int;
        fn EVP_PKEY_set1_encoded_public_key(
            key: *mut EVP_PKEY,
            public: *const u8,
            len: usize,
        ) -> c_int;
    }

    /// Points, in every one.
    Points {
        fn EC_GROUP_new_by_curve_name(curve: c_int) -> *mut EC_GROUP;
        fn EC_POINT_new(group: *const EC_GROUP) -> *mut EC_POINT;
        fn EC_POINT_free(point: *mut EC_POINT);
        fn EC_POINT_oct2point(
            group: *const EC_GROUP,
            point: *mut EC_POINT,
            bytes: *const u8,
            len: usize,
            ctx: *mut BN_CTX,
        ) -> c_int;
        fn EC_POINT_point2oct(
            group: *const EC_GROUP,
            point: *const EC_POINT,
            form: c_int,
            bytes: *mut u8,
            len: usize,
            ctx: *mut BN_CTX,
        ) -> usize;
        fn EC_POINT_mul(
            group: *const EC_GROUP,
            out: *mut EC_POINT,
            of_generator: *const BIGNUM,
            point: *const EC_POINT,
            of_point: *const BIGNUM,
            ctx: *mut BN_CTX,
        ) -> c_int;
        fn BN_new() -> *mut BIGNUM;
        fn BN_clear_free(number: *mut BIGNUM);
        fn BN_CTX_new() -> *mut BN_CTX;
        fn BN_CTX_free(ctx: *mut BN_CTX);
    }

    /// Keys of libraries without providers.
    PlainKeys {
        fn EC_KEY_new_by_curve_name(curve: c_int) -> *mut EC_KEY;
        fn EC_KEY_free(key: *mut EC_KEY);
        fn EC_KEY_set_private_key(key: *mut EC_KEY, number: *const BIGNUM) -> c_int;
        fn EC_KEY_set_public_key(key: *mut EC_KEY, point: *const EC_POINT) -> c_int;
        fn EVP_PKEY_set1_EC_KEY(key: *mut EVP_PKEY, of: *mut EC_KEY) -> c_int;
        fn ECDH_compute_key(
            out: *mut c_void,
            len: usize,
            public: *const EC_POINT,
            private: *const EC_KEY,
            derivation: *const c_void,
        ) -> c_int;
    }

    /// Signatures of digests, in every one.
    Sign {
        fn EVP_PKEY_sign_init(ctx: *mut EVP_PKEY_CTX) -> c_int;
        fn EVP_PKEY_sign(
            ctx: *mut EVP_PKEY_CTX,
            signature: *mut u8,
            len: *mut usize,
            digest: *const u8,
            digest_len: usize,
        ) -> c_int;
        fn EVP_PKEY_verify_init(ctx: *mut EVP_PKEY_CTX) -> c_int;
        fn EVP_PKEY_verify(
            ctx: *mut EVP_PKEY_CTX,
            signature: *const u8,
            len: usize,
            digest: *const u8,
            digest_len: usize,
        ) -> c_int;
    }

    /// Big-endian bytes to a number. BoringSSL's length is a `size_t`; an `int` that is positive is passed in the same way.
    Number {
        fn BN_bin2bn(bytes: *const u8, len: c_int, number: *mut BIGNUM) -> *mut BIGNUM;
    }
}

/// `NID_X9_62_prime256v1`, in all of them.
const P256: c_int = 415;

/// `POINT_CONVERSION_UNCOMPRESSED`.
const UNCOMPRESSED: c_int = 4;

/// A job of ECDH.
pub(super) fn ecdh(
    cell: &Cell,
    source: Source,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let maker = Maker::new(source)?;
    match (op, maker.fetched) {
        (AgreementOp::Agree, Some(keys)) => {
            jobs::p256::agreement(cell, move |pair| Derivation::new(maker, keys, pair))
        }
        (AgreementOp::Agree, None) => {
            jobs::p256::agreement(cell, move |pair| Multiplication::new(source.library, pair))
        }
        (AgreementOp::Generate, _) if !source.is_choice() => {
            Err(Unavailable("public keys of P-256 are computed by the library itself".into()))
        }
        (AgreementOp::Generate, _) => {
            jobs::p256::generation(cell, Generation(Group::new(source.library)?))
        }
    }
}

/// A job of ECDSA. Signatures are in DER.
pub(super) fn ecdsa(
    cell: &Cell,
    source: Source,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let maker = Maker::new(source)?;
    match op {
        SignatureOp::Sign => {
            jobs::p256::signing_der(cell, move |pair| Signing::new(maker, Key::Pair(pair)))
        }
        SignatureOp::Verify => jobs::p256::verifying_der(cell, move |public| {
            Verifying::new(maker, Key::Public(public))
        }),
    }
}

/// What a key is made of.
#[derive(Clone, Copy)]
enum Key<'a> {
    Pair(Pair<'a>),
    Public(&'a Point),
}

impl<'a> Key<'a> {
    fn public(self) -> &'a Point {
        match self {
            Self::Pair(pair) => pair.public,
            Self::Public(public) => public,
        }
    }
}

/// Makes keys.
#[derive(Clone, Copy)]
struct Maker {
    source: Source,
    api: Keys,
    fetched: Option<FetchedKeys>,
}

impl Maker {
    fn new(source: Source) -> Result<Self, Unavailable> {
        if !source.fetches() {
            return Err(Unavailable("keys of curves are the library's own".into()));
        }
        let api = Keys::load(source.library)?;
        Ok(Self { source, api, fetched: FetchedKeys::load(source.library).ok() })
    }

    fn make(self, key: Key<'_>) -> Result<Pkey, Unavailable> {
        match self.fetched {
            Some(keys) => self.fetch(keys, key),
            None => self.plain(key),
        }
    }

    fn fetch(self, keys: FetchedKeys, key: Key<'_>) -> Result<Pkey, Unavailable> {
        errors::clear(self.source.library);
        let (new, query) = (keys.EVP_PKEY_CTX_new_from_name, self.source.query());
        // SAFETY: null stands for the default library, the name is a string, and the query is one or null.
        let ctx = unsafe { new(null_mut(), c"EC".as_ptr(), query) };
        let ctx = made(ctx, "").map_err(|_| self.source.lacks("EC"))?;
        let ctx = Object { of: ctx, free: keys.EVP_PKEY_CTX_free };
        // SAFETY: the context is alive.
        if unsafe { (keys.EVP_PKEY_fromdata_init)(ctx.of) } != 1 {
            return Err(self.source.lacks("EC"));
        }
        let mut params =
            vec![OSSL_PARAM::string(c"group", c"P-256"), OSSL_PARAM::octets(c"pub", key.public())];
        let mut number = CurveKey::default();
        const PUBLIC: c_int = 0x86;
        const PAIR: c_int = 0x87;
        let selection = match key {
            Key::Pair(pair) => {
                number = *pair.private;
                if cfg!(target_endian = "little") {
                    number.reverse();
                }
                params.push(OSSL_PARAM::integer(c"priv", &number));
                PAIR
            }
            Key::Public(_) => PUBLIC,
        };
        params.push(OSSL_PARAM::end());
        let (mut made_key, params) = (null_mut(), params.as_ptr());
        // SAFETY: the context is alive, there is space for a key, and the list ends with its end; all that it points to is alive.
        let done = unsafe { (keys.EVP_PKEY_fromdata)(ctx.of, &mut made_key, selection, params) };
        number.fill(0);
        match done {
            1 => Ok(Object { of: made_key, free: self.api.EVP_PKEY_free }),
            _ => Err(self.source.lacks("P-256")),
        }
    }

    fn plain(self, key: Key<'_>) -> Result<Pkey, Unavailable> {
        let plain = PlainKey::new(self.source.library, key)?;
        // SAFETY: it takes no arguments.
        let pkey = made(unsafe { (self.api.EVP_PKEY_new)() }, "EVP_PKEY_new")?;
        let pkey = Object { of: pkey, free: self.api.EVP_PKEY_free };
        // SAFETY: both are alive, and the key has its own reference afterwards.
        match unsafe { (plain.api.EVP_PKEY_set1_EC_KEY)(pkey.of, plain.key.of) } {
            1 => Ok(pkey),
            _ => Err(failed("EVP_PKEY_set1_EC_KEY")),
        }
    }
}

/// An object of the library, freed when dropped.
struct Object<T> {
    of: *mut T,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Drop for Object<T> {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and this reference to it is released only here.
        unsafe { (self.free)(self.of) }
    }
}

type Pkey = Object<EVP_PKEY>;

/// A context of a key: with a provider's algorithm, if the library has providers.
fn context(source: Source, key: &Pkey) -> Result<Object<EVP_PKEY_CTX>, Unavailable> {
    let api = Derive::load(source.library)?;
    let ctx = match FetchedContext::load(source.library) {
        Ok(fetched) => {
            let new = fetched.EVP_PKEY_CTX_new_from_pkey;
            // SAFETY: null stands for the default library, the key is alive, and the query is a string or null.
            unsafe { new(null_mut(), key.of, source.query()) }
        }
        // SAFETY: the key is alive, and null stands for no engine.
        Err(_) => unsafe { (api.EVP_PKEY_CTX_new)(key.of, null_mut::<ENGINE>()) },
    };
    Ok(Object { of: made(ctx, "EVP_PKEY_CTX_new")?, free: api.EVP_PKEY_CTX_free })
}

/// Agreements on one context, for which each public key is set, as TLS does it.
struct Derivation {
    api: Derive,
    maker: Maker,
    keys: FetchedKeys,
    key: Pkey,
    ctx: Object<EVP_PKEY_CTX>,
}

impl Derivation {
    fn new(maker: Maker, keys: FetchedKeys, pair: Pair<'_>) -> Result<Self, Unavailable> {
        let (api, key) = (Derive::load(maker.source.library)?, maker.make(Key::Pair(pair))?);
        let ctx = context(maker.source, &key)?;
        // SAFETY: the context is alive and has its key.
        match unsafe { (api.EVP_PKEY_derive_init)(ctx.of) } {
            1 => Ok(Self { api, maker, keys, key, ctx }),
            _ => Err(failed("EVP_PKEY_derive_init")),
        }
    }

    fn derive(&mut self, public: &Point, secret: &mut CurveKey) -> Option<()> {
        let Keys { EVP_PKEY_new: new, EVP_PKEY_free: free } = self.maker.api;
        // SAFETY: it takes no arguments.
        let peer = made(unsafe { new() }, "EVP_PKEY_new").ok()?;
        let peer = Object { of: peer, free };
        // SAFETY: both keys are alive.
        let same = unsafe { (self.keys.EVP_PKEY_copy_parameters)(peer.of, self.key.of) };
        let (set, start) = (self.keys.EVP_PKEY_set1_encoded_public_key, public.as_ptr());
        // SAFETY: the key is alive, and the bytes are as many as they say.
        let told = same == 1 && unsafe { set(peer.of, start, POINT) } == 1;
        let set_peer = self.api.EVP_PKEY_derive_set_peer;
        // SAFETY: both are alive, and the context keeps its share of the key.
        let told = told && unsafe { set_peer(self.ctx.of, peer.of) } == 1;
        let mut len = secret.len();
        let (derive, place) = (self.api.EVP_PKEY_derive, secret.as_mut_ptr());
        // SAFETY: the context has both keys, or fails, and there is space for that many bytes.
        let done = told && unsafe { derive(self.ctx.of, place, &mut len) } == 1;
        (done && len == secret.len()).then_some(())
    }
}

impl jobs::Agreement<POINT> for Derivation {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        if self.derive(public, secret).is_none() {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }
}

/// The curve, a point, and memory for calculations.
struct Group {
    api: Points,
    number: Number,
    /// It is that of the library, or lives until the process ends.
    group: *const EC_GROUP,
    point: Object<EC_POINT>,
    ctx: Object<BN_CTX>,
}

impl Group {
    fn new(library: &'static Library) -> Result<Self, Unavailable> {
        let (api, number) = (Points::load(library)?, Number::load(library)?);
        // SAFETY: it takes any number.
        let group = unsafe { (api.EC_GROUP_new_by_curve_name)(P256) };
        let group = made(group, "").map_err(|_| Unavailable("has no P-256".into()))?;
        // SAFETY: the group is alive.
        let point = made(unsafe { (api.EC_POINT_new)(group) }, "EC_POINT_new")?;
        let point = Object { of: point, free: api.EC_POINT_free };
        // SAFETY: it takes no arguments.
        let ctx = made(unsafe { (api.BN_CTX_new)() }, "BN_CTX_new")?;
        let ctx = Object { of: ctx, free: api.BN_CTX_free };
        Ok(Self { api, number, group, point, ctx })
    }

    /// Reads a public key, and returns whether it is one.
    fn read(&mut self, public: &Point) -> bool {
        let (read, start) = (self.api.EC_POINT_oct2point, public.as_ptr());
        // SAFETY: all three are alive, and the bytes are as many as they say.
        unsafe { read(self.group, self.point.of, start, POINT, self.ctx.of) == 1 }
    }

    fn number(&self, private: &CurveKey) -> Option<Object<BIGNUM>> {
        // SAFETY: it takes no arguments.
        let number = made(unsafe { (self.api.BN_new)() }, "BN_new").ok()?;
        let number = Object { of: number, free: self.api.BN_clear_free };
        let (start, len) = (private.as_ptr(), private.len() as c_int);
        // SAFETY: the bytes are as many as they say, and the number is alive.
        let done = unsafe { (self.number.BN_bin2bn)(start, len, number.of) };
        (!done.is_null()).then_some(number)
    }
}

/// A key of a library without providers.
struct PlainKey {
    api: PlainKeys,
    key: Object<EC_KEY>,
}

impl PlainKey {
    fn new(library: &'static Library, key: Key<'_>) -> Result<Self, Unavailable> {
        let (api, mut group) = (PlainKeys::load(library)?, Group::new(library)?);
        // SAFETY: it takes any number.
        let new = unsafe { (api.EC_KEY_new_by_curve_name)(P256) };
        let new = made(new, "EC_KEY_new_by_curve_name")?;
        let new = Object { of: new, free: api.EC_KEY_free };
        if !group.read(key.public()) {
            return Err(failed("EC_POINT_oct2point"));
        }
        // SAFETY: both are alive, and the key has a copy afterwards.
        if unsafe { (api.EC_KEY_set_public_key)(new.of, group.point.of) } != 1 {
            return Err(failed("EC_KEY_set_public_key"));
        }
        if let Key::Pair(pair) = key {
            let number = group.number(pair.private).ok_or_else(|| failed("BN_bin2bn"))?;
            // SAFETY: as above.
            if unsafe { (api.EC_KEY_set_private_key)(new.of, number.of) } != 1 {
                return Err(failed("EC_KEY_set_private_key"));
            }
        }
        Ok(Self { api, key: new })
    }
}

/// Agreements with the function that takes points.
struct Multiplication {
    key: PlainKey,
    group: Group,
}

impl Multiplication {
    fn new(library: &'static Library, pair: Pair<'_>) -> Result<Self, Unavailable> {
        let key = PlainKey::new(library, Key::Pair(pair))?;
        Ok(Self { key, group: Group::new(library)? })
    }
}

impl jobs::Agreement<POINT> for Multiplication {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        let PlainKey { api, key } = &self.key;
        let (compute, place, len) =
            (api.ECDH_compute_key, secret.as_mut_ptr().cast(), secret.len());
        let done = self.group.read(public)
            // SAFETY: both are alive, there is space for that many bytes, and null stands for no derivation.
            && unsafe { compute(place, len, self.group.point.of, key.of, null()) } == len as c_int;
        if !done {
            secret.fill(0);
        }
    }
}

struct Generation(Group);

impl jobs::Generation<POINT> for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut Point) {
        let Group { api, group, point, ctx, .. } = &self.0;
        let done = self.0.number(private).is_some_and(|number| {
            let multiply = api.EC_POINT_mul;
            // SAFETY: all of them are alive, and null stands for no other point.
            unsafe { multiply(*group, point.of, number.of, null(), null(), ctx.of) == 1 }
        });
        let (write, place) = (api.EC_POINT_point2oct, public.as_mut_ptr());
        // SAFETY: all of them are alive, and there is space for that many bytes.
        let len = unsafe { write(*group, point.of, UNCOMPRESSED, place, POINT, ctx.of) };
        if !done || len != POINT {
            public.fill(0);
        }
    }
}

/// A context that signs or verifies digests, and the hash function.
struct Context {
    api: Sign,
    hash: digest::Hash,
    ctx: Object<EVP_PKEY_CTX>,
}

impl Context {
    fn new(
        maker: Maker,
        key: Key<'_>,
        call: &str,
        init: impl Fn(Sign) -> unsafe extern "C" fn(*mut EVP_PKEY_CTX) -> c_int,
    ) -> Result<Self, Unavailable> {
        let api = Sign::load(maker.source.library)?;
        let hash = digest::Hash::new(maker.source, Function::Sha256)?;
        // The context has its own reference.
        let ctx = context(maker.source, &maker.make(key)?)?;
        // SAFETY: the context is alive and has its key.
        match unsafe { init(api)(ctx.of) } {
            1 => Ok(Self { api, hash, ctx }),
            _ => Err(failed(call)),
        }
    }

    fn digest(&mut self, message: &[u8]) -> [u8; 32] {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        digest
    }
}

struct Signing(Context);

impl Signing {
    fn new(maker: Maker, key: Key<'_>) -> Result<Self, Unavailable> {
        Context::new(maker, key, "EVP_PKEY_sign_init", |api| api.EVP_PKEY_sign_init).map(Self)
    }
}

impl jobs::Signing<DER> for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut [u8; DER]) {
        let digest = self.0.digest(message);
        let Context { api, ctx, .. } = &self.0;
        let (place, mut len) = (signature.as_mut_ptr(), signature.len());
        let (sign, start) = (api.EVP_PKEY_sign, digest.as_ptr());
        // SAFETY: the context has been started, both have the given lengths.
        if unsafe { sign(ctx.of, place, &mut len, start, digest.len()) } != 1 {
            signature.fill(0);
        }
    }
}

struct Verifying(Context);

impl Verifying {
    fn new(maker: Maker, key: Key<'_>) -> Result<Self, Unavailable> {
        Context::new(maker, key, "EVP_PKEY_verify_init", |api| api.EVP_PKEY_verify_init).map(Self)
    }
}

impl jobs::Verifying<Der> for Verifying {
    fn verify(&mut self, message: &[u8], signature: &Der) -> bool {
        let digest = self.0.digest(message);
        let Context { api, ctx, .. } = &self.0;
        let (signature, start) = (signature.as_bytes(), digest.as_ptr());
        let (verify, with) = (api.EVP_PKEY_verify, signature.as_ptr());
        // SAFETY: the context has been started, and both have the given lengths.
        unsafe { verify(ctx.of, with, signature.len(), start, digest.len()) == 1 }
    }
}
