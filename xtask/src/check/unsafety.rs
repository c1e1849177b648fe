//! The places that may use `unsafe`.

use std::{collections::BTreeSet, fs, path::Path};

use anyhow::Result;

use crate::sources::{self, Backend, LIBRARY};

/// Places that may use `unsafe`, and the reason. A folder ends with a slash.
const PLACES: &[(&str, &str)] = &[
    (
        "crates/ropewalk/src/core/cpu.rs",
        "`kernel!` enters a function whose instructions a token proves",
    ),
    ("crates/ropewalk/src/core/backend/", "an engine calls the functions of the backend it holds"),
    (
        "crates/ropewalk/src/core/simd/",
        "vectors behind tokens; loads and stores of whole arrays; a barrier to reordering by LLVM",
    ),
    ("crates/ropewalk/src/core/block.rs", "a load that the compiler must not join with others"),
    ("crates/ropewalk/src/core/opaque.rs", "empty `asm!`, which hides a value from the compiler"),
    (
        "crates/ropewalk/src/aeads/chacha20_poly1305/x86_64/interleaved/rounds.rs",
        "`asm!` of rounds of ChaCha20 and products of Poly1305, which fill all registers",
    ),
    ("crates/ropewalk/src/aeads/aes_gcm/arm/ghash.rs", NEON),
    ("crates/ropewalk/src/aes/arm/", NEON),
    (
        "crates/ropewalk/src/chacha/poly1305/x86_64/flags.rs",
        "sums of words: `asm!` for carries, which the compiler does not leave in the flag",
    ),
    ("crates/ropewalk/src/hashes/sha1/scheduled.rs", ROUNDS),
    ("crates/ropewalk/src/hashes/sha2.rs", ROUNDS),
    ("crates/ropewalk/src/hashes/sha512/x86_64/among.rs", ROUNDS),
    ("crates/ropewalk/src/hashes/sm3/scheduled.rs", ROUNDS),
    ("crates/ropewalk/src/core/secret.rs", "wiping"),
    ("crates/ropewalk/src/core/secret/", "registers that are cleared"),
    ("crates/ropewalk/src/core/timing.rs", "a processor mode for data-independent timing"),
    ("crates/ropewalk/src/core/tuning.rs", "the model of the Arm core, as the kernel reports it"),
    (
        "crates/ropewalk/src/public/rsa/x86_64/",
        "`asm!` of products of 52 bits, whose order LLVM would change",
    ),
    ("crates/ropewalk/src/random/fork.rs", "a page that the kernel wipes in a child"),
    ("crates/ropewalk/src/core/text.rs", "an input and an output that may be the same bytes"),
    ("crates/ropewalk/tests/allocations.rs", "tests only: an allocator that counts"),
    ("crates/ropewalk/tests/fork.rs", "tests only: a process that forks"),
    (
        "crates/ropewalk/tests/kept.rs",
        "tests only: registers are filled, and looked at after a call",
    ),
    ("crates/ropewalk/tests/common/stack.rs", "tests only: reads the stack below a frame"),
    ("crates/ropewalk/tests/nets/wiped.rs", "tests only: reads the memory of a dropped value"),
    ("crates/ropewalk/tests/common/guarded.rs", "tests only: pages that fault when touched"),
    ("crates/ropewalk/tests/common/masked.rs", "tests only: a mask before the first test"),
    ("xtask/src/mutate/fault.rs", "a variable of the environment that is read before `main`"),
    ("crates/ropewalk/tests/common/repeated.rs", "tests only: pages that are mapped many times"),
    ("crates/ropewalk-bare/", "a program that C's start-up code calls"),
    ("crates/ropewalk-c/", "a C interface: pointers and lengths from outside"),
    ("crates/ropewalk-openssl/", "the interface of OpenSSL's providers: pointers from outside"),
    (
        "crates/ropewalk-openssl-loader/",
        "the interface of OpenSSL's providers: pointers from outside, and a module that is loaded",
    ),
    (
        "crates/ropewalk-predict/src/plain/",
        "loops to compare kernels with, on processors whose features were checked",
    ),
    ("crates/ropewalk-ct/src/marks.rs", "requests to the tools that track secrets"),
    ("crates/ropewalk-ct/src/planted.rs", "leaks on purpose, one in a kernel"),
    ("crates/ropewalk-ct/src/residue.rs", "stacks and registers are looked at"),
    ("crates/ropewalk-ct/src/residue/", "functions of the C library are called"),
    ("crates/ropewalk-ct/src/trace/", "a child process steps through its own instructions"),
    (
        "crates/ropewalk-fuzz/src/targets/c_header/library.rs",
        "the C library is loaded, and its functions are called",
    ),
    ("crates/ropewalk-lab/src/stdio.rs", "a look at standard files before `main`"),
    ("crates/ropewalk-lab/", "calls of libraries under measurement; instructions that are timed"),
];

