//! P-256, with functions of libhogweed that take points, scalars and numbers.

use std::{
    ffi::{c_int, c_void},
    mem::MaybeUninit,
    ptr::null_mut,
};

use libloading::os::unix::Library;

use super::{HASHES, curves::beside, digest, find};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{
            self, CurveKey, Hash as _, Signature,
            p256::{POINT, Point},
        },
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, Function, SignatureOp},
};

/// `mpz_t` of GMP, initialized and cleared with a pair.
#[repr(C)]
pub(super) struct Number {
    _allocated: c_int,
    _size: c_int,
    _limbs: *mut c_void,
}

/// `struct dsa_signature`: r and s. It serves for x and y, too.
#[repr(C)]
pub(super) struct Numbers([Number; 2]);

/// `struct ecc_point` and `struct ecc_scalar`.
#[repr(C)]
pub(super) struct Limbs {
    _curve: *const c_void,
    _limbs: *mut c_void,
}

/// `nettle_random_func`.
pub(super) type Random = unsafe extern "C" fn(*mut c_void, usize, *mut u8);

functions! {
    /// Points and scalars; 1 means that one is valid.
    P256 {
        fn nettle_get_secp_256r1() -> *const c_void;
        fn nettle_ecc_point_init(point: *mut Limbs, curve: *const c_void);
        fn nettle_ecc_point_clear(point: *mut Limbs);
        fn nettle_ecc_point_set(point: *mut Limbs, x: *const Number, y: *const Number) -> c_int;
        fn nettle_ecc_point_get(point: *const Limbs, x: *mut Number, y: *mut Number);
        fn nettle_ecc_scalar_init(scalar: *mut Limbs, curve: *const c_void);
        fn nettle_ecc_scalar_clear(scalar: *mut Limbs);
        fn nettle_ecc_scalar_set(scalar: *mut Limbs, number: *const Number) -> c_int;
        fn nettle_ecc_point_mul(out: *mut Limbs, scalar: *const Limbs, point: *const Limbs);
        fn nettle_ecc_point_mul_g(out: *mut Limbs, scalar: *const Limbs);
        fn nettle_dsa_signature_init(numbers: *mut Numbers);
        fn nettle_dsa_signature_clear(numbers: *mut Numbers);
        fn nettle_mpz_set_str_256_u(number: *mut Number, len: usize, bytes: *const u8);
        fn nettle_mpz_get_str_256(len: usize, bytes: *mut u8, number: *const Number);
        fn nettle_ecdsa_sign(
            scalar: *const Limbs,
            state: *mut c_void,
            random: Random,
            len: usize,
            digest: *const u8,
            signature: *mut Numbers,
        );
        fn nettle_ecdsa_verify(
            point: *const Limbs,
            len: usize,
            digest: *const u8,
            signature: *const Numbers,
        ) -> c_int;
    }
}

/// A job of ECDH.
pub(super) fn ecdh(
    cell: &Cell,
    nettle: Option<&str>,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = P256::load(beside(nettle)?)?;
    match op {
        AgreementOp::Agree => jobs::p256::agreement(cell, move |pair| {
            let mut private = Private::new(api);
            match private.scalar.set(pair.private) {
                true => Ok(private),
                false => Err(Unavailable("nettle_ecc_scalar_set failed".into())),
            }
        }),
        AgreementOp::Generate => jobs::p256::generation(cell, Private::new(api)),
    }
}

/// A job of ECDSA.
pub(super) fn ecdsa(
    cell: &Cell,
    library: &'static Library,
    nettle: Option<&str>,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = P256::load(beside(nettle)?)?;
    let hash = move || sha256(library);
    match op {
        SignatureOp::Sign => jobs::p256::signing(cell, move |pair| {
            let (mut scalar, made) = (Scalar::new(api), Pair::new(api));
            match scalar.set(pair.private) {
                true => Ok(Signing { scalar, made, hash: hash()? }),
                false => Err(Unavailable("nettle_ecc_scalar_set failed".into())),
            }
        }),
        SignatureOp::Verify => jobs::p256::verifying(cell, move |public| {
            let (mut point, mut made) = (Affine::new(api), Pair::new(api));
            match point.set(public, &mut made) {
                true => Ok(Verifying { point, made, hash: hash()? }),
                false => Err(Unavailable("nettle_ecc_point_set failed".into())),
            }
        }),
    }
}

