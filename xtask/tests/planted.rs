//! Each check must see the violation it is for: one is planted in a copy of the tree.

use std::{fs, path::Path};

use tempfile::TempDir;
use xtask::{
    check::{self, CHECKS},
    sources,
    stage::CannotRun,
};

const LIB: &str = "crates/ropewalk/src/lib.rs";
const SHA256: &str = "crates/ropewalk/src/hashes/sha256/mod.rs";
const SHANI: &str = "crates/ropewalk/src/hashes/sha256/x86_64/shani.rs";
const EXTRA: &str = "crates/ropewalk/src/hashes/sha256/x86_64/extra.rs";

#[test]
fn tree_as_it_is_holds() {
    let copy = Copy::new();
    for check in CHECKS {
        assert_eq!(copy.complaints(check.name), [""; 0], "{}", check.name);
    }
}

#[test]
fn arrow_from_the_library() {
    let copy = Copy::new();
    copy.append(
        "crates/ropewalk/Cargo.toml",
        "\n[dev-dependencies.ropewalk-lab]\npath = \"../ropewalk-lab\"\n",
    );
    copy.must_complain("arrows", "ropewalk may not depend on ropewalk-lab");
}

#[test]
fn modules_that_import_each_other() {
    let copy = Copy::new();
    copy.append("crates/ropewalk-lab/src/measure/clock.rs", "\nuse crate::warn::Warning as _;\n");
    copy.must_complain(
        "modules",
        "crates/ropewalk-lab/src: modules import each other: measure -> warn",
    );

    let copy = Copy::new();
    copy.append("crates/ropewalk-lab/src/commands/plan.rs", "\nuse super::speed::Speed as _;\n");
    copy.must_complain("modules", "crates/ropewalk-lab/src/commands: modules import each other");

    let copy = Copy::new();
    copy.append("xtask/src/tools/apt.rs", "\nuse crate::external::peers as _;\n");
    copy.must_complain("modules", "xtask/src: modules import each other");
}

#[test]
fn header_that_is_not_of_its_functions() {
    let copy = Copy::new();
    copy.replace("crates/ropewalk-c/src/hash.rs", "digest_len: usize,", "digest_size: usize,");
    copy.must_complain("header", "ropewalk.h is not what its sources say");
}

#[test]
fn fault_whose_place_is_gone() {
    let copy = Copy::new();
    copy.replace(
        "crates/ropewalk/src/core/tag.rs",
        "(difference >> 64) as u64",
        "(difference >> 64)",
    );
    copy.must_complain(
        "faults",
        "tag/half-compared: crates/ropewalk/src/core/tag.rs has its snippet 0 times",
    );
}

#[test]
fn fault_whose_test_has_another_name() {
    let copy = Copy::new();
    copy.replace("crates/ropewalk/tests/left.rs", "fn ends_of_messages", "fn ends_of_texts");
    copy.must_complain("faults", "no test has the name of its suite, left ends_of_messages");
}

#[test]
fn fault_for_a_backend_that_is_in_no_list() {
    let copy = Copy::new();
    copy.replace(SHA256, "\"x86_64/shani\"", "\"x86_64/sha_ni\"");
    copy.must_complain("faults", "needs sha256/x86_64/shani, which is in no list");
}

#[test]
fn arrow_from_a_crate_that_has_none() {
    let copy = Copy::new();
    copy.append("xtask/Cargo.toml", "\n[build-dependencies]\nropewalk.workspace = true\n");
    copy.must_complain("arrows", "xtask may not depend on ropewalk");
}

#[test]
fn arrow_that_only_tests_may_have() {
    let copy = Copy::new();
    copy.replace(
        "crates/ropewalk-lab/Cargo.toml",
        "\n[dependencies]\n",
        "\n[dependencies]\nropewalk-openssl = { path = \"../ropewalk-openssl\" }\n",
    );
    copy.must_complain("arrows", "ropewalk-lab may not depend on ropewalk-openssl");
}

#[test]
fn line_without_a_file() {
    let copy = Copy::new();
    fs::remove_file(copy.path(SHANI)).unwrap();
    copy.must_complain("names", &format!("sha256/x86_64/shani has no file {SHANI}"));
}

#[test]
fn line_with_the_type_of_another_file() {
    let copy = Copy::new();
    copy.replace(SHA256, "Shani(x86_64::shani::Shani)", "Shani(x86_64::avx2_x8::Shani)");
    copy.must_complain("names", "sha256/x86_64/shani is made of x86_64/avx2_x8");
}

#[test]
fn list_in_the_wrong_folder() {
    let copy = Copy::new();
    let list = fs::read_to_string(copy.path(SHA256)).unwrap();
    fs::create_dir(copy.path("crates/ropewalk/src/sha257")).unwrap();
    fs::write(copy.path("crates/ropewalk/src/sha257/mod.rs"), list).unwrap();
    copy.must_complain("names", "sha257/mod.rs: its list says it is in sha256");
}

