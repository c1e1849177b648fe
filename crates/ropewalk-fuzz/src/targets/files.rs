//! Damaged copies of files and words for what reads them: `doctor` in this process, and other commands of the lab in one of their
//! own. Nothing may end by a panic or a signal.

mod damage;
mod lab;

use std::{fs, path::Path, sync::OnceLock};

use super::Calls;
use crate::{Case, inspect};

/// Small files of every kind that `doctor` reads.
const BINARIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/inspect");
/// A run, one that is kept as a folder, and a list of checksums.
const OTHERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/files");

/// What is read in another process takes thousands of times as long.
const SELDOM: usize = 40;

/// Values of `ROPEWALK_CPU`.
const WORDS: &[&str] = &["-aes,-vaes", "all", "avx512f, -sha ,,", "-pclmulqdq,-avx2", ""];

pub(super) fn run(case: &mut Case<'_>) {
    let mut calls = Calls::new("what reads files");
    if case.rarely(8) {
        let words = case.pick(WORDS).as_bytes().to_vec();
        let words = damage::of(case, words);
        let words = String::from_utf8_lossy(&words).into_owned();
        calls.begin(|| format!("the mask {words:?}"));
        _ = ropewalk::cpu::masked_by(&words).map(Iterator::count);
    } else if case.rarely(SELDOM) {
        lab::command(case, &mut calls);
    } else {
        let (name, file) = &binaries()[case.below(binaries().len())];
        let damaged = damage::of(case, file.clone());
        calls.begin(|| format!("{name}, damaged, {} bytes", damaged.len()));
        if let Err(why) = inspect::of_bytes(&damaged) {
            let why = format!("{why:#}");
            assert!(!why.is_empty() && !why.contains('\n'), "one line says why: {why:?}");
        }
    }
}

fn binaries() -> &'static [(String, Vec<u8>)] {
    static ALL: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    ALL.get_or_init(|| files(Path::new(BINARIES)))
}

/// The files of a folder by their names.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder of the tree").flatten();
    let read = |entry: fs::DirEntry| {
        let bytes = fs::read(entry.path()).expect("a file of the tree");
        (entry.file_name().to_string_lossy().into_owned(), bytes)
    };
    let mut all: Vec<_> = entries.filter(|entry| entry.path().is_file()).map(read).collect();
    all.sort();
    all
}
