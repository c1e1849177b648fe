//! `install` preserves earlier configurations: each is in use by `OPENSSL_CONF`, and is either extended or refused with a
//! reason.

use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

use crate::{
    common::runs::stderr,
    installed::{Installed, lines_of_openssl, text},
};

/// Two providers, and a line for a preference.
fn two_providers(preference: &str) -> String {
    format!(
        "openssl_conf = init\n[init]\nproviders = providers\nalg_section = algorithms\n\
         [providers]\ndefault = on\nlegacy = on\n[on]\nactivate = 1\n[algorithms]\n{preference}\n"
    )
}

impl Installed {
    /// A file that is in use.
    fn in_use(&self, content: impl AsRef<[u8]>) -> PathBuf {
        let file = self.folder.path().join("in use.cnf");
        fs::write(&file, content).unwrap();
        file
    }

    fn install_over(&self, in_use: &Path) -> Output {
        let mut install = self.provider("install");
        install.arg("--module").arg(self.module()).env("OPENSSL_CONF", in_use);
        install.output().unwrap()
    }

    /// The ciphers of a new TLS context with a configuration.
    fn tls(&self, configuration: &Path) -> Value {
        let mut prove = self.provider("prove");
        let output = prove.env("OPENSSL_CONF", configuration).output().unwrap();
        let view: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(view["tls"]["none"], Value::Null);
        view["tls"].clone()
    }

    /// It is accepted, and ropewalk serves.
    fn is_taken(&self, in_use: &Path) -> String {
        let output = self.install_over(in_use);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let lines = self.lines_of_openssl();
        assert!(lines.iter().any(|line| line.starts_with("ropewalk: SHA-256: 1 ")), "{lines:?}");
        let output = self.provider("status").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        String::from_utf8_lossy(&fs::read(self.configuration()).unwrap()).into_owned()
    }

    /// It is refused, and nothing is written.
    fn is_refused(&self, in_use: &Path) -> String {
        let output = self.install_over(in_use);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
        assert_eq!(fs::read_dir(self.home()).unwrap().count(), 0);
        stderr(&output)
    }
}

/// The output of `openssl` with a configuration.
fn openssl(words: &str, configuration: &Path) -> String {
    let mut openssl = Command::new("openssl");
    openssl.args(words.split(' ')).env("OPENSSL_CONF", configuration);
    text(&openssl.output().unwrap())
}

/// The names of active providers.
fn providers(configuration: &Path) -> Vec<String> {
    let list = openssl("list -providers", configuration);
    let names = list.lines().filter_map(|line| line.strip_prefix("  "));
    names.filter(|name| !name.starts_with(' ')).map(str::to_owned).collect()
}

#[test]
fn files_that_are_included_stay() {
    let Some(installed) = Installed::new() else { return };
    let site = installed.folder.path().join("site.cnf");
    let policy = "[tls]\nsystem_default = bounds\n[bounds]\nMinProtocol = TLSv1.3\n";
    fs::write(&site, two_providers("").replace("[init]\n", "[init]\nssl_conf = tls\n") + policy)
        .unwrap();
    let in_use = installed.in_use(format!(".include = {}\n", site.display()));
    assert_eq!(providers(&in_use), ["default", "legacy"]);
    let before = installed.tls(&in_use);
    assert_eq!(before["versions"][0], 0x304);

    installed.is_taken(&in_use);
    let configuration = installed.configuration();
    assert_eq!(providers(&configuration), ["default", "legacy", "ropewalk"]);
    assert_eq!(installed.tls(&configuration), before);
}

/// OpenSSL silently ignores a query with the same property twice.
#[test]
fn another_provider_that_is_preferred_stays_so() {
    let Some(installed) = Installed::new() else { return };
    let in_use = installed.in_use(two_providers("default_properties = ?provider=legacy"));
    let written = installed.is_taken(&in_use);
    let joined = "\ndefault_properties = ?provider=legacy,?ropewalk.provider=yes\n";
    assert!(written.contains(joined), "{written}");
    assert_eq!(providers(&installed.configuration()), ["default", "legacy", "ropewalk"]);
}

