//! Programs with the module loaded by OpenSSL: a folder with the module and a configuration that names it.

#![allow(dead_code, reason = "each test uses what it needs")]

pub(crate) mod machine;
pub(crate) mod running;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command},
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

/// A folder that is deleted on drop.
pub(crate) struct Module {
    folder: PathBuf,
}

/// The counts of an algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) messages: u64,
    pub(crate) calls: u64,
    pub(crate) bytes: u64,
}

impl Module {
    /// The module that cargo builds, with a configuration that prefers it to OpenSSL's own provider.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let built = machine::module();
        assert!(built.is_file(), "no {}", built.display());
        let name = format!("ropewalk-openssl-{}-{}", process::id(), NEXT.fetch_add(1, Relaxed));
        let module = Self { folder: env::temp_dir().join(name) };
        fs::create_dir_all(&module.folder).expect("a folder");
        fs::copy(&built, module.path("ropewalk.so")).expect("a copy");
        let configuration = format!(
            "openssl_conf = init\n\
             [init]\nproviders = providers\nalg_section = algorithms\n\
             [providers]\ndefault = theirs\nropewalk = ours\n\
             [theirs]\nactivate = 1\n\
             [ours]\nmodule = {}\nactivate = 1\n\
             [algorithms]\ndefault_properties = ?provider=ropewalk\n",
            module.path("ropewalk.so").display()
        );
        fs::write(module.configuration(), configuration).expect("a configuration");
        module
    }

    /// A file in the folder.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    /// The value of `OPENSSL_CONF`.
    pub(crate) fn configuration(&self) -> PathBuf {
        self.path("ropewalk.cnf")
    }

    /// A program with the module, which prints its counts at the end.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = machine::command(program.as_ref());
        command.env("OPENSSL_CONF", self.configuration()).env("ROPEWALK_STATS", "1");
        command
    }

    /// The same without the module.
    pub(crate) fn command_without(&self, program: impl AsRef<Path>) -> Command {
        let mut command = machine::command(program.as_ref());
        command.env("OPENSSL_CONF", "/dev/null");
        command
    }

    /// A test's program in C, compiled into the folder.
    pub(crate) fn compile(&self, name: &str) -> PathBuf {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/{name}.c"));
        let program = self.path(name);
        let mut compiler = machine::compiler();
        compiler.args(["-g", "-O1", "-Wall", "-Werror"]).arg(source);
        compiler.arg("-o").arg(&program).args(["-lcrypto", "-lpthread"]);
        running::run(compiler, b"").well();
        program
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // A failed removal leaves it among temporary files.
        _ = fs::remove_dir_all(&self.folder);
    }
}

/// Every `n`-th case if `ROPEWALK_SAMPLE` is set, since an emulator is slow; else every case.
pub(crate) fn thin<T>(cases: impl Iterator<Item = T>, n: usize) -> impl Iterator<Item = T> {
    cases.step_by(if env::var_os("ROPEWALK_SAMPLE").is_some() { n } else { 1 })
}

/// The counts in the standard error of a program, by algorithm; forked processes included.
pub(crate) fn counts(stderr: &[u8]) -> BTreeMap<String, Count> {
    let text = String::from_utf8_lossy(stderr);
    let lines = text.lines().filter_map(|line| line.split_once("ropewalk: "));
    let mut counts = BTreeMap::<_, Count>::new();
    for (_, line) in lines {
        let Some((name, numbers)) = line.rsplit_once(": ") else { continue };
        let numbers = numbers.split(", ").map(|part| part.split(' ').next()?.parse().ok());
        let numbers: Option<Vec<u64>> = numbers.collect();
        let Some(&[messages, calls, bytes]) = numbers.as_deref() else { continue };
        let count = counts.entry(name.to_owned()).or_default();
        count.messages += messages;
        count.calls += calls;
        count.bytes += bytes;
    }
    counts
}
