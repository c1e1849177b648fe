//! Ropewalk itself: each backend is a row.

/// The batch type of a backend: for the best backend its default, as users have it, which chooses between
/// lanes and serial calls.
macro_rules! by_best_or_named {
    ($Many:ty, $backend:expr) => {
        match <$Many>::default() {
            best if best.backend() == $backend => Ok(best),
            _ => <$Many>::with_backend($backend),
        }
    };
}

/// The type for batches in lanes; nothing if they are serial.
macro_rules! side_by_side {
    ($Many:ty, $backend:expr) => {
        match $backend {
            $crate::peers::ours::ONE_BY_ONE => Ok(None),
            backend => by_best_or_named!($Many, backend).map(Some),
        }
    };
}

/// Makes keys of a type, each with a backend: for the default backend without its name if key setup is timed,
/// since looking up a name takes longer than some keys do.
macro_rules! with {
    ($Key:ty, $cell:expr, $key_len:expr, $backend:expr) => {{
        let backend = $backend.to_owned();
        let best = <$Key>::new(&jobs::key($key_len)).is_ok_and(|key| key.backend() == backend);
        let best = best && $cell.mode == Mode::Setup;
        move |key: &[u8]| {
            let key = if best { <$Key>::new(key) } else { <$Key>::with_backend(key, &backend) };
            key.map_err(unavailable)
        }
    }};
}

mod aead;
mod cipher;
mod curves;
mod digest;
mod functions;
mod mac;
mod nist;
mod records;
mod rsa;

use aead::{Ccm, CcmMany, ChaChaPoly, ChaChaPolyMany, Gcm, GcmMany};
use cipher::{
    Cbc, CbcMany, ChaCha, Cipher, CtrMany, Ecb, KeyWrap, Xts, XtsDecryptMany, XtsEncryptMany,
};
use mac::{Cmac, CmacMany, Gmac, OneTime};
use records::{SEQUENTIAL, records};
use ropewalk::{
    aes_cbc, aes_ccm, aes_cmac, aes_ctr, aes_ecb, aes_gcm, aes_kw, aes_xts,
    backend::Info,
    cbc_hmac, chacha20, chacha20_poly1305,
    cpu::{self, Feature},
    ed25519, p256,
    poly1305::{self, Poly1305},
    random::{self, CtrDrbg},
    sha1::Sha1,
    sha256::Sha256,
    tuning::{self, Reason},
    x25519,
};

use super::{Job, Opened, Peer, Unavailable, has, jobs};
use crate::tasks::{AeadOp, Cell, Direction, Function, Kind, Mac, Mode, Task};

/// Ropewalk.
pub(super) struct Ours;

impl Peer for Ours {
    fn name(&self) -> &'static str {
        "ropewalk"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-xts", "aes-*-kw", "aes-*-gcm", "aes-*-ccm",
            "aes-*-cbc-hmac-sha1", "aes-*-cbc-hmac-sha256",
            "chacha20", "chacha20-poly1305", "poly1305",
            "aes-*-gmac", "aes-*-cmac",
            "random", "no-op", "x25519", "ed25519", "p256", "rsa-*",
        ]
    }

    fn functions(&self, function: Function) -> [bool; 2] {
        functions::of(function).map_or([false; 2], |row| [true, row.hmac.is_some()])
    }

    fn mask(
        &self,
        _: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        Ok(vec![(
            "ROPEWALK_CPU".into(),
            features.iter().map(|name| format!("-{name}")).collect::<Vec<_>>().join(","),
        )])
    }

    fn open(&self, _: &str) -> Result<Box<dyn Opened>, Unavailable> {
        Ok(Box::new(Library))
    }
}

struct Library;

impl Opened for Library {
    fn version(&self) -> String {
        let version = format!("ropewalk {}", env!("CARGO_PKG_VERSION"));
        match tuning::reason() {
            Reason::Forced => format!("{version}, tuned for {}", tuning::current().name()),
            _ => version,
        }
    }

