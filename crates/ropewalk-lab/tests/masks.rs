//! A mask hides from a library what it should, nothing else, and its answers stay right.

mod common;

use std::{
    env,
    ffi::{CStr, c_char, c_int},
};

use common::{peer, this_program, wrong_cells};
use libloading::os::unix::Library;

/// Tells the child which library it is to open.
const LIBRARY: &str = "ROPEWALK_TEST_LIBRARY";

#[test]
fn masked_library_is_still_right() {
    if let Ok(library) = env::var(LIBRARY) {
        return child(&library);
    }
    let libcrypto = peer("libcrypto");
    let expected = env::var("ROPEWALK_EXPECT_PEERS").unwrap_or_default();
    let paths = expected.split(',').filter(|name| name.contains('/'));
    for library in libcrypto.libraries().iter().copied().chain(paths) {
        let Ok(opened) = libcrypto.open(library) else { continue };
        let bare = words(library, None);
        for list in ["-aes", "-sha", "-sha2", "-avx512f", "-avx", "all"] {
            let features: Vec<_> =
                ropewalk::cpu::masked_by(list).expect("it is known").map(|f| f.name).collect();
            let mask = match libcrypto.mask(&opened.version(), &features) {
                Ok(mask) => mask,
                Err(reason) => {
                    eprintln!("{library}: {reason}");
                    continue;
                }
            };
            eprintln!("{library} {list}: {mask:?}");
            let masked = words(library, Some(&mask[0]));
            // OpenSSL says since 3.0 what it goes by.
            if let (Some(bare), Some(masked)) = (&bare, masked) {
                assert_hidden(bare, &masked, &mask[0].1);
            }
        }
    }
}

/// What the library goes by under a mask is what it goes by without, less what the mask hides.
fn assert_hidden(bare: &[u64], masked: &[u64], mask: &str) {
    let given = hex_words(mask);
    assert_eq!(bare.len(), given.len(), "{mask}: every word must be written");
    if mask.starts_with('~') {
        let want: Vec<_> = bare.iter().zip(given).map(|(bare, hidden)| bare & !hidden).collect();
        // The fifth word goes when AVX10 does.
        let words = want.len().min(4);
        assert_eq!(masked[..words], want[..words], "{mask}");
    } else {
        assert_eq!(masked, given, "{mask}");
        // Older versions do not look for the features of the higher bits.
        assert_eq!(given[0] & !bare[0] & 0x7f, 0, "{mask}: the processor lacks some of it");
    }
}

/// Has a child check the answers of a library under a mask, and gives the capability words that
/// the library goes by there.
fn words(library: &str, mask: Option<&(String, String)>) -> Option<Vec<u64>> {
    let output = this_program()
        .args(["masked_library_is_still_right", "--exact", "--nocapture"])
        .env(LIBRARY, library)
        .envs(mask.map(|(name, value)| (name, value)))
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{library} {mask:?}: {} {errors}", output.status);
    let (_, words) = text.split_once("CPUINFO: OPENSSL_")?;
    Some(hex_words(words.split_once('=')?.1.split_whitespace().next()?))
}

fn hex_words(text: &str) -> Vec<u64> {
    let digits = text.split(':').map(|word| word.trim_start_matches('~').trim_start_matches("0x"));
    digits.map(|digits| u64::from_str_radix(digits, 16).expect("hexadecimal")).collect()
}

fn child(library: &str) {
    let opened = peer("libcrypto").open(library).expect("the parent has opened it");
    assert_eq!(wrong_cells(&*opened), [""; 0]);
    println!("{}", processor(library));
}

/// What the library says of the processor.
fn processor(library: &str) -> String {
    // SAFETY: it is loaded already, so this runs nothing.
    let library = unsafe { Library::new(library) }.expect("it is loaded");
    // SAFETY: the type is that of the public header.
    let ask =
        unsafe { library.get::<unsafe extern "C" fn(c_int) -> *const c_char>("OpenSSL_version") };
    let ask = ask.expect("the peer has found it");
    const OPENSSL_CPU_INFO: c_int = 9;
    // SAFETY: any number may be asked for.
    let text = unsafe { ask(OPENSSL_CPU_INFO) };
    // SAFETY: it is a string that lives as long as the library.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_string_lossy().into_owned()
}
