//! The loader: programs when the module cannot be loaded, and the files that are written and
//! removed.

use std::{fs, process::Command};

use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL, RTLD_NOW};
use serde_json::Value;

use crate::{
    common::runs::stderr,
    installed::{GOES_ON, Installed, built, line, lines_of_openssl, text},
};

#[test]
fn it_serves_and_the_loader_is_silent() {
    let Some(installed) = Installed::with_configuration() else { return };
    let text = fs::read_to_string(installed.configuration()).unwrap();
    assert!(text.contains(&format!("\nmodule = {}\n", installed.copy().display())), "{text}");
    let key = format!("\nropewalk-module = {}\n", installed.module().display());
    assert!(text.contains(&key), "{text}");

    let lines = installed.lines_of_openssl();
    assert!(lines.contains(&"ropewalk: SHA-256: 1 messages, 1 calls, 3 bytes".into()), "{lines:?}");
    assert!(lines.iter().all(|line| line.contains(" messages, ")), "{lines:?}");

    let status = installed.status();
    assert_eq!(status["complaint"], Value::Null);
    assert!(status["counts"].as_array().is_some_and(|counts| !counts.is_empty()), "{status}");
    let output = installed.provider("status").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_module_that_cannot_be_loaded_leaves_the_program_on_the_default_one_with_a_line() {
    let Some(installed) = Installed::with_configuration() else { return };
    let module = installed.module();
    let is_said = |why: &str| {
        let line = line(&module, why);
        assert_eq!(installed.lines_of_openssl(), [line.as_str()]);
        let status = installed.status();
        assert_eq!(status["complaint"], line.as_str());
        assert_eq!(status["counts"], Value::Array(vec![]), "it is no count");
        let output = installed.provider("status").output().unwrap();
        assert_eq!(output.status.code(), Some(4));
        let said = text(&output);
        assert!(said.contains(&format!("\nprograms say: {line}\n")), "{said}");
    };

    fs::remove_file(&module).unwrap();
    is_said("No such file or directory");
    fs::write(&module, "garbage").unwrap();
    is_said("file too short");
    fs::write(&module, [b'#'; 10_000]).unwrap();
    is_said("invalid ELF header");
    // The nineteenth byte of a header identifies the processor.
    let mut other = fs::read(built("libropewalk_openssl.so")).unwrap();
    other[18] = 0xf7;
    fs::write(&module, &other).unwrap();
    is_said("it is for another processor");
    if cfg!(target_arch = "x86_64") {
        // A module that needs a C library newer than any.
        let mut newer = fs::read(built("libropewalk_openssl.so")).unwrap();
        let version = b"\0GLIBC_2.14\0";
        let at = newer.windows(version.len()).position(|window| window == version);
        newer[at.expect("memcpy is of 2.14") + 7] = b'9';
        fs::write(&module, &newer).unwrap();
        let [line] = &installed.lines_of_openssl()[..] else { panic!("one line") };
        assert!(line.contains("version `GLIBC_9.14' not found"), "{line}");
        assert!(line.ends_with(GOES_ON), "{line}");
    }
    // The loader does not load itself.
    fs::copy(built("libropewalk_openssl_loader.so"), &module).unwrap();
    is_said("it is the loader, and no provider");

    fs::copy(built("libropewalk_openssl.so"), &module).unwrap();
    assert!(installed.lines_of_openssl().iter().all(|line| line.contains(" messages, ")));
}

#[test]
fn a_module_that_refuses() {
    let Some(installed) = Installed::with_configuration() else { return };
    let source = installed.folder.path().join("refuses.c");
    fs::write(&source, "int OSSL_provider_init(void) { return 0; }").unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(installed.module()).arg(source);
    assert!(compiler.status().unwrap().success());
    let line = line(&installed.module(), "it does not begin");
    assert_eq!(installed.lines_of_openssl(), [line]);
}

#[test]
fn a_library_that_is_no_module() {
    let Some(installed) = Installed::with_configuration() else { return };
    let source = installed.folder.path().join("none.c");
    fs::write(&source, "int other(void) { return 0; }").unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(installed.module()).arg(source);
    assert!(compiler.status().unwrap().success());
    let line = line(&installed.module(), "undefined symbol: OSSL_provider_init");
    assert_eq!(installed.lines_of_openssl(), [line]);
}

#[test]
fn a_configuration_that_names_no_module() {
    let Some(installed) = Installed::with_configuration() else { return };
    let text = fs::read_to_string(installed.configuration()).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("ropewalk-module"));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    fs::write(installed.configuration(), text).unwrap();
    let line = "ropewalk: the configuration names no module: run `ropewalk provider install` again";
    assert_eq!(installed.lines_of_openssl(), [format!("{line}{GOES_ON}")]);
}

