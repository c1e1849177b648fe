//! Test programs for Arm64, in trees of files.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use super::{
    made::{AARCH64, Made, X86_64},
    *,
};

const INTERPRETER: &str = "/lib/ld-linux-aarch64.so.1";

/// A tree with the loader in it.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        files.library("/lib/ld-linux-aarch64.so.1", &[]);
        files
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path.trim_start_matches('/'))
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn made(&self, path: &str, made: Made<'_>) {
        self.write(path, &made.bytes());
    }

    fn library(&self, path: &str, needed: &[&str]) {
        self.made(path, Made { machine: AARCH64, needed, ..Made::default() });
    }

    fn program(&self, path: &str, needed: &[&str]) {
        let interpreter = Some(INTERPRETER);
        self.made(path, Made { machine: AARCH64, interpreter, needed, ..Made::default() });
    }

    fn follow(&self, path: &str) -> Result<Followed> {
        follow(Path::new(path), &Tree::below(self.0.path()).unwrap())
    }

    fn loads(&self, path: &str) -> Loads {
        match self.follow(path).unwrap() {
            Followed::Program(loads) => loads,
            other => panic!("no program: {other:?}"),
        }
    }
}

fn paths(loads: &Loads) -> Vec<&str> {
    loads.libraries.iter().map(|library| library.path.to_str().unwrap()).collect()
}

#[test]
fn libraries_are_followed_to_the_last() {
    let files = Files::new();
    files.program("/usr/bin/curl", &["libcurl.so.4", "libc.so.6"]);
    files
        .library("/usr/lib/aarch64-linux-gnu/libcurl.so.4.8.0", &["libssl.so.3", "libcrypto.so.3"]);
    symlink("libcurl.so.4.8.0", files.path("/usr/lib/aarch64-linux-gnu/libcurl.so.4")).unwrap();
    files.library("/usr/lib/aarch64-linux-gnu/libssl.so.3", &["libcrypto.so.3", "libcurl.so.4"]);
    files.library("/opt/openssl/libcrypto.so.3", &["libc.so.6"]);
    // An absolute link is resolved in the tree.
    symlink("/opt/openssl/libcrypto.so.3", files.path("/usr/lib/aarch64-linux-gnu/libcrypto.so.3"))
        .unwrap();
    files.library("/lib/libc.so.6", &[]);
    let loads = files.loads("/usr/bin/curl");
    assert_eq!(
        paths(&loads),
        [
            "/usr/lib/aarch64-linux-gnu/libcurl.so.4.8.0",
            "/lib/libc.so.6",
            "/usr/lib/aarch64-linux-gnu/libssl.so.3",
            "/opt/openssl/libcrypto.so.3",
        ]
    );
    assert_eq!(loads.libraries[3].needed_by, ["libcurl.so.4", "libssl.so.3"]);
    assert_eq!((loads.missing, loads.steps), (vec![], vec![]));
    // Its path on this machine gives the same.
    let here = files.path("/usr/bin/curl");
    assert_eq!(paths(&files.loads(here.to_str().unwrap())).len(), 4);
}

/// The order of ld.so(8): the older path of all files on the way, unless there is a newer one, which applies
/// to one file.
#[test]
fn paths_in_files_come_in_their_order() {
    let files = Files::new();
    let program = Made {
        machine: AARCH64,
        interpreter: Some(INTERPRETER),
        needed: &["liba.so", "libb.so"],
        ..Made::default()
    };
    files.made("/opt/x/bin/older", Made { rpath: Some("$ORIGIN/../lib"), ..program });
    files.made("/opt/x/bin/newer", Made { runpath: Some("${ORIGIN}/../lib"), ..program });
    files.library("/opt/x/lib/liba.so", &["libc.so"]);
    files.library("/opt/x/lib/libb.so", &[]);
    files.library("/opt/x/lib/libc.so", &[]);
    files.library("/usr/lib/libc.so", &[]);
    let of_needed = |loads: &Loads| loads.libraries[2].path.to_str().unwrap().to_owned();
    assert_eq!(of_needed(&files.loads("/opt/x/bin/older")), "/opt/x/lib/libc.so");
    assert_eq!(of_needed(&files.loads("/opt/x/bin/newer")), "/usr/lib/libc.so");
}

#[test]
fn the_list_of_the_loader_comes_before_its_folders() {
    let files = Files::new();
    files.program("/bin/x", &["liba.so.1", "libb.so.1"]);
    files.library("/opt/lib/liba.so.1", &[]);
    files.library("/usr/lib/liba.so.1", &[]);
    files.library("/usr/lib/libb.so.1", &[]);
    let names = ["liba.so.1", "/opt/lib/liba.so.1"];
    let mut list = b"glibc-ld.so.cache1.1\x01\0\0\0".to_vec();
    list.resize(48, 0);
    let at = 48 + 24;
    for number in [0, at, at + names[0].len() as u32 + 1, 0, 0, 0] {
        list.extend(number.to_le_bytes());
    }
    list.extend(names.iter().flat_map(|name| format!("{name}\0").into_bytes()));
    files.write("/etc/ld.so.cache", &list);
    assert_eq!(paths(&files.loads("/bin/x")), ["/opt/lib/liba.so.1", "/usr/lib/libb.so.1"]);
    // A damaged list is ignored.
    files.write("/etc/ld.so.cache", &list[..60]);
    assert_eq!(paths(&files.loads("/bin/x"))[0], "/usr/lib/liba.so.1");
}

