//! A copy of the workspace with every fault planted, each behind its number.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context, Result, bail};

use super::table::Fault;
use crate::sources::{self, LIBRARY};

/// The module that says which fault is on.
const MODULE: &str = include_str!("fault.rs");

/// Faults make frames of AES-GCM larger, and so its keys sweep the stack deeper in the copy.
const DEEPER: [&str; 2] = ["USED: [usize; 2] = [2048, 2560]", "USED: [usize; 2] = [4096, 5120]"];

/// Where that is.
const SWEEPS: &str = "aes_gcm/mod.rs";

/// Makes the copy, or changes what has changed since the last one, so that cargo builds no more than that.
pub(super) fn make(root: &Path, copy: &Path, faults: &[&Fault]) -> Result<()> {
    let mut of_files = BTreeMap::<_, Vec<_>>::new();
    for (i, fault) in faults.iter().enumerate() {
        of_files.entry(fault.path()).or_default().push((i + 1, *fault));
    }
    let library = format!("{LIBRARY}/lib.rs");
    let mut made = BTreeSet::from([format!("{LIBRARY}/fault.rs")]);
    write(&copy.join(LIBRARY).join("fault.rs"), MODULE.as_bytes())?;
    for file in sources::files(root, "")? {
        let mut bytes =
            fs::read(root.join(&file)).with_context(|| format!("cannot read {file}"))?;
        if let Some(faults) = of_files.get(&file) {
            bytes = planted(&String::from_utf8(bytes)?, faults)?.into_bytes();
        }
        if file == format!("{LIBRARY}/{SWEEPS}") {
            bytes = deeper(&String::from_utf8(bytes)?)?.into_bytes();
        }
        if file == library {
            bytes.extend_from_slice(b"\n#[doc(hidden)]\npub mod fault;\n");
        }
        write(&copy.join(&file), &bytes)?;
        made.insert(file);
    }
    for file in sources::files(copy, "")? {
        if !made.contains(&file) {
            fs::remove_file(copy.join(file))?;
        }
    }
    Ok(())
}

fn deeper(source: &str) -> Result<String> {
    let [from, to] = DEEPER;
    match source.matches(from).count() {
        1 => Ok(source.replace(from, to)),
        _ => bail!("{SWEEPS} does not have this once: {from}"),
    }
}

/// Writes a file, unless it is that already.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|is| is == bytes) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// A source with faults and their numbers.
fn planted(source: &str, faults: &[(usize, &Fault)]) -> Result<String> {
    let mut places = Vec::new();
    for (number, fault) in faults {
        match place(source, fault) {
            Ok(place) => places.push((place, *number, *fault)),
            Err(count) => bail!("{}", complaint(fault, count)),
        }
    }
    places.sort_by_key(|(place, ..)| *place);
    let (mut text, mut from, mut places) = (String::new(), 0, places.as_slice());
    while let Some((place, _, fault)) = places.first() {
        let (place, snippet) = (*place, fault.from.text());
        if place < from {
            bail!("{}: its snippet overlaps that of another fault of {}", fault.name, fault.path());
        }
        text += &source[from..place];
        // Several faults may have one snippet.
        let same =
            |(at, _, other): &(usize, usize, &Fault)| *at == place && other.from.text() == snippet;
        let (here, others) = places.split_at(places.iter().take_while(|place| same(place)).count());
        let replaced = here.iter().fold(snippet.to_owned(), |otherwise, (_, number, fault)| {
            fault.replacement(*number, &otherwise)
        });
        text += &replaced;
        (from, places) = (place + snippet.len(), others);
    }
    Ok(text + &source[from..])
}

/// Where the snippet of a fault is, or how often it is there if not once.
fn place(source: &str, fault: &Fault) -> Result<usize, usize> {
    let places: Vec<_> = source.match_indices(fault.from.text()).map(|(place, _)| place).collect();
    match places[..] {
        [place] => Ok(place),
        _ => Err(places.len()),
    }
}

/// What is to be done about a snippet that is not there once.
fn complaint(fault: &Fault, count: usize) -> String {
    let (name, file) = (fault.name, fault.path());
    format!(
        "{name}: {file} has its snippet {count} times, and must have it once: where the source has changed, change the line \
         of the fault in xtask/src/mutate/faults to match; a longer snippet is there less often"
    )
}

