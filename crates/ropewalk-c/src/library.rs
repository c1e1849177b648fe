//! The library itself: its version, the processor, and whether it works.

use std::{
    ffi::{CStr, c_char},
    sync::OnceLock,
};

use ropewalk::{
    PRIMITIVES,
    backend::{self, Primitive},
    cpu,
};

use crate::{
    enter::{Failure, Why, call},
    memory::string,
    names::{BACKENDS, FEATURES, PRIMITIVE_NAMES},
    status::{ropewalk_error, ropewalk_status},
};

/// The version of this header: its first part.
pub const ROPEWALK_VERSION_MAJOR: u32 = 0;
/// The second part.
pub const ROPEWALK_VERSION_MINOR: u32 = 1;
/// The last part.
pub const ROPEWALK_VERSION_PATCH: u32 = 0;

/// The version of the library that runs, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no zeros"),
        };
    VERSION.as_ptr()
}

/// The version of the library that runs, as a number that grows: major * 1000000 + minor * 1000 + patch.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_version_number() -> u32 {
    ROPEWALK_VERSION_MAJOR * 1_000_000 + ROPEWALK_VERSION_MINOR * 1_000 + ROPEWALK_VERSION_PATCH
}

/// Reads two variables of the environment: ROPEWALK_CPU, which switches processor features off as ropewalk_disable() does, and
/// ROPEWALK_TUNING, which names the class of cores to tune for, such as zen5. Calling it is only needed for these. The first call reads
/// them; later calls give the same result.
///
/// Fails with ROPEWALK_UNKNOWN where a variable has an unknown name; that variable then changes nothing.
///
/// # Safety
/// `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_init(error: *mut ropewalk_error) -> ropewalk_status {
    static READ: OnceLock<Result<(), Box<str>>> = OnceLock::new();
    call(error, || {
        static TUNED: OnceLock<Result<(), Box<str>>> = OnceLock::new();
        let read = READ.get_or_init(|| match std::env::var_os("ROPEWALK_CPU") {
            Some(list) => disable(&list.to_string_lossy()),
            None => Ok(()),
        });
        let tuned = TUNED.get_or_init(|| match std::env::var_os("ROPEWALK_TUNING") {
            Some(name) => {
                let name = name.to_string_lossy();
                ropewalk::tuning::force(&name).map_err(|_| name.into())
            }
            None => Ok(()),
        });
        read.clone().map_err(unknown_feature)?;
        tuned.clone().map_err(|name| Why::Unknown { what: "row of tuning", name }.into())
    })
}

/// Switches processor features off, for keys and states that are made afterwards. `list` has their names, as in the Rust
/// compiler, separated by commas: "-vaes,-avx512f", with or without a minus; "all" is every one. Features that build on a listed
/// one go too. Nothing is ever switched on.
///
/// Fails with ROPEWALK_UNKNOWN for an unknown name; none is then switched off.
///
/// # Safety
/// `list` is a string; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_disable(
    list: *const c_char,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: a string of the caller's, or NULL.
        let list = unsafe { string("list", list) }?;
        disable(&list.to_string_lossy()).map_err(unknown_feature)
    })
}

/// The name of a processor feature that the library knows, of any architecture, as in the Rust compiler. Indices start at 0; past
/// the last it is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_cpu_feature(index: usize) -> *const c_char {
    FEATURES.at(index)
}

/// Whether this processor has the feature of that name, and it has not been switched off: 1, or 0.
///
/// # Safety
/// `name` is a string, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_cpu_has(name: *const c_char) -> u32 {
    // SAFETY: a string of the caller's, or NULL.
    let Ok(name) = (unsafe { string("name", name) }) else { return 0 };
    let is = |feature: &cpu::Feature| {
        feature.name.as_bytes() == name.to_bytes() && feature.present() && !feature.masked()
    };
    cpu::FEATURES.iter().any(is).into()
}

/// The name of a primitive, such as "aes-gcm" or "sha256-many". Indices start at 0; past the last it is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_primitive(index: usize) -> *const c_char {
    PRIMITIVE_NAMES.at(index)
}

/// The name of the backend that keys and states of a primitive get from now on, such as "aes_gcm/x86_64/vaes512"; NULL for an
/// unknown primitive.
///
/// # Safety
/// `primitive` is a string, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_backend(primitive: *const c_char) -> *const c_char {
    // SAFETY: a string of the caller's, or NULL.
    let Ok(name) = (unsafe { string("primitive", primitive) }) else { return std::ptr::null() };
    let known = PRIMITIVES.iter().find(|known| known.name.as_bytes() == name.to_bytes());
    known.and_then(Primitive::chosen).map_or(std::ptr::null(), |chosen| BACKENDS.same(chosen.name))
}

/// The name of a backend that computes wrong answers on this processor or emulator. Keys and states do not get it: they get the
/// next one. Indices start at 0; past the last it is NULL. The first call in a process tests each backend that has not been used
/// yet: some milliseconds for all.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_wrong_backend(index: usize) -> *const c_char {
    let wrong = backend::wrong().nth(index);
    wrong.map_or(std::ptr::null(), |wrong| BACKENDS.same(wrong.name))
}

/// Tests every backend that this processor has and that is not switched off with known answers. It takes some milliseconds.
///
/// Fails with ROPEWALK_INTERNAL where one gives a wrong answer: `what` is its name.
///
/// # Safety
/// `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_self_test(error: *mut ropewalk_error) -> ropewalk_status {
    call(error, || {
        for primitive in PRIMITIVES {
            for backend in primitive.backends.iter().filter(|backend| (backend.available)()) {
                if !(primitive.self_test)(backend.name)? {
                    return Err(Why::Broken(backend.name).into());
                }
            }
        }
        Ok(())
    })
}

/// Switches features off, or returns the first unknown name.
fn disable(list: &str) -> Result<(), Box<str>> {
    let unknown = |name: &&str| cpu::masked_by(name).is_err();
    match list.split(',').map(str::trim).find(unknown) {
        Some(name) => Err(name.into()),
        None => cpu::disable(list).map_err(|_| list.into()),
    }
}

fn unknown_feature(name: Box<str>) -> Failure {
    Why::Unknown { what: "processor feature", name }.into()
}

const _: () = {
    let number =
        concat!(env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR")).as_bytes();
    let patch = env!("CARGO_PKG_VERSION_PATCH").as_bytes();
    let same = number.len() == 2
        && patch.len() == 1
        && (number[0] - b'0') as u32 == ROPEWALK_VERSION_MAJOR
        && (number[1] - b'0') as u32 == ROPEWALK_VERSION_MINOR
        && (patch[0] - b'0') as u32 == ROPEWALK_VERSION_PATCH;
    assert!(same, "the header has another version than the package");
};