#[test]
fn installed_twice_and_undone() {
    let Some(installed) = Installed::with_configuration() else { return };
    // An older one is replaced.
    let older = [fs::read(installed.loader()).unwrap(), vec![0]].concat();
    fs::write(installed.copy(), older).unwrap();
    let mut again = installed.provider("install");
    let output = again.arg("--module").arg(installed.module()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!text(&output).contains("is next to"), "{}", text(&output));
    let same = fs::read(installed.copy()).unwrap() == fs::read(installed.loader()).unwrap();
    assert!(same);

    let output = installed.provider("uninstall").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(fs::read_dir(installed.home()).unwrap().count(), 0);
    assert!(installed.module().is_file() && installed.loader().is_file());
    let output = installed.provider("uninstall").output().unwrap();
    assert!(output.status.success() && text(&output).contains("nothing to undo"));
}

#[test]
fn a_file_of_another_origin_stays() {
    let Some(installed) = Installed::new() else { return };
    fs::create_dir_all(installed.copy().parent().unwrap()).unwrap();
    fs::write(installed.copy(), "of somebody else").unwrap();
    let mut install = installed.provider("install");
    let output = install.arg("--module").arg(installed.module()).output().unwrap();
    assert!(!output.status.success());
    let why = stderr(&output);
    let named = installed.copy().display().to_string();
    assert!(why.contains(&named) && why.contains("not written by this command"), "{why}");
    assert!(!installed.configuration().exists());
    assert_eq!(fs::read_to_string(installed.copy()).unwrap(), "of somebody else");

    // It is not removed either if it was created later.
    fs::remove_file(installed.copy()).unwrap();
    assert!(install.output().unwrap().status.success());
    fs::write(installed.copy(), "of somebody else").unwrap();
    assert!(installed.provider("uninstall").output().unwrap().status.success());
    assert!(!installed.configuration().exists());
    assert_eq!(fs::read_to_string(installed.copy()).unwrap(), "of somebody else");
}

#[test]
fn without_a_loader_the_module_is_named_itself() {
    let Some(installed) = Installed::new() else { return };
    fs::remove_file(installed.loader()).unwrap();
    let mut install = installed.provider("install");
    let output = install.arg("--module").arg(installed.module()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text(&output).contains("no ropewalk-loader.so is next to"), "{}", text(&output));
    assert!(!installed.copy().exists());
    let lines = installed.lines_of_openssl();
    assert!(lines.iter().any(|line| line.starts_with("ropewalk: SHA-256: ")), "{lines:?}");
    assert!(installed.provider("uninstall").output().unwrap().status.success());
    assert_eq!(fs::read_dir(installed.home()).unwrap().count(), 0);

    // The loader has no algorithms.
    fs::copy(built("libropewalk_openssl_loader.so"), installed.module()).unwrap();
    let output = install.output().unwrap();
    assert!(!output.status.success() && stderr(&output).contains("loads ropewalk.so"));
}

#[test]
fn a_configuration_next_to_the_module_names_the_files_there() {
    let Some(installed) = Installed::new() else { return };
    let configuration = installed.module().with_file_name("openssl.cnf");
    let run = |word: &str| {
        let mut provider = installed.provider(word);
        if word == "install" {
            provider.arg("--module").arg(installed.module());
        }
        let output = provider.arg("--config").arg(&configuration).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    };
    run("install");
    let lines = lines_of_openssl(&configuration);
    assert!(lines.iter().any(|line| line.starts_with("ropewalk: SHA-256: ")), "{lines:?}");
    fs::rename(installed.module(), installed.home().join("elsewhere.so")).unwrap();
    assert_eq!(
        lines_of_openssl(&configuration),
        [line(&installed.module(), "No such file or directory")]
    );
    run("uninstall");
    assert!(!configuration.exists() && installed.loader().is_file());
}

/// If it were unloaded, it would forget its messages, and repeat them.
#[test]
fn the_loader_is_never_unloaded() {
    let file = built("libropewalk_openssl_loader.so");
    // SAFETY: nothing runs when it is loaded.
    let library = unsafe { Library::open(Some(&file), RTLD_NOW | RTLD_LOCAL) }.unwrap();
    library.close().unwrap();
    const NOLOAD: i32 = 4;
    // SAFETY: likewise, and it is not loaded again.
    let again = unsafe { Library::open(Some(&file), RTLD_LAZY | NOLOAD) };
    assert!(!cfg!(target_os = "linux") || again.is_ok());
}
