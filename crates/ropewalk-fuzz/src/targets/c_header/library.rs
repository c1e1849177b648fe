//! The library of a file, and its functions.
#![allow(unsafe_code)]

use std::{
    collections::BTreeSet,
    ffi::{CStr, c_char},
    path::Path,
    ptr,
    sync::{Mutex, OnceLock},
};

use libloading::Library;

use super::{
    LEFT_OUT,
    header::{Function, Header, Returns},
};

static LIBRARY: OnceLock<Library> = OnceLock::new();

/// The functions that have done what they are for.
static SUCCEEDED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Takes the library of that file from now on; the first that was loaded stays.
///
/// # Errors
/// Where it cannot be loaded.
pub fn load(file: &Path) -> Result<(), String> {
    // SAFETY: the library's initialisers do nothing but what a Rust library's do.
    let library = unsafe { Library::new(file) }.map_err(|error| error.to_string())?;
    LIBRARY.get_or_init(|| library);
    Ok(())
}

/// The functions that no call of this process has succeeded with, but those that are left out.
pub fn never_succeeded() -> Vec<&'static str> {
    let succeeded = SUCCEEDED.lock().expect("nothing panics with it");
    let is_missing = |name: &&str| {
        let is_left_out = LEFT_OUT.iter().any(|(left_out, _)| left_out == name);
        !succeeded.contains(*name) && !is_left_out
    };
    Header::get().functions.iter().map(|of| of.name.as_str()).filter(is_missing).collect()
}

/// The most parameters of a function.
const MOST: usize = 13;

/// A function that is given words. The C calling conventions of these machines let it ignore those that it does not have, and what
/// it takes of 32 bits is the lower half of a word.
type Call = unsafe extern "C" fn(
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
    usize,
    usize,
) -> usize;

/// Calls a function with these words, and returns what it does: a status, a number, or whether it is NULL.
pub(super) fn call(function: &Function, arguments: &[usize]) -> usize {
    assert!(arguments.len() <= MOST, "{} has too many parameters", function.name);
    let library = LIBRARY.get().expect("ROPEWALK_C_LIBRARY names the C library");
    let symbol = format!("ropewalk_{}", function.name);
    // SAFETY: each function of the header takes words and returns one, half of one, or nothing.
    let call = unsafe { library.get::<Call>(symbol.as_bytes()) }.expect("what the header has");
    let a = |i| arguments.get(i).copied().unwrap_or(0);
    // SAFETY: what the header asks of a caller holds: each pointer has as many bytes as are said, or is one that is refused.
    let returned = unsafe {
        call(a(0), a(1), a(2), a(3), a(4), a(5), a(6), a(7), a(8), a(9), a(10), a(11), a(12))
    };
    match function.returns {
        Returns::Nothing => 0,
        Returns::Status => returned & 0xffff_ffff,
        Returns::Number => returned,
        Returns::Words => {
            words(returned);
            usize::from(returned == 0)
        }
    }
}

/// The name of the hash function with that number.
pub(super) fn hash_name(number: usize) -> &'static str {
    let library = LIBRARY.get().expect("ROPEWALK_C_LIBRARY names the C library");
    // SAFETY: the header's function takes half a word and returns an address.
    let name = unsafe { library.get::<unsafe extern "C" fn(u32) -> usize>(b"ropewalk_hash_name") };
    let name = name.expect("what the header has");
    // SAFETY: it takes any number.
    words(unsafe { name(number as u32) }).expect("a number that there is")
}

/// Notes that a function has done what it is for.
pub(super) fn succeeded(function: &Function) {
    let mut all = SUCCEEDED.lock().expect("nothing panics with it");
    if !all.contains(&function.name) {
        all.insert(function.name.clone());
    }
}

/// Reads the words at an address to their end.
fn words(at: usize) -> Option<&'static str> {
    let at: *const c_char = ptr::with_exposed_provenance(at);
    if at.is_null() {
        return None;
    }
    // SAFETY: what the library returns is a string that ends with a zero and stays.
    let words = unsafe { CStr::from_ptr(at) };
    Some(words.to_str().expect("words are UTF-8"))
}