pub(super) fn sha256(library: &'static Library) -> Result<digest::Hash, Unavailable> {
    let [init, update, end] = find(HASHES, Function::Sha256).expect("it has SHA-256");
    digest::Hash::new(library, init, update, end)
}

/// Two numbers, cleared when dropped.
pub(super) struct Pair {
    api: P256,
    numbers: Box<Numbers>,
}

impl Pair {
    pub(super) fn new(api: P256) -> Self {
        let mut numbers = Box::<MaybeUninit<Numbers>>::new(MaybeUninit::uninit());
        // SAFETY: there is space for two numbers.
        unsafe { (api.nettle_dsa_signature_init)(numbers.as_mut_ptr()) };
        // SAFETY: they have been initialized.
        Self { api, numbers: unsafe { numbers.assume_init() } }
    }

    /// Takes two big-endian numbers of 32 bytes.
    fn set(&mut self, bytes: &[u8; 2 * CURVE_KEY]) {
        for (number, bytes) in self.numbers.0.iter_mut().zip(bytes.as_chunks::<CURVE_KEY>().0) {
            // SAFETY: the number has been initialized, and the bytes are as many as they say.
            unsafe { (self.api.nettle_mpz_set_str_256_u)(number, CURVE_KEY, bytes.as_ptr()) };
        }
    }

    /// Writes them.
    fn get(&self, bytes: &mut [u8; 2 * CURVE_KEY]) {
        let places = bytes.as_chunks_mut::<CURVE_KEY>().0;
        for (number, bytes) in self.numbers.0.iter().zip(places) {
            // SAFETY: the number has been initialized, it has at most that many bytes, and there is space for them.
            unsafe { (self.api.nettle_mpz_get_str_256)(CURVE_KEY, bytes.as_mut_ptr(), number) };
        }
    }
}

impl Pair {
    /// The first of them.
    pub(super) fn first(&mut self) -> *mut Number {
        &mut self.numbers.0[0]
    }

    /// Takes a big-endian number in place of the first of them.
    pub(super) fn set_first(&mut self, bytes: &[u8]) {
        let number = self.first();
        // SAFETY: the number has been initialized, and the bytes are as many as they say.
        unsafe { (self.api.nettle_mpz_set_str_256_u)(number, bytes.len(), bytes.as_ptr()) };
    }

    /// Writes the first of them, which has at most that many bytes.
    pub(super) fn get_first(&mut self, bytes: &mut [u8]) {
        let number = self.first();
        // SAFETY: the number has been initialized, it has at most that many bytes, and there is space for them.
        unsafe { (self.api.nettle_mpz_get_str_256)(bytes.len(), bytes.as_mut_ptr(), number) };
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        // SAFETY: the numbers have been initialized, and nothing uses them afterwards.
        unsafe { (self.api.nettle_dsa_signature_clear)(&mut *self.numbers) }
    }
}

/// A scalar, cleared when dropped.
struct Scalar {
    api: P256,
    limbs: Limbs,
    number: Pair,
}

impl Scalar {
    fn new(api: P256) -> Self {
        let mut limbs = MaybeUninit::uninit();
        // SAFETY: it takes no arguments.
        let curve = unsafe { (api.nettle_get_secp_256r1)() };
        // SAFETY: there is space for a scalar, and the curve is a constant of the library.
        unsafe { (api.nettle_ecc_scalar_init)(limbs.as_mut_ptr(), curve) };
        // SAFETY: it has been initialized.
        Self { api, limbs: unsafe { limbs.assume_init() }, number: Pair::new(api) }
    }

    /// Takes a number, and returns whether it is from 1 to n - 1.
    fn set(&mut self, private: &CurveKey) -> bool {
        self.number.set_first(private);
        // SAFETY: both have been initialized.
        unsafe { (self.api.nettle_ecc_scalar_set)(&mut self.limbs, self.number.first()) == 1 }
    }
}

impl Drop for Scalar {
    fn drop(&mut self) {
        // SAFETY: the scalar has been initialized, and nothing uses it afterwards.
        unsafe { (self.api.nettle_ecc_scalar_clear)(&mut self.limbs) }
    }
}

/// A point, cleared when dropped.
struct Affine {
    api: P256,
    limbs: Limbs,
}

impl Affine {
    fn new(api: P256) -> Self {
        let mut limbs = MaybeUninit::uninit();
        // SAFETY: it takes no arguments.
        let curve = unsafe { (api.nettle_get_secp_256r1)() };
        // SAFETY: there is space for a point, and the curve is a constant of the library.
        unsafe { (api.nettle_ecc_point_init)(limbs.as_mut_ptr(), curve) };
        // SAFETY: it has been initialized.
        Self { api, limbs: unsafe { limbs.assume_init() } }
    }

