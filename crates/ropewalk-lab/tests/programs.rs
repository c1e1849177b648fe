//! `ropewalk doctor PROGRAM`: the libraries that programs load, of this machine and of another one's file
//! tree.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

mod common;
use common::runs::{command, stderr};
#[path = "../src/loads/made.rs"]
#[allow(dead_code, reason = "tests of the library use the rest")]
mod made;
use made::{AARCH64, AES_AND_SHA, Made};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

fn doctor<S: AsRef<std::ffi::OsStr>>(words: impl IntoIterator<Item = S>) -> Output {
    command(Path::new(PROGRAM)).arg("doctor").args(words).env("COLUMNS", "80").output().unwrap()
}

/// Its words, independent of line breaks.
fn text(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn json(output: &Output) -> Vec<Value> {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(output)))
}

/// Whether this command runs natively: then programs are for its machine.
fn is_native() -> bool {
    let native = command(Path::new(PROGRAM)).get_program() == PROGRAM;
    if !native {
        eprintln!("skipped: through an emulator, the host's programs are seen");
    }
    native
}

/// Builds a C file in a folder.
fn build(folder: &Path, name: &str, source: &str, words: &[&str]) {
    let file = folder.join(format!("{name}.c"));
    fs::write(&file, source).unwrap();
    let mut compiler = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
    let output = compiler.current_dir(folder).arg(&file).arg("-o").arg(name).args(words).output();
    let output = output.expect("a C compiler");
    assert!(output.status.success(), "{}", stderr(&output));
}

/// A library with AES instructions, and a program that loads it through another library.
fn programs(folder: &Path) {
    let code = match cfg!(target_arch = "x86_64") {
        true => r#"__asm__("aesenc %xmm1, %xmm0\n\taesenclast %xmm1, %xmm0");"#,
        false => {
            r#"__asm__(".arch armv8-a+crypto\n\taese v0.16b, v1.16b\n\taesmc v0.16b, v0.16b");"#
        }
    };
    let library = format!("void aes(void) {{ {} }}", code.repeat(8));
    build(folder, "libcrypto.so.9", &library, &["-shared", "-fPIC", "-Wl,-soname,libcrypto.so.9"]);
    let between = "void aes(void); void between(void) { aes(); }";
    let origin = "-Wl,-rpath,$ORIGIN";
    let words = ["-shared", "-fPIC", "-L.", "-l:libcrypto.so.9", origin];
    build(folder, "libbetween.so", between, &words);
    let program = "void between(void); int main(void) { between(); }";
    build(folder, "newer", program, &["-L.", "-l:libbetween.so", origin, "-Wl,--enable-new-dtags"]);
    build(
        folder,
        "older",
        program,
        &["-L.", "-l:libbetween.so", origin, "-Wl,--disable-new-dtags"],
    );
    build(folder, "none", "int main(void) { return 0; }", &[]);
}

#[test]
fn a_program_that_was_just_built() {
    if !is_native() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    programs(&folder);
    for name in ["newer", "older"] {
        let output = doctor([folder.join(name)]);
        assert_eq!(output.status.code(), Some(0), "{}{}", text(&output), stderr(&output));
        let said = text(&output);
        let program = said.find("the program").unwrap_or_else(|| panic!("{said}"));
        let library = format!("accelerated {}", folder.join("libcrypto.so.9").display());
        assert!(said.find(&library).is_some_and(|at| at > program), "{said}");
    }
    let output = doctor([folder.join("none")]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output).contains("no library of cryptography is loaded"), "{}", text(&output));

    // By its name without a path, as in a shell.
    let mut named = command(Path::new(PROGRAM));
    let output = named.args(["doctor", "newer"]).env("PATH", &folder).output().unwrap();
    assert!(text(&output).contains("libcrypto.so.9"), "{}", text(&output));
    let file = folder.join("newer").display().to_string();
    assert!(text(&output).starts_with(&file), "{}", text(&output));
    let mut named = command(Path::new(PROGRAM));
    let output = named.args(["doctor", "no-such-program"]).env("PATH", &folder).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("no program in PATH has this name"), "{}", text(&output));

    // With `LD_LIBRARY_PATH`, as the loader does, and without it, what is missing is named.
    fs::create_dir(folder.join("moved")).unwrap();
    fs::rename(folder.join("libcrypto.so.9"), folder.join("moved/libcrypto.so.9")).unwrap();
    let output = doctor([folder.join("newer")]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output);
    assert!(said.contains("missing libcrypto.so.9, which libbetween.so needs"), "{said}");
    let mut moved = command(Path::new(PROGRAM));
    moved.arg("doctor").arg(folder.join("newer")).env("LD_LIBRARY_PATH", folder.join("moved"));
    let output = moved.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("moved/libcrypto.so.9"), "{}", text(&output));
}

