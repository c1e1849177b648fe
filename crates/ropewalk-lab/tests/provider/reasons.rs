//! `provider status` gives the reason if ropewalk does not serve.

use std::{fs, process::Command};

use crate::installed::{Installed, built, text};

impl Installed {
    /// Its reason, which the text contains too.
    fn reason(&self) -> String {
        let status = self.status();
        let reason = status["reason"].as_str().expect("there is one").to_owned();
        let output = self.provider("status").output().unwrap();
        assert_eq!(output.status.code(), Some(4));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(&reason), "{said}");
        // A module that serves nothing has no counts.
        let serves = said.contains(" algorithms are served by ropewalk");
        assert!(serves || !said.contains("counted:"), "{said}");
        reason
    }

    fn change(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.configuration()).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(self.configuration(), text.replace(from, to)).unwrap();
    }

    fn compile(&self, code: &str) {
        let source = self.folder.path().join("module.c");
        fs::write(&source, code).unwrap();
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-o"]).arg(self.module()).arg(source);
        assert!(compiler.status().unwrap().success());
    }
}

#[test]
fn of_the_module() {
    let Some(installed) = Installed::with_configuration() else { return };
    assert_eq!(installed.status()["reason"], serde_json::Value::Null);
    let module = installed.module();
    let named = module.display().to_string();

    fs::remove_file(&module).unwrap();
    assert_eq!(installed.reason(), format!("a module cannot be loaded: {named}: no such file"));
    fs::write(&module, [b'#'; 10_000]).unwrap();
    assert_eq!(installed.reason(), format!("a module cannot be loaded: {named}: not a library"));
    // The nineteenth byte of a header identifies the processor.
    let mut other = fs::read(built("libropewalk_openssl.so")).unwrap();
    other[18] = 243;
    fs::write(&module, &other).unwrap();
    assert!(installed.reason().ends_with("for RISC-V, not for this processor"));
    if cfg!(target_arch = "x86_64") {
        let mut newer = fs::read(built("libropewalk_openssl.so")).unwrap();
        let version = b"\0GLIBC_2.14\0";
        let at = newer.windows(version.len()).position(|window| window == version);
        newer[at.expect("memcpy is of 2.14") + 7] = b'9';
        fs::write(&module, &newer).unwrap();
        assert!(installed.reason().contains("version `GLIBC_9.14' not found"));
    }
    installed.compile("int OSSL_provider_init(void) { return 0; }");
    assert_eq!(installed.reason(), "the module was loaded, and refuses to begin");

    fs::copy(built("libropewalk_openssl.so"), &module).unwrap();
    fs::remove_file(installed.copy()).unwrap();
    let loader = installed.copy().display().to_string();
    assert_eq!(installed.reason(), format!("a module cannot be loaded: {loader}: no such file"));
}

#[test]
fn of_the_configuration() {
    let Some(installed) = Installed::with_configuration() else { return };
    let fresh = fs::read(installed.configuration()).unwrap();
    let ours = "default_properties = ?provider=ropewalk";

    // It may still serve, until a program enables error reporting.
    installed.change(ours, "default_properties = ?provider=default,?provider=ropewalk");
    let output = installed.provider("status").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let said = text(&output);
    assert!(
        said.contains("it would stop at an error: ") && said.contains("Duplicated name"),
        "{said}"
    );

    fs::write(installed.configuration(), &fresh).unwrap();
    installed.change(ours, "default_properties = provider=default");
    let reason = installed.reason();
    assert!(
        reason.ends_with("other providers are preferred: default_properties = provider=default"),
        "{reason}"
    );

    fs::write(installed.configuration(), &fresh).unwrap();
    installed.change("[ropewalk_module]\n", "[ropewalk_module\n");
    let reason = installed.reason();
    assert!(reason.starts_with("OpenSSL does not read the configuration: line "), "{reason}");

    fs::write(installed.configuration(), &fresh).unwrap();
    installed.change("[ropewalk_module]\n", "[another_module]\n");
    assert!(installed.reason().contains("has no ropewalk"));

    fs::remove_file(installed.configuration()).unwrap();
    assert!(installed.status()["reason"].as_str().unwrap().ends_with(" is not there"));
}

#[test]
fn of_the_library() {
    let Some(installed) = Installed::with_configuration() else { return };
    let mut status = installed.provider("status");
    let output = status.args(["--libcrypto", "/nowhere/libcrypto.so.3"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("no OpenSSL of version 3 or later (/nowhere/libcrypto.so.3: no such file)"),
        "{said}"
    );
}