/// What is wrong with faults of files under a root: snippets that are not there once, or overlap.
pub(super) fn complaints(root: &Path, faults: &[&Fault]) -> Vec<String> {
    let mut of_files = BTreeMap::<_, Vec<_>>::new();
    faults.iter().for_each(|fault| of_files.entry(fault.path()).or_default().push((1, *fault)));
    let mut complaints = Vec::new();
    for (file, faults) in of_files {
        let Ok(source) = fs::read_to_string(root.join(&file)) else {
            complaints.extend(
                faults.iter().map(|(_, fault)| format!("{}: there is no file {file}", fault.name)),
            );
            continue;
        };
        let counts = faults.iter().map(|(_, fault)| (fault, place(&source, fault)));
        let wrong = counts.filter_map(|(fault, place)| Some(complaint(fault, place.err()?)));
        let before = complaints.len();
        complaints.extend(wrong);
        if complaints.len() == before {
            complaints.extend(planted(&source, &faults).err().map(|error| error.to_string()));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::{
        super::table::{Expression, FAULT, Statement},
        *,
    };

    const SOURCE: &str = "fn f(a: u8) -> u8 {\n    g();\n    a + 1\n}\n";

    fn sum() -> Fault {
        Fault { name: "f/sum", file: "f.rs", from: Expression("a + 1"), to: "a", ..FAULT }
    }

    fn call() -> Fault {
        Fault { name: "f/call", file: "f.rs", from: Statement("g();"), to: "", ..FAULT }
    }

    #[test]
    fn faults_are_behind_their_numbers() {
        let want = "fn f(a: u8) -> u8 {\n    if crate::fault::on(3) {  } else { g(); }\n    \
                    (if crate::fault::on(2) { (a) } else { (a + 1) })\n}\n";
        assert_eq!(planted(SOURCE, &[(2, &sum()), (3, &call())]).unwrap(), want);
        let other = Fault { name: "f/none", to: "0", ..sum() };
        let both = planted(SOURCE, &[(2, &sum()), (3, &other)]).unwrap();
        let want = "(if crate::fault::on(3) { (0) } else { ((if crate::fault::on(2) { (a) } else { (a + 1) })) })";
        assert!(both.contains(want), "{both}");
        let elsewhere = Fault { file: "crates/ropewalk-c/src/f.rs", ..sum() };
        assert!(planted(SOURCE, &[(2, &elsewhere)]).unwrap().contains("ropewalk::fault::on(2)"));
    }

    #[test]
    fn snippets_must_be_there_once_and_apart() {
        let wrong = |faults: &[Fault]| {
            let faults: Vec<_> = faults.iter().map(|fault| (1, fault)).collect();
            planted(SOURCE, &faults).unwrap_err().to_string()
        };
        let missing = Fault { from: Expression("a + 2"), ..sum() };
        assert!(
            wrong(&[missing])
                .starts_with("f/sum: crates/ropewalk/src/f.rs has its snippet 0 times")
        );
        let twice = Fault { from: Expression("u8"), ..sum() };
        assert!(wrong(&[twice]).contains("2 times"));
        let other = Fault { name: "f/other", from: Expression("1\n}"), ..sum() };
        assert!(wrong(&[other, sum()]).starts_with("f/other: its snippet overlaps"));
    }

    #[test]
    fn copies_follow_the_tree() {
        let (root, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let source = root.path().join(LIBRARY);
        fs::create_dir_all(&source).unwrap();
        for (file, text) in [("lib.rs", "mod f;\n"), ("f.rs", SOURCE), ("g.rs", "")] {
            fs::write(source.join(file), text).unwrap();
        }
        let files = || sources::files(copy.path(), "").unwrap();
        make(root.path(), copy.path(), &[&sum()]).unwrap();
        assert_eq!(
            files(),
            ["f.rs", "fault.rs", "g.rs", "lib.rs"].map(|file| format!("{LIBRARY}/{file}"))
        );
        let read = |file| fs::read_to_string(copy.path().join(LIBRARY).join(file)).unwrap();
        assert!(read("lib.rs").contains("mod fault;"));
        assert!(read("f.rs").contains("fault::on(1)"));
        // What is as it was is not written again, or cargo would build it.
        let written =
            || fs::metadata(copy.path().join(LIBRARY).join("f.rs")).unwrap().modified().unwrap();
        let before = written();
        fs::remove_file(source.join("g.rs")).unwrap();
        make(root.path(), copy.path(), &[&sum()]).unwrap();
        assert_eq!((written(), files().len()), (before, 3));
    }

    #[test]
    fn complaints_name_the_fault() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(
            complaints(root.path(), &[&sum()]),
            ["f/sum: there is no file crates/ropewalk/src/f.rs"]
        );
        fs::create_dir_all(root.path().join(LIBRARY)).unwrap();
        fs::write(root.path().join(LIBRARY).join("f.rs"), SOURCE).unwrap();
        assert_eq!(complaints(root.path(), &[&sum(), &call()]), [""; 0]);
        let changed = Fault { from: Expression("a + 2"), ..sum() };
        let said = complaints(root.path(), &[&changed, &call()]);
        assert!(
            matches!(&said[..], [only] if only.contains("change the line of the fault")),
            "{said:?}"
        );
    }
}