    /// Takes a public key, and returns whether it is one.
    fn set(&mut self, public: &Point, through: &mut Pair) -> bool {
        through.set(public[1..].try_into().expect("x and y"));
        let [x, y] = &through.numbers.0;
        // SAFETY: all have been initialized.
        unsafe { (self.api.nettle_ecc_point_set)(&mut self.limbs, x, y) == 1 }
    }

    /// Writes its coordinates.
    fn get(&self, through: &mut Pair) {
        let [x, y] = &mut through.numbers.0;
        // SAFETY: all have been initialized.
        unsafe { (self.api.nettle_ecc_point_get)(&self.limbs, x, y) }
    }
}

impl Drop for Affine {
    fn drop(&mut self) {
        // SAFETY: the point has been initialized, and nothing uses it afterwards.
        unsafe { (self.api.nettle_ecc_point_clear)(&mut self.limbs) }
    }
}

/// A private key, the point of the other side, and the result.
struct Private {
    scalar: Scalar,
    other: Affine,
    made: Affine,
    through: Pair,
}

impl Private {
    fn new(api: P256) -> Self {
        let (other, made) = (Affine::new(api), Affine::new(api));
        Self { scalar: Scalar::new(api), other, made, through: Pair::new(api) }
    }
}

impl jobs::Agreement<POINT> for Private {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        let Self { scalar, other, made, through } = self;
        if !other.set(public, through) {
            // A failed call must not look like an answer.
            return secret.fill(0);
        }
        let multiply = scalar.api.nettle_ecc_point_mul;
        // SAFETY: all three have been initialized, two of them with values.
        unsafe { multiply(&mut made.limbs, &scalar.limbs, &other.limbs) };
        // SAFETY: both have been initialized, and null stands for no y.
        unsafe { (scalar.api.nettle_ecc_point_get)(&made.limbs, through.first(), null_mut()) };
        through.get_first(secret);
    }

    fn rekey(&mut self, private: &CurveKey) -> bool {
        self.scalar.set(private)
    }
}

impl jobs::Generation<POINT> for Private {
    fn generate(&mut self, private: &CurveKey, public: &mut Point) {
        let Self { scalar, made, through, .. } = self;
        if !scalar.set(private) {
            return public.fill(0);
        }
        // SAFETY: both have been initialized, and the scalar has a value.
        unsafe { (scalar.api.nettle_ecc_point_mul_g)(&mut made.limbs, &scalar.limbs) };
        made.get(through);
        public[0] = 4;
        through.get((&mut public[1..]).try_into().expect("x and y"));
    }
}

struct Signing {
    scalar: Scalar,
    made: Pair,
    hash: digest::Hash,
}

impl jobs::Signing for Signing {
    const NOTE: &str = "takes nonces from a generator of the caller: that of ropewalk counts";

    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        let (sign, start) = (self.scalar.api.nettle_ecdsa_sign, digest.as_ptr());
        let (scalar, numbers) = (&self.scalar.limbs, &mut *self.made.numbers);
        // SAFETY: the scalar has a value, the generator needs no state, the digest has that length, and the numbers have been
        // initialized.
        unsafe { sign(scalar, null_mut(), random, digest.len(), start, numbers) };
        self.made.get(signature);
    }

    fn rekey(&mut self, private: &CurveKey) -> bool {
        self.scalar.set(private)
    }
}

/// Random bytes for nonces and blinding.
///
/// # Safety
/// There must be space for that many bytes.
pub(super) unsafe extern "C" fn random(_: *mut c_void, len: usize, out: *mut u8) {
    // SAFETY: as the caller promises.
    let out = unsafe { std::slice::from_raw_parts_mut(out, len) };
    ropewalk::random::fill(out).expect("the system has random bytes");
}

struct Verifying {
    point: Affine,
    made: Pair,
    hash: digest::Hash,
}

impl jobs::Verifying for Verifying {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        self.made.set(signature);
        let (verify, start) = (self.point.api.nettle_ecdsa_verify, digest.as_ptr());
        // SAFETY: the point and the numbers have values, and the digest has that length.
        unsafe { verify(&self.point.limbs, digest.len(), start, &*self.made.numbers) == 1 }
    }

    fn rekey(&mut self, public: &[u8]) -> bool {
        self.point.set(public.try_into().expect("a point"), &mut self.made)
    }
}