    fn backends(&self, task: &Task, count: usize) -> Vec<String> {
        if task.kind == Kind::NoOp {
            return vec!["no-op/portable".into()];
        }
        let available = backends(task, count).iter().filter(|info| (info.available)());
        let mut available: Vec<_> = available.collect();
        // The first one is what the library chooses.
        available.sort_by_key(|info| !info.fits_tuning());
        let mut names: Vec<_> = available.into_iter().map(|info| info.name.into()).collect();
        if matches!(task.kind, Kind::Records { op: AeadOp::Seal, .. }) {
            names.push(SEQUENTIAL.into());
        }
        if has_lanes(task, count) {
            names.push(ONE_BY_ONE.into());
        }
        names
    }

    fn absent(&self, task: &Task, count: usize) -> Vec<(String, Unavailable)> {
        let absent = backends(task, count).iter().filter(|info| !(info.available)());
        absent.map(|info| (info.name.into(), lacking(info))).collect()
    }

    fn prepare(&self, cell: &Cell, backend: &str) -> Result<Box<dyn Job>, Unavailable> {
        let lacks = || Unavailable::lacks(&Ours, cell.task);
        if !has(&Ours, cell.task) {
            return Err(lacks());
        }
        // The chunks of a stream, however many in a call, are of one message.
        let one = self.backends(cell.task, 1).swap_remove(0);
        let (batch, backend) = match cell.mode {
            Mode::Stream if cell.count > 1 => (false, one.as_str()),
            mode if backend == ONE_BY_ONE && !has_messages(&cell.task.kind, mode) => {
                (false, one.as_str())
            }
            _ => (cell.count > 1, backend),
        };
        let first = self.backends(cell.task, cell.count).into_iter().next();
        let is_first = |backend: &str| first.as_deref() == Some(backend);
        match cell.task.kind {
            Kind::Ctr { key_len } if batch => {
                let many = CtrMany::new(&jobs::keys(cell, key_len), backend);
                Ok(jobs::ctr_calls(cell, many.map_err(unavailable)?))
            }
            Kind::Ctr { key_len } => {
                let with = with!(aes_ctr::Key, cell, key_len, backend);
                jobs::ctr(cell, key_len, move |key| with(key).map(Cipher::new))
            }
            Kind::Cbc { direction: Direction::Encrypt, key_len } if batch => {
                let many = CbcMany::new(&jobs::keys(cell, key_len), backend);
                jobs::cbc_calls(cell, many.map_err(unavailable)?)
            }
            Kind::Cbc { direction, key_len } => {
                let with = with!(aes_cbc::Key, cell, key_len, backend);
                match direction {
                    Direction::Encrypt => {
                        jobs::cbc(cell, key_len, move |key| with(key).map(Cbc::<true>::new))
                    }
                    Direction::Decrypt => {
                        jobs::cbc(cell, key_len, move |key| with(key).map(Cbc::<false>::new))
                    }
                }
            }
            Kind::Ecb { direction, key_len } => {
                let with = with!(aes_ecb::Key, cell, key_len, backend);
                match direction {
                    Direction::Encrypt => {
                        jobs::cbc(cell, key_len, move |key| with(key).map(Ecb::<true>))
                    }
                    Direction::Decrypt => {
                        jobs::cbc(cell, key_len, move |key| with(key).map(Ecb::<false>))
                    }
                }
            }
            Kind::Xts { direction, key_len } if batch => {
                let keys = jobs::keys(cell, key_len);
                match direction {
                    Direction::Encrypt => {
                        let many = XtsEncryptMany::new(&keys, backend);
                        jobs::xts_calls(cell, many.map_err(unavailable)?)
                    }
                    Direction::Decrypt => {
                        let many = XtsDecryptMany::new(&keys, backend);
                        jobs::xts_calls(cell, many.map_err(unavailable)?)
                    }
                }
            }
            Kind::Xts { direction, key_len } => {
                let with = with!(aes_xts::Key, cell, key_len, backend);
                match direction {
                    Direction::Encrypt => {
                        jobs::xts(cell, key_len, move |key| with(key).map(Xts::<true>::new))
                    }
                    Direction::Decrypt => {
                        jobs::xts(cell, key_len, move |key| with(key).map(Xts::<false>::new))
                    }
                }
            }
            Kind::KeyWrap { key_len, .. } => {
                let with = with!(aes_kw::Key, cell, key_len, backend);
                jobs::key_wrap(cell, move |key| with(key).map(KeyWrap))
            }
            Kind::Gcm { op: op @ (AeadOp::Seal | AeadOp::Open), key_len } if batch => {
                let many = GcmMany::new(&jobs::keys(cell, key_len), backend);
                jobs::aead_calls(cell, op, key_len, many.map_err(unavailable)?)
            }
            Kind::Gcm { op, key_len } => {
                // A user would not name the default backend, so it is not named here.
                if is_first(backend) {
                    return jobs::aead(cell, op, key_len, |key| {
                        aes_gcm::Key::new(key).map(Gcm::<true>::new).map_err(unavailable)
                    });
                }
                let backend = backend.to_owned();
                jobs::aead(cell, op, key_len, move |key| {
                    let key = aes_gcm::Key::with_backend(key, &backend);
                    key.map(Gcm::<false>::new).map_err(unavailable)
                })
            }
            Kind::Ccm { op: op @ (AeadOp::Seal | AeadOp::Open), key_len } if batch => {
                let many = CcmMany::new(&jobs::keys(cell, key_len), backend);
                jobs::aead_calls(cell, op, key_len, many.map_err(unavailable)?)
            }
            Kind::Ccm { op, key_len } => {
                let with = with!(aes_ccm::Key, cell, key_len, backend);
                match is_first(backend) {
                    true => jobs::aead(cell, op, key_len, move |key| with(key).map(Ccm::<true>)),
                    false => jobs::aead(cell, op, key_len, move |key| with(key).map(Ccm::<false>)),
                }
            }
            Kind::Records { function: Function::Sha1, .. } => records::<Sha1>(cell, backend, batch),
            Kind::Records { .. } => records::<Sha256>(cell, backend, batch),
            Kind::Fill => {
                if is_first(backend) {
                    return Ok(jobs::fill(cell, ThreadRandom));
                }
                let made = CtrDrbg::with_backend(&[7; random::SEED_LEN], &[], backend);
                Ok(jobs::fill(cell, Seeded(made.map_err(unavailable)?)))
            }
            Kind::NoOp if cell.mode == Mode::Message => Ok(jobs::hash(cell, jobs::Nothing)),
            Kind::NoOp => Err(Unavailable("what does nothing has neither pieces nor keys".into())),
            Kind::ChaCha20 => {
                let with = with!(chacha20::Key, cell, 32, backend);
                jobs::ctr(cell, 32, move |key| with(key).map(ChaCha::new))
            }
            Kind::ChaChaPoly { op: op @ (AeadOp::Seal | AeadOp::Open) } if batch => {
                let many = ChaChaPolyMany::new(&jobs::keys(cell, 32), backend);
                jobs::aead_calls(cell, op, 32, many.map_err(unavailable)?)
            }
            Kind::ChaChaPoly { op } => {
                let with = with!(chacha20_poly1305::Key, cell, 32, backend);
                match is_first(backend) {
                    true => {
                        jobs::aead(cell, op, 32, move |key| with(key).map(ChaChaPoly::<true>::new))
                    }
                    false => {
                        jobs::aead(cell, op, 32, move |key| with(key).map(ChaChaPoly::<false>::new))
                    }
                }
            }
            Kind::Gmac { key_len } => {
                let with = with!(aes_gcm::Gmac, cell, key_len, backend);
                jobs::gmac(cell, key_len, move |key| with(key).map(Gmac))
            }
            Kind::Mac(Mac::Poly1305) => {
                let backend = backend.to_owned();
                jobs::mac(cell, move |key| {
                    let key = key.try_into().expect("32 bytes");
                    let running = Poly1305::with_backend(&key, &backend).map_err(unavailable)?;
                    Ok(OneTime { key, running })
                })
            }
            Kind::Mac(Mac::Cmac { key_len }) if batch => {
                let many = CmacMany::new(&jobs::keys(cell, key_len), backend);
                Ok(jobs::hash_calls(cell, many.map_err(unavailable)?))
            }
            Kind::Mac(Mac::Cmac { key_len }) => {
                let with = with!(aes_cmac::Key, cell, key_len, backend);
                jobs::mac(cell, move |key| with(key).map(Cmac))
            }
            Kind::Mac(Mac::Hmac(function)) => {
                let row = functions::of(function).ok_or_else(lacks)?;
                row.hmac.as_ref().ok_or_else(lacks)?.of(batch)(cell, backend)
            }
            Kind::Ed25519(op) => curves::ed25519(cell, op, backend, batch),
            Kind::X25519(op) => curves::x25519(cell, op, backend, batch),
            Kind::EcdhP256(op) => nist::ecdh(cell, op, backend, batch),
            Kind::EcdsaP256(op) => nist::ecdsa(cell, op, backend, batch),
            Kind::Rsa { op, .. } => rsa::job(cell, op, backend, batch),
            Kind::Hash(function) => {
                functions::of(function).ok_or_else(lacks)?.hash.of(batch)(cell, backend)
            }
            _ => Err(lacks()),
        }
    }
}

