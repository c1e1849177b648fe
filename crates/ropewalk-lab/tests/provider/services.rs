//! `--system`: files that services can read, and `status --user`.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::{
    common::runs::stderr,
    installed::{Installed, lines_of_openssl, text},
};

impl Installed {
    fn prefix(&self) -> PathBuf {
        self.folder.path().join("a prefix")
    }

    fn open_to_others(&self, mode: u32) {
        fs::set_permissions(self.folder.path(), Permissions::from_mode(mode)).unwrap();
    }

    fn for_services(&self, word: &str, more: &[&str]) -> Output {
        let mut provider = self.provider(word);
        provider.arg("--system").arg("--prefix").arg(self.prefix()).args(more);
        // A service has no such variable.
        provider.env("OPENSSL_CONF", "/dev/null").output().unwrap()
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().unwrap().stdout == b"0\n"
}

#[test]
fn files_for_services() {
    let Some(installed) = Installed::new() else { return };
    installed.open_to_others(0o755);
    let closed = installed.module();
    fs::set_permissions(closed.parent().unwrap(), Permissions::from_mode(0o700)).unwrap();
    // The permissions do not depend on the umask.
    let mut shell = Command::new("sh");
    let install = installed.provider("install");
    shell.args(["-c", "umask 077; exec \"$@\"", "sh"]).arg(install.get_program());
    shell.args(install.get_args()).arg("--system").arg("--prefix").arg(installed.prefix());
    let output = shell.arg("--module").arg(&closed).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));

    let configuration = installed.prefix().join("etc/ropewalk/openssl.cnf");
    let said = text(&output);
    let unit = format!("  [Service]\n  Environment=OPENSSL_CONF={}\n", configuration.display());
    assert!(said.contains(&unit) && !said.contains("cannot read"), "{said}");
    let folder = installed.prefix().join("lib/ropewalk/provider");
    for file in
        [configuration.clone(), folder.join("ropewalk.so"), folder.join("ropewalk-loader.so")]
    {
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o644, "{}", file.display());
        for above in
            file.ancestors().skip(1).take_while(|above| above.starts_with(installed.prefix()))
        {
            assert_eq!(fs::metadata(above).unwrap().mode() & 0o777, 0o755, "{}", above.display());
        }
    }
    let lines = lines_of_openssl(&configuration);
    assert!(lines.iter().any(|line| line.starts_with("ropewalk: SHA-256: ")), "{lines:?}");

    let output = installed.for_services("status", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("Environment=OPENSSL_CONF="), "{}", text(&output));
    if is_root() {
        let output = installed.for_services("status", &["--user", "nobody"]);
        assert_eq!(output.status.code(), Some(0), "{}{}", text(&output), stderr(&output));
        assert!(text(&output).contains("served by ropewalk to nobody"), "{}", text(&output));
    }

    let output = installed.for_services("uninstall", &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text(&output).contains("systemctl revert"), "{}", text(&output));
    let left = |folder: &str| fs::read_dir(installed.prefix().join(folder)).unwrap().count();
    assert_eq!((left("etc"), left("lib")), (0, 0));
    assert!(closed.is_file());
}

/// A module that services can read is not copied.
#[test]
fn a_module_that_is_open_stays_where_it_is() {
    let Some(installed) = Installed::new() else { return };
    installed.open_to_others(0o755);
    for open in [installed.module(), installed.module().parent().unwrap().to_owned()] {
        fs::set_permissions(open, Permissions::from_mode(0o755)).unwrap();
    }
    let module = installed.module();
    let output = installed.for_services("install", &["--module", module.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!installed.prefix().join("lib/ropewalk/provider/ropewalk.so").exists());
    let configuration = installed.prefix().join("etc/ropewalk/openssl.cnf");
    let written = fs::read_to_string(configuration).unwrap();
    assert!(written.contains(&format!("\nropewalk-module = {}\n", module.display())), "{written}");
}

/// Services cannot use files that only root can read.
#[test]
fn folders_that_are_closed() {
    let Some(installed) = Installed::new() else { return };
    if !is_root() {
        eprintln!("skipped: only root may be another user");
        return;
    }
    installed.open_to_others(0o700);
    let closed = installed.folder.path().canonicalize().unwrap();
    let mut install = installed.provider("install");
    let output = install.arg("--module").arg(installed.module()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let said = text(&output);
    let warning = format!("for {} has mode 0700", closed.display());
    assert!(said.contains(&warning) && said.contains("install --system"), "{said}");

    let status = |words: &[&str]| installed.provider("status").args(words).output().unwrap();
    let output = status(&["--user", "nobody"]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let said = text(&output);
    let at = installed.folder.path().display();
    assert!(said.contains("nothing is served by ropewalk to nobody"), "{said}");
    assert!(
        said.contains("permission denied: ") && said.contains(&format!("which lies in {at}")),
        "{said}"
    );
    assert_eq!(status(&[]).status.code(), Some(0));

    // The configuration is readable for all, and the module is not.
    installed.open_to_others(0o755);
    let folder = installed.module().parent().unwrap().to_owned();
    let close =
        |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    close(&folder, 0o700);
    let said = text(&status(&["--user", "nobody"]));
    assert!(
        said.contains(&format!("permission denied: {}", installed.module().display())),
        "{said}"
    );
    close(&folder, 0o755);
    close(&installed.module(), 0o755);
    assert_eq!(status(&["--user", "nobody"]).status.code(), Some(0));

    let output = status(&["--user", "no such user"]);
    assert!(stderr(&output).contains("no user is called no such user"), "{}", stderr(&output));
}
