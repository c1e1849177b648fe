//! A mask hides the intended features from a library and no others, and its results stay right.

mod common;

use std::{
    env,
    ffi::{CStr, c_char, c_int},
    thread,
};

use common::{cells, libraries, peer, this_program, wrong_cells};
use libloading::os::unix::Library;

/// The library that the child must open.
const LIBRARY: &str = "ROPEWALK_TEST_LIBRARY";

/// The peer that opens it.
const PEER: &str = "ROPEWALK_TEST_PEER";

const MASKS: [&str; 7] = ["-aes", "-sha", "-sha2", "-vaes", "-avx512f", "-avx", "all"];

#[test]
fn masked_library_is_still_right() {
    if let (Ok(name), Ok(library)) = (env::var(PEER), env::var(LIBRARY)) {
        return child(&name, &library);
    }
    for name in
        ["libcrypto", "libgcrypt", "nettle", "gnutls", "ipsec-mb", "botan", "aws-lc-rs", "nss"]
    {
        let peer = peer(name);
        for library in libraries(peer) {
            let Ok(opened) = peer.open(&library) else { continue };
            let version = opened.version();
            let bare = run(name, &library, &[]);
            thread::scope(|scope| {
                for list in MASKS {
                    let (library, version, bare) = (&library, &version, &bare);
                    scope.spawn(move || hides_what_it_should(name, library, version, list, bare));
                }
            });
        }
    }
}

/// Compares a library under a mask with the same library without one.
fn hides_what_it_should(name: &str, library: &str, version: &str, list: &str, bare: &Said) {
    let features: Vec<_> =
        ropewalk::cpu::masked_by(list).expect("it is known").map(|f| f.name).collect();
    let mask = match peer(name).mask(version, &features) {
        Ok(mask) => mask,
        Err(reason) => return eprintln!("{name} {library}: {list}: {reason}"),
    };
    let masked = run(name, library, &mask);
    eprintln!("{name} {library} {list}: {mask:?}");
    assert_eq!(bare.wrong, masked.wrong, "{name} {library} {list}");
    // GnuTLS uses nettle for some algorithms, which has its own variable; NSS has a variable for
    // each feature.
    let variables = mask.len();
    assert!(name == "nss" || variables == if name == "gnutls" { 2 } else { 1 }, "{name}: {mask:?}");
    match (name, &bare.goes_by, &masked.goes_by) {
        // OpenSSL reports since 3.0 the features that it uses.
        ("libcrypto", Some(bare), Some(masked)) => {
            assert_hidden(&hex_words(bare), &hex_words(masked), &mask[0].1);
        }
        ("libgcrypt", Some(bare), Some(masked)) => {
            let hidden: Vec<_> = mask[0].1.split(':').collect();
            let left = bare.split(':').filter(|name| !hidden.contains(name));
            assert!(left.eq(masked.split(':')), "{list}: {bare}, then {masked}");
        }
        ("nettle", Some(_), Some(masked)) => {
            let left = mask[0].1.split(',').filter(|word| *word != "none");
            assert!(left.eq(masked.split(',')) || mask[0].1 == "none", "{masked}");
        }
        ("gnutls", Some(bare), Some(masked)) => {
            assert!(bare.lines().count() >= masked.lines().count(), "{list}: {bare}{masked}");
            let gone: &[&str] = match list {
                "-aes" => &["AES", "GCM"],
                "-sha" | "-sha2" => &["SHA1", "SHA2", "Intel SHA"],
                "all" => &["detected"],
                _ => &[],
            };
            // Masks for the other architecture hide nothing.
            let hides = mask[0].1 != "0";
            let left = gone.iter().find(|part| hides && masked.contains(**part));
            assert_eq!(left, None, "{list}: {masked}");
        }
        _ => {}
    }
}

/// The features under a mask are those without it, minus the hidden ones.
fn assert_hidden(bare: &[u64], masked: &[u64], mask: &str) {
    let given = hex_words(mask);
    assert_eq!(bare.len(), given.len(), "{mask}: every word must be written");
    if mask.starts_with('~') {
        let want: Vec<_> = bare.iter().zip(given).map(|(bare, hidden)| bare & !hidden).collect();
        // The fifth word is zero without AVX10.
        let words = want.len().min(4);
        assert_eq!(masked[..words], want[..words], "{mask}");
    } else {
        assert_eq!(masked, given, "{mask}");
        // Older versions do not detect the features of the higher bits.
        assert_eq!(given[0] & !bare[0] & 0x7f, 0, "{mask}: the processor lacks some of it");
    }
}