/// The row of a plain loop over a batch, one message a call: lanes must not be slower than it.
const ONE_BY_ONE: &str = "one by one";

/// Whether a batch call takes messages in the library's own form. The serial loop uses the same form: a loop
/// with a fixed key and other buffers would be a different program.
fn has_messages(kind: &Kind, mode: Mode) -> bool {
    if mode != Mode::Message {
        return false;
    }
    match kind {
        Kind::Ctr { .. } | Kind::Xts { .. } => true,
        Kind::Cbc { direction, .. } => *direction == Direction::Encrypt,
        Kind::Gcm { op, .. } | Kind::Ccm { op, .. } | Kind::ChaChaPoly { op } => {
            matches!(op, AeadOp::Seal | AeadOp::Open)
        }
        _ => false,
    }
}

/// Whether that many messages are processed in parallel.
fn has_lanes(task: &Task, count: usize) -> bool {
    let first = |count| backends(task, count).first().map(|info| info.name);
    first(count) != first(1)
}

/// The backends of a task, including those that cannot run here.
fn backends(task: &Task, count: usize) -> &'static [Info] {
    match task.kind {
        Kind::Ctr { .. } if count > 1 => aes_ctr::PRIMITIVE_MANY.backends,
        Kind::Ctr { .. } => aes_ctr::PRIMITIVE.backends,
        Kind::Cbc { direction: Direction::Encrypt, .. } if count > 1 => {
            aes_cbc::PRIMITIVE_MANY.backends
        }
        Kind::Cbc { .. } => aes_cbc::PRIMITIVE.backends,
        Kind::Ecb { .. } => aes_ecb::PRIMITIVE.backends,
        Kind::Xts { .. } if count > 1 => aes_xts::PRIMITIVE_MANY.backends,
        Kind::Xts { .. } => aes_xts::PRIMITIVE.backends,
        Kind::KeyWrap { .. } => aes_kw::PRIMITIVE.backends,
        Kind::Gcm { op: AeadOp::Seal | AeadOp::Open, .. } if count > 1 => {
            aes_gcm::PRIMITIVE_MANY.backends
        }
        Kind::Gcm { .. } | Kind::Gmac { .. } => aes_gcm::PRIMITIVE.backends,
        Kind::Ccm { op: AeadOp::Seal | AeadOp::Open, .. } if count > 1 => {
            aes_ccm::PRIMITIVE_MANY.backends
        }
        Kind::Ccm { .. } => aes_ccm::PRIMITIVE.backends,
        Kind::Records { function, .. } if count > 1 => match function {
            Function::Sha1 => cbc_hmac::PRIMITIVE_SHA1_MANY.backends,
            _ => cbc_hmac::PRIMITIVE_SHA256_MANY.backends,
        },
        Kind::Records { .. } => cbc_hmac::PRIMITIVE_SHA256.backends,
        Kind::Fill => random::PRIMITIVE.backends,
        Kind::Ed25519(_) if count > 1 => ed25519::PRIMITIVE_MANY.backends,
        Kind::Ed25519(_) => ed25519::PRIMITIVE.backends,
        Kind::X25519(_) if count > 1 => x25519::PRIMITIVE_MANY.backends,
        Kind::X25519(_) => x25519::PRIMITIVE.backends,
        Kind::EcdhP256(_) | Kind::EcdsaP256(_) if count > 1 => p256::PRIMITIVE_MANY.backends,
        Kind::EcdhP256(_) | Kind::EcdsaP256(_) => p256::PRIMITIVE.backends,
        Kind::Rsa { .. } if count > 1 => ropewalk::rsa::PRIMITIVE_MANY.backends,
        Kind::Rsa { .. } => ropewalk::rsa::PRIMITIVE.backends,
        Kind::ChaCha20 => chacha20::PRIMITIVE.backends,
        Kind::ChaChaPoly { op: AeadOp::Seal | AeadOp::Open } if count > 1 => {
            chacha20_poly1305::PRIMITIVE_MANY.backends
        }
        Kind::ChaChaPoly { .. } => chacha20_poly1305::PRIMITIVE.backends,
        Kind::Mac(Mac::Poly1305) => poly1305::PRIMITIVE.backends,
        Kind::Mac(Mac::Cmac { .. }) if count > 1 => aes_cmac::PRIMITIVE_MANY.backends,
        Kind::Mac(Mac::Cmac { .. }) => aes_cmac::PRIMITIVE.backends,
        Kind::Mac(Mac::Hmac(function)) | Kind::Hash(function) => {
            functions::of(function).map_or(&[], |row| row.backends.of(count > 1))
        }
        _ => &[],
    }
}