#[test]
fn what_is_missing_is_named() {
    let files = Files::new();
    files.program("/bin/x", &["liba.so", "libb.so", "libgone.so"]);
    files.library("/lib/liba.so", &["libgone.so"]);
    files.made("/lib/libb.so", Made { machine: X86_64, ..Made::default() });
    let loads = files.loads("/bin/x");
    let names: Vec<&str> = loads.missing.iter().map(|missing| &*missing.name).collect();
    assert_eq!(names, ["libb.so", "libgone.so"]);
    assert_eq!(loads.missing[0].refused, ["/lib/libb.so is for another processor"]);
    assert_eq!(loads.missing[1].needed_by, ["x", "liba.so"]);
    fs::remove_file(files.path(INTERPRETER)).unwrap();
    assert_eq!(files.loads("/bin/x").missing[0].name, INTERPRETER);
    assert!(files.follow("/bin/none").is_err());
    assert_eq!(files.follow("/lib/liba.so").unwrap(), Followed::File);
    files.write("/bin/text", b"text");
    assert_eq!(files.follow("/bin/text").unwrap(), Followed::File);
}

#[test]
fn modules_of_python_are_found() {
    let files = Files::new();
    files.program("/usr/bin/python3.11", &[]);
    symlink("python3.11", files.path("/usr/bin/python3")).unwrap();
    let folder = "/usr/lib/python3.11/lib-dynload";
    files.library(
        &format!("{folder}/_hashlib.cpython-311-aarch64-linux-gnu.so"),
        &["libcrypto.so.3"],
    );
    files.library(&format!("{folder}/_ssl.cpython-311-aarch64-linux-gnu.so"), &["libssl.so.3"]);
    files.library(&format!("{folder}/_json.cpython-311-aarch64-linux-gnu.so"), &["libgone.so"]);
    files.library("/usr/lib/libcrypto.so.3", &[]);
    files.library("/usr/lib/libssl.so.3", &["libcrypto.so.3"]);
    let loads = files.loads("/usr/bin/python3");
    let libraries: Vec<_> = loads.libraries.iter().map(|it| (&*it.name, &it.modules[..])).collect();
    assert_eq!(libraries[1], ("libcrypto.so.3", &["_hashlib", "_ssl"][..]));
    assert_eq!(libraries[3], ("libssl.so.3", &["_ssl"][..]));
    assert_eq!((libraries.len(), loads.missing.len()), (4, 0));
    // Those of another version are not.
    files.program("/usr/bin/python3.12", &[]);
    assert_eq!(files.loads("/usr/bin/python3.12").libraries, []);
    files.program("/usr/bin/pythonic", &[]);
    assert_eq!(files.loads("/usr/bin/pythonic").libraries, []);
}

#[test]
fn scripts_lead_to_their_interpreters() {
    let files = Files::new();
    files.program("/usr/bin/perl", &["libcrypto.so.3"]);
    files.library("/usr/lib/libcrypto.so.3", &[]);
    files.write("/usr/bin/direct", b"#! /usr/bin/perl -w\nprint 1;\n");
    files.write("/usr/bin/by-env", b"#!/usr/bin/env -S perl -w\n");
    files.write("/usr/bin/twice", b"#!/usr/bin/direct\n");
    files.write("/usr/bin/lost", b"#!/usr/bin/gone\n");
    files.write("/usr/bin/self", b"#!/usr/bin/self\n");
    files.write("/usr/bin/empty", b"#!\n");
    for (script, steps) in [("direct", 1), ("by-env", 1), ("twice", 2)] {
        let loads = files.loads(&format!("/usr/bin/{script}"));
        assert_eq!(loads.steps.len(), steps, "{script}");
        assert_eq!(loads.steps[steps - 1].path, Path::new("/usr/bin/perl"));
        assert_eq!(paths(&loads), ["/usr/lib/libcrypto.so.3"]);
    }
    let why =
        |script: &str| format!("{:#}", files.follow(&format!("/usr/bin/{script}")).unwrap_err());
    assert!(why("lost").contains("/usr/bin/gone"), "{}", why("lost"));
    assert!(why("self").contains("more than 5"), "{}", why("self"));
    assert!(why("empty").contains("names no program"), "{}", why("empty"));
}

/// Without a tree of its own machine, its libraries are not known.
#[test]
fn programs_of_another_machine_need_its_tree() {
    let files = Files::new();
    let needed = &["libcrypto.so.3"];
    // No machine has this loader.
    let interpreter = Some("/nowhere/ld-linux.so.9");
    let machine = if HERE == AARCH64 { X86_64 } else { AARCH64 };
    files.made("/bin/x", Made { machine, interpreter, needed, ..Made::default() });
    let path = files.path("/bin/x");
    assert_eq!(follow(&path, &Tree::default()).unwrap(), Followed::Elsewhere);
    files.made("/bin/x", Made { machine: HERE, interpreter, needed, ..Made::default() });
    let Followed::Program(loads) = follow(&path, &Tree::default()).unwrap() else { panic!() };
    assert_eq!(loads.missing[0].name, "/nowhere/ld-linux.so.9");
}

/// For any bytes: an error or a list, and no panic.
#[test]
fn damage_is_no_panic() {
    let files = Files::new();
    let whole = Made {
        machine: AARCH64,
        interpreter: Some(INTERPRETER),
        needed: &["liba.so"],
        runpath: Some("/x:$ORIGIN"),
        ..Made::default()
    };
    let whole = whole.bytes();
    for at in 0..whole.len() {
        files.write("/bin/x", &whole[..at]);
        _ = files.follow("/bin/x");
        for byte in [0, 0x7f, 0xff] {
            let mut damaged = whole.clone();
            damaged[at] = byte;
            files.write("/bin/x", &damaged);
            _ = files.follow("/bin/x");
        }
    }
}