/// The reason for code that backends share.
const ROUNDS: &str = "rounds of backends: `asm!` in an order that the compiler does not keep";

/// The reason for what backends of 32-bit Arm share.
const NEON: &str = "kernels of 32-bit Arm: `asm!` with a token, as its intrinsics are unstable";

/// The reason for a backend.
const BACKEND: &str = "a backend: `asm!` where the compiler cannot reach the limit, or a key that is made where it stays";

/// A file with `unsafe`.
pub(super) struct Row {
    pub(super) file: String,
    pub(super) lines: Vec<usize>,
    /// `None` if the file may not have `unsafe`.
    pub(super) why: Option<&'static str>,
}

/// Every file with `unsafe`.
pub(super) fn rows(root: &Path) -> Result<Vec<Row>> {
    let lists = sources::lists(root)?;
    let backends: BTreeSet<_> =
        lists.iter().flat_map(|list| &list.backends).map(Backend::file).collect();
    let why = |file: &str| {
        let fits = |place: &str| file == place || place.ends_with('/') && file.starts_with(place);
        let place = PLACES.iter().find(|(place, _)| fits(place)).map(|(_, why)| *why);
        place.or(backends.contains(file).then_some(BACKEND))
    };
    let mut rows = Vec::new();
    for file in sources::rust_files(root, "")? {
        let lines = sources::unsafes(root, &file)?;
        if !lines.is_empty() {
            rows.push(Row { why: why(&file), file, lines });
        }
    }
    Ok(rows)
}

/// Assembly outside of functions is not allowed: the compiler does not enforce the calling convention there.
const OUTSIDE_OF_FUNCTIONS: [&str; 2] = ["global_asm!(", "#[unsafe(naked)]"];

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    complaints.extend(on_arm(root)?);
    for Row { file, lines, why } in rows(root)? {
        if why.is_none() {
            complaints.push(format!("{file}:{}: may not have unsafe", lines[0]));
        }
        if !file.starts_with("crates/ropewalk/") {
            continue;
        }
        let text = fs::read_to_string(root.join(&file))?;
        let found = OUTSIDE_OF_FUNCTIONS.iter().filter(|words| text.contains(*words));
        complaints.extend(found.map(|words| format!("{file}: may not have {words}")));
    }
    Ok(complaints)
}

/// Where assembly of 32-bit Arm is entered.
const NEON_ASM: &str = "crates/ropewalk/src/core/simd/arm.rs";

/// What its kernels may not have. The compiler ignores q registers of that target without a word, so that d8 to d15 would not be kept
/// for a caller; and a kernel that names an assembler's unit has not shown a token.
const NOT_ON_ARM: [&str; 4] = ["out(\"q", "out(\"d", ".fpu", " asm!("];

fn on_arm(root: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for file in sources::rust_files(root, LIBRARY)? {
        let is_arm = file.contains("/arm/") || file.ends_with("/arm.rs");
        if is_arm && file != NEON_ASM {
            let text = fs::read_to_string(root.join(&file))?;
            let found = NOT_ON_ARM.iter().filter(|words| text.contains(*words));
            complaints.extend(found.map(|words| format!("{file}: may not have {words}")));
        }
    }
    Ok(complaints)
}