#[test]
fn backend_without_a_line() {
    let copy = Copy::new();
    fs::copy(copy.path(SHANI), copy.path(EXTRA)).unwrap();
    copy.must_complain("names", &format!("{EXTRA}: implements Compress and is in no list"));
}

#[test]
fn kernel_of_a_trait_without_a_list() {
    let copy = Copy::new();
    let text = "impl Novel for A {\n    kernel! { Avx2: fn f(&self) = A::kernel }\n}\n";
    fs::write(copy.path(EXTRA), text).unwrap();
    copy.must_complain("names", &format!("{EXTRA}: implements Novel and is in no list"));
}

#[test]
fn helper_needs_no_line() {
    let copy = Copy::new();
    let text = "impl Clone for A {}\nkernel! { Avx2: fn f(cpu) = kernel }\nimpl A {}\n";
    fs::write(copy.path(EXTRA), text).unwrap();
    assert_eq!(copy.complaints("names"), [""; 0]);
}

#[test]
fn token_without_flags() {
    let copy = Copy::new();
    copy.replace(SHA256, "needs ShaNi => Shani(", "needs Sha2Ni => Shani(");
    copy.must_complain("names", "sha256/x86_64/shani: TOKENS of xtask/src/expect.rs");
}

#[test]
fn unsafe_where_it_may_not_be() {
    let copy = Copy::new();
    copy.append(LIB, "\nfn f() {\n    unsafe { g() }\n}\n");
    copy.must_complain("unsafe", &format!("{LIB}:"));
}

#[test]
fn kernel_of_arm_that_names_vector_registers() {
    let copy = Copy::new();
    let file = "crates/ropewalk/src/chacha/chacha20/arm/neon.rs";
    copy.append(file, "\n// out(\"q4\") _\n");
    copy.must_complain("unsafe", &format!("{file}: may not have out(\"q"));
}

#[test]
fn unsafe_in_a_macro() {
    let copy = Copy::new();
    copy.append(LIB, "\nmacro_rules! f {\n    () => {\n        unsafe { g() }\n    };\n}\n");
    copy.must_complain("unsafe", &format!("{LIB}:"));
}

#[test]
fn unsafe_that_is_only_spoken_of() {
    let copy = Copy::new();
    copy.append(LIB, "\n// unsafe\n/// unsafe\nconst A: &str = \"unsafe\"; /* unsafe */\n");
    copy.append(LIB, "#[allow(unsafe_code)]\nconst B: char = 'u';\n");
    assert_eq!(copy.complaints("unsafe"), [""; 0]);
}

#[test]
fn unsafe_that_is_not_counted() {
    let copy = Copy::new();
    copy.append("crates/ropewalk/src/core/cpu.rs", "\nunsafe fn f() {}\n");
    copy.must_complain("tables", "AUDITING.md: the table `unsafe` is not what the sources say");
    check::fix(&copy.root()).unwrap_or_default();
    assert_eq!(copy.complaints("tables"), [""; 0]);
}

#[test]
fn backend_that_no_document_names() {
    let copy = Copy::new();
    copy.replace("docs/backends.md", "| `sha256/x86_64/shani` |", "| `sha256/x86_64/other` |");
    copy.must_complain("tables", "docs/backends.md: the table `backends` is not what");
    check::fix(&copy.root()).unwrap_or_default();
    assert_eq!(copy.complaints("tables"), [""; 0]);
}

#[test]
fn arrow_that_no_document_names() {
    let copy = Copy::new();
    copy.replace("ARCHITECTURE.md", "| `keyed` | `hkdf` `hmac`", "| `keyed` | `hkdf`");
    copy.must_complain("tables", "ARCHITECTURE.md: the table `wings` is not what");
}

#[test]
fn table_without_a_place() {
    let copy = Copy::new();
    copy.replace("docs/backends.md", "<!-- /backends -->", "");
    copy.must_complain("tables", "docs/backends.md: no line <!-- /backends -->");
}

#[test]
fn path_of_a_machine() {
    // Split, since this file is checked too.
    for path in [["see /wo", "rk/notes"], ["(/ro", "ot/.cargo)"], ["`/t", "mp/x`"]] {
        let copy = Copy::new();
        copy.append("README.md", &path.concat());
        copy.must_complain("paths", "README.md:");
    }
    let copy = Copy::new();
    copy.append("README.md", "`frame/work`, https://example.com/root, crates/tmp");
    assert_eq!(copy.complaints("paths"), [""; 0]);
}

#[test]
fn host_of_a_registry() {
    for host in [["http://deb.debian", ".org/debian"], ["index.crates", ".io"]] {
        let copy = Copy::new();
        copy.append("README.md", &host.concat());
        copy.must_complain("paths", "host of a registry");
    }
}