/// The present ones of curl, openssl and Python; they report themselves which libraries they load.
#[test]
fn programs_of_this_machine() {
    if !is_native() {
        return;
    }
    let answer = |program: &str, words: &[&str]| {
        let output =
            Command::new(program).args(words).env_remove("LD_LIBRARY_PATH").output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let mut tried = 0;
    for program in ["/usr/bin/curl", "/usr/bin/openssl"] {
        if answer("ldd", &[program]).is_some_and(|said| said.contains("/libcrypto.so.")) {
            let said = text(&doctor([program]));
            assert!(said.contains("/libcrypto.so."), "{said}");
            tried += 1;
        }
    }
    let maps = "import _hashlib, _ssl; print(open('/proc/self/maps').read())";
    let python = answer("sh", &["-c", "command -v python3"]).unwrap_or_default();
    if answer(python.trim(), &["-c", maps]).is_some_and(|said| said.contains("/libcrypto.so.")) {
        let said = text(&doctor([python.trim()]));
        assert!(said.contains("/libcrypto.so."), "{said}");
        assert!(said.contains("by import of _hashlib, _ssl"), "{said}");
        tried += 1;
    }
    if tried == 0 {
        eprintln!(
            "no curl, openssl or Python with a libcrypto: the program that was just built stands for them"
        );
    }
}

/// A tree for Arm64, with an absolute link to a library.
fn tree() -> tempfile::TempDir {
    let tree = tempfile::tempdir().unwrap();
    let put = |path: &str, made: Made<'_>| {
        let path = tree.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, Made { machine: AARCH64, ..made }.bytes()).unwrap();
    };
    let interpreter = Some("/lib/ld-linux-aarch64.so.1");
    put("lib/ld-linux-aarch64.so.1", Made::default());
    put("usr/bin/curl", Made { interpreter, needed: &["libcurl.so.4"], ..Made::default() });
    put(
        "usr/lib/aarch64-linux-gnu/libcurl.so.4",
        Made { needed: &["libcrypto.so.3"], ..Made::default() },
    );
    let data = b"OpenSSL 3.0.17 1 Jul 2025\0";
    put("opt/ssl/libcrypto.so.3", Made { code: AES_AND_SHA, data, ..Made::default() });
    symlink(
        "/opt/ssl/libcrypto.so.3",
        tree.path().join("usr/lib/aarch64-linux-gnu/libcrypto.so.3"),
    )
    .unwrap();
    put("usr/bin/broken", Made { interpreter, needed: &["libgone.so.1"], ..Made::default() });
    put("usr/bin/python3.11", Made { interpreter, ..Made::default() });
    symlink("python3.11", tree.path().join("usr/bin/python3")).unwrap();
    let module = "usr/lib/python3.11/lib-dynload/_hashlib.cpython-311-aarch64-linux-gnu.so";
    put(module, Made { needed: &["libcrypto.so.3"], ..Made::default() });
    fs::write(tree.path().join("usr/bin/script"), "#!/usr/bin/env python3\n").unwrap();
    tree
}

