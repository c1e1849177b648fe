//! Keys and points of P-256: of a provider, or `EC_KEY` in libraries that have no providers.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr::null_mut,
};

use libloading::os::unix::Library;

use crate::peers::{
    Unavailable,
    dl::functions,
    jobs::{
        CurveKey,
        p256::{POINT, Pair, Point},
    },
    libcrypto::{
        api::{
            BIGNUM, BN_CTX, EC_GROUP, EC_KEY, EC_POINT, EVP_PKEY, EVP_PKEY_CTX, OSSL_LIB_CTX,
            OSSL_PARAM,
        },
        errors, failed, made,
        source::Source,
    },
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

    /// Big-endian bytes to a number. BoringSSL's length is a `size_t`; an `int` that is positive is passed in the same way.
    Number {
        fn BN_bin2bn(bytes: *const u8, len: c_int, number: *mut BIGNUM) -> *mut BIGNUM;
    }
}

/// `NID_X9_62_prime256v1`, in all of them.
const P256: c_int = 415;

/// What a key is made of.
#[derive(Clone, Copy)]
pub(super) enum Key<'a> {
    Pair(Pair<'a>),
    Public(&'a Point),
}

impl<'a> Key<'a> {
    pub(super) fn public(self) -> &'a Point {
        match self {
            Self::Pair(pair) => pair.public,
            Self::Public(public) => public,
        }
    }
}

/// Makes keys.
#[derive(Clone, Copy)]
pub(super) struct Maker {
    pub(super) source: Source,
    pub(super) api: Keys,
    pub(super) fetched: Option<FetchedKeys>,
}

impl Maker {
    pub(super) fn new(source: Source) -> Result<Self, Unavailable> {
        if !source.fetches() {
            return Err(Unavailable("keys of curves are the library's own".into()));
        }
        let api = Keys::load(source.library)?;
        Ok(Self { source, api, fetched: FetchedKeys::load(source.library).ok() })
    }

    pub(super) fn make(self, key: Key<'_>) -> Result<Pkey, Unavailable> {
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
pub(in crate::peers::libcrypto) struct Object<T> {
    pub(in crate::peers::libcrypto) of: *mut T,
    pub(in crate::peers::libcrypto) free: unsafe extern "C" fn(*mut T),
}

impl<T> Drop for Object<T> {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and this reference to it is released only here.
        unsafe { (self.free)(self.of) }
    }
}

pub(in crate::peers::libcrypto) type Pkey = Object<EVP_PKEY>;

/// The curve, a point, and memory for calculations.
pub(super) struct Group {
    pub(super) api: Points,
    pub(super) number: Number,
    /// It is that of the library, or lives until the process ends.
    pub(super) group: *const EC_GROUP,
    pub(super) point: Object<EC_POINT>,
    pub(super) ctx: Object<BN_CTX>,
}

impl Group {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
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
    pub(super) fn read(&mut self, public: &Point) -> bool {
        let (read, start) = (self.api.EC_POINT_oct2point, public.as_ptr());
        // SAFETY: all three are alive, and the bytes are as many as they say.
        unsafe { read(self.group, self.point.of, start, POINT, self.ctx.of) == 1 }
    }

    pub(super) fn number(&self, private: &CurveKey) -> Option<Object<BIGNUM>> {
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
pub(super) struct PlainKey {
    pub(super) api: PlainKeys,
    pub(super) key: Object<EC_KEY>,
}

impl PlainKey {
    pub(super) fn new(library: &'static Library, key: Key<'_>) -> Result<Self, Unavailable> {
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