#[test]
fn record_that_is_not_there() {
    // Split, since this file is checked too.
    for name in ["zen9", "zen4/2026-01-01-all", "zen4/2026-01-01.jsonl"] {
        let path = ["records/", name].concat();
        for (file, text) in [
            ("README.md", format!("See {path}.")),
            ("docs/lab.md", format!("[it](../{path}), and")),
            (LIB, format!("\n// Measured: {path}\n")),
        ] {
            let copy = Copy::new();
            copy.append(file, &text);
            copy.must_complain("records", &format!("no record {path}"));
        }
    }
    let copy = Copy::new();
    copy.append(
        "README.md",
        "records/CPU/DATE-all, 30 records/s, `src/records/many.rs`, records/zen4",
    );
    assert_eq!(copy.complaints("records"), [""; 0]);
}

#[test]
fn file_that_is_too_large() {
    let large = ["records/", "zen4/large.csv.xz"].concat();
    for (file, kilobytes, of) in [
        (large.as_str(), 1001, "large.csv.xz has 1001 kB: at most 1000 kB"),
        ("docs/large.svg", 301, "docs/large.svg has 301 kB: at most 300 kB"),
    ] {
        let copy = Copy::new();
        copy.fill(file, kilobytes);
        copy.must_complain("weight", of);
    }
    let copy = Copy::new();
    copy.fill(&large, 300);
    copy.fill("docs/large.svg", 300);
    copy.fill("vectors/large.txt", 2000);
    copy.fill("fuzz/Cargo.lock", 400);
    assert_eq!(copy.complaints("weight"), [""; 0]);
}

#[test]
fn files_that_are_too_many() {
    let copy = Copy::new();
    (0..9).for_each(|i| copy.fill(&format!("records/zen4/{i}.csv.xz"), 900));
    copy.must_complain("weight", "records/ has 8100 kB in all: at most 8000 kB");

    let copy = Copy::new();
    copy.fill("vectors/large.txt", 30_000);
    copy.must_complain("weight", "kB in all: at most 30000 kB");
}

#[test]
fn vendor_outside_of_the_table() {
    let copy = Copy::new();
    copy.append(SHANI, "\nfn is_amd(vendor: &[u8; 12]) -> bool { vendor == b\"AuthenticAMD\" }\n");
    copy.must_complain("vendors", "only core/tuning.rs may ask for a vendor or a model");
}

#[test]
fn way_to_compute_aes_that_no_tool_has_run() {
    let copy = Copy::new();
    let file = "crates/ropewalk-lab/src/aes_options/ciphers/field.rs";
    copy.append(file, "\nconst ANOTHER: u8 = 0;\n");
    copy.must_complain("aes options", "is of other sources");
}

#[test]
fn file_that_is_not_formatted() {
    let copy = Copy::new();
    copy.append(LIB, "\nfn  f( ) { }\n");
    copy.must_complain("format", "not formatted: run `cargo fmt --all`");
}

/// A copy of the files that the checks look at.
struct Copy(TempDir);

impl Copy {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let copy = Self(tempfile::tempdir().unwrap());
        for file in sources::files(root, "").unwrap() {
            let to = copy.path(&file);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            // Data: the checks need only the names.
            if file.starts_with("vectors/") || file.starts_with("records/") {
                fs::File::create(to).unwrap();
                continue;
            }
            fs::copy(root.join(file), to).unwrap();
        }
        copy
    }

    fn root(&self) -> std::path::PathBuf {
        self.0.path().into()
    }

    fn path(&self, file: &str) -> std::path::PathBuf {
        self.0.path().join(file)
    }

    fn append(&self, file: &str, text: &str) {
        let before = fs::read_to_string(self.path(file)).unwrap();
        fs::write(self.path(file), before + text).unwrap();
    }

    fn replace(&self, file: &str, from: &str, to: &str) {
        let before = fs::read_to_string(self.path(file)).unwrap();
        assert!(before.contains(from), "{file} has no {from}");
        fs::write(self.path(file), before.replace(from, to)).unwrap();
    }

    /// A sparse file of zeros.
    fn fill(&self, file: &str, kilobytes: u64) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::File::create(path).unwrap().set_len(1000 * kilobytes).unwrap();
    }

    fn complaints(&self, name: &str) -> Vec<String> {
        self.answer(name).unwrap_or_default()
    }

    fn must_complain(&self, name: &str, of: &str) {
        let Some(complaints) = self.answer(name) else { return };
        assert!(complaints.iter().any(|complaint| complaint.contains(of)), "{complaints:#?}");
    }

    /// Empty if the check cannot run here, which its stage reports.
    fn answer(&self, name: &str) -> Option<Vec<String>> {
        let check = CHECKS.iter().find(|check| check.name == name).unwrap();
        match (check.complaints)(&self.root()) {
            Ok(complaints) => Some(complaints),
            Err(error) if error.is::<CannotRun>() => None,
            Err(error) => Some(vec![format!("{error:#}")]),
        }
    }
}
