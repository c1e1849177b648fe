//! Commands of the lab, as processes: what they read is damaged, and they end by themselves and without a panic.

use std::{
    env, fs,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{Calls, OTHERS, damage};
use crate::Case;

/// The status of a program that has panicked.
const PANICKED: i32 = 101;

/// Values of variables that masks are read from, and whose they are.
const MASKS: &[(&str, &str)] = &[
    ("openssl-3.0", "~0x200000200000000:~0x0"),
    ("openssl-1.1", ":~0x20000000"),
    ("boringssl", "~0x1000000000000000"),
    ("libgcrypt", "intel-aesni,intel-vaes-vpclmul"),
    ("gnutls", "0x2"),
    ("nettle", "x86_64,aesni,sha_ni"),
    ("botan", "aesni,ssse3"),
];

/// Runs one of them. Where the lab has not been built, there is none.
pub(super) fn command(case: &mut Case<'_>, calls: &mut Calls) {
    let Some(lab) = program() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(lab);
    let at = |name: &str| folder.path().join(name);
    match case.below(5) {
        0 => {
            damaged(case, "run.jsonl", &at("run.jsonl"));
            command.arg("compare").args([at("run.jsonl"), at("run.jsonl")]);
        }
        1 => {
            fs::create_dir(at("kept")).expect("a folder");
            damaged(case, "kept/machine.json", &at("kept/machine.json"));
            damaged(case, "kept/rows.csv.xz", &at("kept/rows.csv.xz"));
            command.arg("compare").args([at("kept"), Path::new(OTHERS).join("run.jsonl")]);
        }
        2 => {
            damaged(case, "sums", &at("sums"));
            command.arg("sum").arg("--check").arg(at("sums")).current_dir(OTHERS);
            if case.below(2) == 0 {
                command.args(["--strict", "--warn"]);
            }
        }
        3 => {
            let (whose, value) = case.pick(MASKS);
            // An argument has no zero within.
            let mut value = damage::of(case, value.as_bytes().to_vec());
            value.retain(|byte| *byte != 0);
            let value = String::from_utf8_lossy(&value).into_owned();
            command.args(["mask", "--for", whose, "--", &value]);
        }
        _ => {
            damaged(case, "kept/rows.csv.xz", &at("file"));
            command.arg("doctor").arg(at("file"));
        }
    }
    calls.begin(|| format!("{command:?}"));
    command.stdin(Stdio::null());
    let ended = command.output().expect("the lab starts");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.signal(), None, "{said}");
    assert_ne!(ended.status.code(), Some(PANICKED), "{said}");
}

/// Writes a damaged copy of a file.
fn damaged(case: &mut Case<'_>, name: &str, to: &Path) {
    let bytes = fs::read(Path::new(OTHERS).join(name)).expect("a file of the tree");
    fs::write(to, damage::of(case, bytes)).expect("a copy");
}

/// The lab's command, which is built where this program is.
fn program() -> Option<PathBuf> {
    let here = env::current_exe().ok()?;
    // Tests are in a folder below.
    let mut folders = here.ancestors().skip(1).take(2);
    folders.find_map(|folder| Some(folder.join("ropewalk")).filter(|lab| lab.is_file()))
}