/// Why a backend cannot run here.
fn lacking(info: &Info) -> Unavailable {
    let needed = |feature: &&Feature| {
        feature.arch == std::env::consts::ARCH && info.features.contains(&feature.name)
    };
    let names = |of: fn(&Feature) -> bool| {
        let names = cpu::FEATURES.iter().filter(needed).filter(|feature| of(feature));
        names.map(|feature| feature.name).collect::<Vec<_>>().join(", ")
    };
    let missing = names(|feature| !feature.present());
    Unavailable(match missing.is_empty() {
        true => format!("switched off: {}", names(Feature::masked)),
        false => format!("this processor lacks {missing}"),
    })
}

fn unavailable(error: ropewalk::Error) -> Unavailable {
    Unavailable(error.to_string())
}

/// The generator that users call.
struct ThreadRandom;

impl jobs::Fill for ThreadRandom {
    fn fill(&mut self, out: &mut [u8]) {
        random::fill(out).expect("the operating system has random bytes");
    }
}

/// A generator with another backend, which is not reseeded.
struct Seeded(CtrDrbg);

impl jobs::Fill for Seeded {
    fn fill(&mut self, out: &mut [u8]) {
        for piece in out.chunks_mut(random::LONGEST_REQUEST) {
            self.0.generate(&[], piece).expect("not too many requests");
        }
    }
}