#[test]
fn programs_of_another_machine() {
    let tree = tree();
    let root = tree.path().to_str().unwrap();
    let within = |words: &[&str]| doctor([&["--sysroot", root], words].concat());
    let output = within(&["/usr/bin/curl"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let said = text(&output);
    assert!(said.contains("accelerated /opt/ssl/libcrypto.so.3, OpenSSL 3.0.17"), "{said}");
    assert!(!said.contains(&format!("{root}/opt")), "a path of the tree is not translated: {said}");
    // The path on this machine gives the same program.
    let output = within(&["--json", &format!("{root}/usr/bin/curl"), "/usr/bin/python3"]);
    let told = json(&output);
    assert_eq!(told[0]["architecture"], "aarch64");
    assert_eq!(told[0]["loads"][1]["path"], "/opt/ssl/libcrypto.so.3");
    assert_eq!(told[0]["loads"][1]["needed_by"][0], "libcurl.so.4");
    assert_eq!(told[0]["loads"][1]["contains"]["verdict"], "accelerated");
    assert!(told[0]["missing"].as_array().unwrap().is_empty());
    assert_eq!(told[1]["loads"][1]["modules"][0], "_hashlib");

    let said = text(&within(&["/usr/bin/script"]));
    assert!(said.contains("a script its interpreter: /usr/bin/python3.11"), "{said}");
    assert!(said.contains("by import of _hashlib"), "{said}");

    let output = within(&["/usr/bin/broken"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains("missing libgone.so.1, which broken needs"),
        "{}",
        text(&output)
    );
    let output = within(&["/usr/bin/nothing"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("in the tree of --sysroot"), "{}", text(&output));
    // A library in the tree is examined like any file.
    let output = within(&["/usr/lib/aarch64-linux-gnu/libcrypto.so.3"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let output = doctor(["--sysroot", "/no/such/folder", "/usr/bin/curl"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--sysroot /no/such/folder: "), "{}", stderr(&output));
}

#[test]
fn scripts_and_files_that_are_no_programs() {
    if !is_native() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| -> PathBuf {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let output = doctor([write("script", "#!/bin/sh\necho\n")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("a script its interpreter: /"), "{}", text(&output));
    let output = doctor([write("lost", "#!/no/such/shell\n")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("/no/such/shell"), "{}", text(&output));
    // Reading the start of the first one always fails.
    for file in ["/proc/self/mem", "/no/such/file", "/dev/null"] {
        let output = doctor([file]);
        assert_eq!(output.status.code(), Some(1), "{file}: {}", text(&output));
        assert!(text(&output).contains("not known"), "{file}: {}", text(&output));
        assert_eq!(stderr(&output), "", "{file}");
    }
}

/// A launcher of pyenv leads to the Python that it would start.
#[test]
fn launchers_of_pyenv_are_followed() {
    if !is_native() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    programs(&root);
    for part in ["shims", "versions/3.9.9/bin"] {
        fs::create_dir_all(root.join(part)).unwrap();
    }
    fs::copy(root.join("none"), root.join("versions/3.9.9/bin/python3")).unwrap();
    let shim = format!(
        "#!/usr/bin/env bash\nexport PYENV_ROOT=\"{root}\"\nexec \"{root}/libexec/pyenv\" exec \"$program\" \"$@\"\n",
        root = root.display()
    );
    let path = root.join("shims/python3");
    fs::write(&path, shim).unwrap();
    let run = |version: &str| {
        let mut doctor = command(Path::new(PROGRAM));
        doctor.arg("doctor").arg(&path).env("PYENV_VERSION", version).output().unwrap()
    };
    let output = run("3.9.9");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("versions/3.9.9/bin/python3"), "{}", text(&output));
    let output = run("2.0");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("no python3 of version 2.0"), "{}", text(&output));
}