/// A child's report on a library.
struct Said {
    /// The missing or wrong results.
    wrong: String,
    /// The features that the library uses, as it reports them.
    goes_by: Option<String>,
}

/// Lets a child check the results of a library under a mask.
fn run(name: &str, library: &str, mask: &[(String, String)]) -> Said {
    let output = this_program()
        .args(["masked_library_is_still_right", "--exact", "--nocapture"])
        .env(PEER, name)
        .env(LIBRARY, library)
        .env("NETTLE_FAT_VERBOSE", "1")
        .env("GNUTLS_DEBUG_LEVEL", "2")
        .envs(mask.iter().map(|(name, value)| (name, value)))
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{library} {mask:?}: {} {errors}", output.status);
    let after = |text: &str, mark: &str| {
        let (_, rest) = text.split_once(mark)?;
        Some(rest.split_whitespace().next().unwrap_or_default().to_owned())
    };
    // GnuTLS prints the features that it has found, one per line; its nettle also prints its own.
    let detected: String = errors
        .lines()
        .filter(|line| line.ends_with("was detected"))
        .map(|line| format!("{line}\n"))
        .collect();
    Said {
        wrong: after(&text, "WRONG: ").expect("it says it"),
        goes_by: after(&text, "CPUINFO: OPENSSL_")
            .map(|words| words.split_once('=').expect("a value").1.to_owned())
            .or_else(|| after(&text, "hwflist:").map(|list| list.trim_end_matches(':').to_owned()))
            .or_else(|| (name == "gnutls").then_some(detected))
            .or_else(|| after(&errors, "libnettle: cpu features: ")),
    }
}

fn hex_words(text: &str) -> Vec<u64> {
    let digits = text.split(':').map(|word| word.trim_start_matches('~').trim_start_matches("0x"));
    digits.map(|digits| u64::from_str_radix(digits, 16).expect("hexadecimal")).collect()
}

fn child(name: &str, library: &str) {
    let opened = peer(name).open(library).expect("the parent has opened it");
    // Under a mask too, a batch is a sequence of single messages.
    let cells = cells().filter(|cell| cell.count == 1);
    let mut wrong = wrong_cells(name, &*opened, cells);
    // Tasks that a mask removes entirely are not wrong.
    wrong.retain(|lack| !lack.ends_with("only by AES instructions"));
    println!("WRONG: {}", wrong.join(", ").replace(' ', "_") + ".");
    match name {
        "libcrypto" => println!("{}", processor(library)),
        "libgcrypt" => println!("{}", hardware_features(library)),
        _ => {}
    }
}

/// libgcrypt's report on the processor.
fn hardware_features(library: &str) -> String {
    // SAFETY: it is loaded already, so this runs nothing.
    let library = unsafe { Library::new(library) }.expect("it is loaded");
    type Ask = unsafe extern "C" fn(c_int, *const c_char) -> *mut c_char;
    // SAFETY: the type is that of the public header.
    let ask = unsafe { library.get::<Ask>("gcry_get_config") }.expect("a public name");
    // SAFETY: this is the name of an item.
    let text = unsafe { ask(0, c"hwflist".as_ptr()) };
    // SAFETY: it is a string, which is left to the end of the process.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// The library's report on the processor.
fn processor(library: &str) -> String {
    // SAFETY: it is loaded already, so this runs nothing.
    let library = unsafe { Library::new(library) }.expect("it is loaded");
    // SAFETY: the type is that of the public header.
    let ask =
        unsafe { library.get::<unsafe extern "C" fn(c_int) -> *const c_char>("OpenSSL_version") };
    let ask = ask.expect("the peer has found it");
    const OPENSSL_CPU_INFO: c_int = 9;
    // SAFETY: any number is a valid argument.
    let text = unsafe { ask(OPENSSL_CPU_INFO) };
    // SAFETY: it is a string that lives as long as the library.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_string_lossy().into_owned()
}