/// It keeps serving the algorithms of both, whatever the order of the names.
#[test]
fn another_provider_that_has_the_same_keeps_it() {
    let Some(installed) = Installed::new() else { return };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/provider/token.c");
    let module = installed.folder.path().join("token.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&module).arg(source);
    assert!(compiler.status().unwrap().success());
    for name in ["atoken", "ztoken"] {
        let in_use = installed.in_use(format!(
            "openssl_conf = init\n[init]\nproviders = providers\nalg_section = algorithms\n\
             [providers]\n{name} = token\ndefault = on\n[on]\nactivate = 1\n\
             [token]\nactivate = 1\nmodule = {}\n[algorithms]\ndefault_properties = ?provider=token\n",
            module.display()
        ));
        let sha512 = |configuration: &Path| {
            let mut openssl = Command::new("openssl");
            openssl.args(["dgst", "-sha512", "-r", "/dev/null"]).env("OPENSSL_CONF", configuration);
            text(&openssl.output().unwrap())
        };
        // Its digest is easy to recognize.
        let digest = format!("{} */dev/null\n", "7".repeat(128));
        assert_eq!(sha512(&in_use), digest);
        installed.is_taken(&in_use);
        assert_eq!(sha512(&installed.configuration()), digest, "{name}");
    }
}

#[test]
fn preferences_that_leave_it_nothing_are_a_reason() {
    let Some(installed) = Installed::new() else { return };
    for (preference, why) in [
        ("default_properties = provider=default", "other providers are preferred"),
        ("default_properties = fips=no,provider!=ropewalk", "other providers are preferred"),
    ] {
        let refused = installed.is_refused(&installed.in_use(two_providers(preference)));
        assert!(refused.contains(why) && refused.contains("nothing is written"), "{refused}");
    }
    // Without FIPS providers this one refuses every algorithm, and so must the new one.
    let refused = installed.is_refused(&installed.in_use(two_providers("fips_mode = yes")));
    assert!(refused.contains("are refused, and would be served"), "{refused}");
}

/// OpenSSL's own provider may be omitted on purpose, to disable its algorithms.
#[test]
fn what_is_refused_is_not_served() {
    let Some(installed) = Installed::new() else { return };
    let in_use = installed.in_use(
        "openssl_conf = init\n[init]\nproviders = providers\n[providers]\nbase = on\n[on]\nactivate = 1\n",
    );
    let md5 = |configuration: &Path| {
        let mut openssl = Command::new("openssl");
        let hashed = openssl.args(["dgst", "-md5", "/dev/null"]).env("OPENSSL_CONF", configuration);
        hashed.output().unwrap().status.success()
    };
    assert!(!md5(&in_use));
    let refused = installed.is_refused(&in_use);
    assert!(refused.contains("these are refused, and would be served: "), "{refused}");
    assert!(refused.contains("MD5"), "{refused}");
    // The same applies if the module cannot be tried.
    fs::write(installed.module(), "garbage").unwrap();
    let refused = installed.is_refused(&in_use);
    assert!(refused.contains("the module cannot be tried here"), "{refused}");
}

#[test]
fn names_by_variables_and_bytes_of_other_alphabets() {
    let Some(installed) = Installed::new() else { return };
    let odd = installed.folder.path().join(OsStr::from_bytes(b"caf\xe9 a$b#c'd\"e;f"));
    fs::create_dir(&odd).unwrap();
    let in_use = odd.join("openssl.cnf");
    let content =
        b"# caf\xe9\nplace = \"caf\xe9 # 1\"\nlisted = list\nstart = init\nopenssl_conf = $start\n\
        [init]\nproviders = $default::listed\nalg_section = ${default::listed}_too\n\
        [list]\nlegacy = on\ndefault = on\n[on]\nactivate = 1\n\
        [list_too]\ndefault_properties = '?x=caf'\n";
    fs::write(&in_use, content).unwrap();
    let written = installed.is_taken(&in_use);
    assert!(written.contains("\n[init]\nproviders.ropewalk = "), "{written}");
    assert!(written.contains("\ndefault_properties = ?x=caf,?provider=ropewalk\n"), "{written}");
    assert_eq!(providers(&installed.configuration()), ["default", "legacy", "ropewalk"]);
}

#[test]
fn a_configuration_that_openssl_does_not_read() {
    let Some(installed) = Installed::new() else { return };
    let refused = installed.is_refused(&installed.in_use("openssl_conf = init\n[init\n"));
    assert!(refused.contains("OpenSSL does not read") && refused.contains("line 2"), "{refused}");
    let ropewalk = format!(
        "openssl_conf = i\n[i]\nproviders = p\n[p]\ndefault = d\nropewalk = r\n[d]\nactivate = 1\n\
         [r]\nactivate = 1\nmodule = {}\n",
        installed.module().display()
    );
    let refused = installed.is_refused(&installed.in_use(ropewalk));
    assert!(refused.contains("has ropewalk already"), "{refused}");
}

/// If ours is in use already, the new one includes the original file.
#[test]
fn installed_over_itself() {
    let Some(installed) = Installed::new() else { return };
    let in_use = installed.in_use(two_providers(""));
    let first = installed.is_taken(&in_use);
    assert_eq!(installed.is_taken(&installed.configuration()), first);
    // A second file of ours includes the same original.
    let other = installed.folder.path().join("other.cnf");
    let mut install = installed.provider("install");
    install.arg("--module").arg(installed.module()).arg("--config").arg(&other);
    let output = install.env("OPENSSL_CONF", installed.configuration()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let other = fs::read_to_string(other).unwrap();
    assert!(other.contains(&format!(".include = {}\n", in_use.display())), "{other}");
}

/// A refusal leaves the files of an earlier `install` unchanged.
#[test]
fn a_refusal_puts_everything_back() {
    let Some(installed) = Installed::with_configuration() else { return };
    let files =
        || [installed.configuration(), installed.copy()].map(|file| fs::read(file).unwrap());
    fs::write(installed.loader(), [fs::read(installed.loader()).unwrap(), vec![0]].concat())
        .unwrap();
    let before = files();
    let in_use = installed.in_use(two_providers("default_properties = provider=default"));
    assert_eq!(installed.install_over(&in_use).status.code(), Some(1));
    assert!(files() == before);
    assert_eq!(fs::read_dir(installed.home().join("ropewalk")).unwrap().count(), 2);
}

#[test]
fn what_changes_later_is_noticed() {
    let Some(installed) = Installed::new() else { return };
    let in_use = installed.in_use(two_providers(""));
    installed.is_taken(&in_use);
    assert_eq!(installed.status()["changed"], serde_json::json!([]));
    fs::write(
        &in_use,
        "openssl_conf = init\n[init]\nproviders = p\n[p]\nbase = on\n[on]\nactivate = 1\n",
    )
    .unwrap();
    let output = installed.provider("status").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let said = text(&output);
    assert!(
        said.contains("OpenSSL does not do what it does without ropewalk: these are refused"),
        "{said}"
    );
}

/// Node.js reads a section of its own name, and contains an OpenSSL.
#[test]
fn node_is_served() {
    let Some(installed) = Installed::new() else { return };
    let versions = Command::new("node").args(["-p", "process.versions.openssl"]).output();
    if !versions.is_ok_and(|versions| versions.stdout.starts_with(b"3.")) {
        eprintln!("skipped: there is no node with OpenSSL 3");
        return;
    }
    let program =
        "process.stdout.write(require('crypto').createHash('sha256').update('abc').digest('hex'))";
    let policy = "openssl_conf = init\n[init]\nssl_conf = tls\n[tls]\nsystem_default = bounds\n\
                  [bounds]\nMinProtocol = TLSv1.3\n";
    let own = format!(
        "nodejs_conf = node\n{policy}[node]\nproviders = p\n[p]\ndefault = on\nlegacy = on\n[on]\nactivate = 1\n"
    );
    for in_use in ["", policy, &own] {
        installed.is_taken(&installed.in_use(in_use));
        let node = |code: &str| {
            let mut node = Command::new("node");
            node.args(["-e", code]).env("ROPEWALK_STATS", "1");
            node.env("OPENSSL_CONF", installed.configuration()).output().unwrap()
        };
        let output = node(program);
        assert!(text(&output).starts_with("ba7816bf8f01cfea"), "{in_use}: {}", stderr(&output));
        assert!(
            stderr(&output).contains("ropewalk: SHA-256: 1 messages"),
            "{in_use}: {}",
            stderr(&output)
        );
        // Only one of the files has this provider.
        let output = node("require('crypto').createHash('md4')");
        assert_eq!(output.status.success(), in_use == own, "{in_use}: {}", stderr(&output));
    }
}

/// A module that cannot be loaded here may be for another machine: until then the configuration has no effect.
#[test]
fn a_module_that_cannot_be_loaded_here() {
    let Some(installed) = Installed::new() else { return };
    fs::write(installed.module(), "garbage").unwrap();
    let in_use = installed.in_use(two_providers("default_properties = ?provider=legacy"));
    let output = installed.install_over(&in_use);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let said = text(&output);
    assert!(
        said.contains("the module cannot be loaded here: ") && said.contains("not a library"),
        "{said}"
    );
    assert_eq!(providers(&installed.configuration()), ["default", "legacy"]);
    assert_eq!(lines_of_openssl(&installed.configuration()).len(), 1);
}
