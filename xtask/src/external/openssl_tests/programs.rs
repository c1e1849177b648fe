//! Programs of ours in C with calls that `evp_test` lacks, compiled with the OpenSSL that was built.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail};

use super::{
    built::{Built, OpenSsl},
    evp_test,
};
use crate::process::{self, Outcome, program};

/// Each takes a second.
pub(super) const LIMIT: Duration = Duration::from_secs(600);

/// A program.
struct Program {
    name: &'static str,
    /// The version that it is for; `None` for all.
    openssl: Option<&'static str>,
    /// Algorithms that it must call.
    calls: &'static [&'static str],
}

const PROGRAMS: [Program; 3] = [
    Program {
        name: "multi_block",
        openssl: None,
        calls: &[
            "AES-128-CBC-HMAC-SHA1",
            "AES-256-CBC-HMAC-SHA1",
            "AES-128-CBC-HMAC-SHA256",
            "AES-256-CBC-HMAC-SHA256",
        ],
    },
    Program {
        name: "pipes",
        openssl: Some("4"),
        calls: &["AES-128-GCM", "AES-256-GCM", "ChaCha20-Poly1305"],
    },
    Program {
        name: "sequences",
        openssl: None,
        calls: &["SHAKE128", "AES-256-GCM", "AES-128-WRAP", "HMAC", "TLS13-KDF"],
    },
];

/// The source of a program.
pub(super) fn source(root: &Path, name: &str) -> PathBuf {
    root.join(format!("crates/ropewalk-openssl/tests/{name}.c"))
}

/// Compiles and runs the programs for this version.
pub(super) fn run(
    root: &Path,
    openssl: &OpenSsl,
    built: &Built,
    configuration: &Path,
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for test in &PROGRAMS {
        if test.openssl.is_some_and(|name| name != openssl.name) {
            continue;
        }
        let source = source(root, test.name);
        let file = folder.path().join(test.name);
        let mut compiler = program("cc");
        compiler.args(["-g", "-O1", "-Wall", "-Werror"]);
        compiler.arg("-I").arg(&built.headers).arg(source).arg("-o").arg(&file);
        compiler.arg("-L").arg(&built.libraries).arg("-lcrypto");
        process::output(&mut compiler, LIMIT)?;
        let mut command = built.command(&file);
        command.env("OPENSSL_CONF", configuration).env("ROPEWALK_STATS", "1");
        let Outcome { status, out, err } = process::outcome(&mut command, LIMIT)?;
        if !status.success() {
            bail!("{} ({status}):\n{out}{err}", test.name);
        }
        let calls = evp_test::calls(&err);
        for name in test.calls {
            let count = calls.get(*name).filter(|&&count| count > 0);
            count.with_context(|| format!("{} has not called {name}", test.name))?;
        }
        println!("{}: passed", test.name);
    }
    Ok(())
}
