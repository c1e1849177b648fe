//! Libraries whose sources come in crates: built as shared libraries that keep their symbols.
//!
//! Each is fetched by a package that is written here, since the workspace's own build must not depend on
//! them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;

use super::probe::{Library, Probe};
use crate::{
    process::{self, program},
    tools::{
        Cache,
        building::{keep_only, must_be_here},
    },
};

/// Long enough for a slow machine.
const LIMIT: Duration = Duration::from_secs(1800);

/// A line of OpenSSL: its version in the crate `openssl-src`, and what its shared library is called.
#[derive(Clone, Copy)]
pub(super) struct OpenSsl {
    pub(super) name: &'static str,
    of_crate: &'static str,
    file: &'static str,
}

/// The newest, and the last one without providers, which older systems still have.
pub(super) const OPENSSL: [OpenSsl; 2] = [
    OpenSsl { name: "openssl", of_crate: "400", file: "libcrypto.so.4" },
    OpenSsl { name: "openssl-1.1", of_crate: "111", file: "libcrypto.so.1.1" },
];

impl OpenSsl {
    /// The crate builds an archive, and lacks what a shared library needs.
    pub(super) fn get(self, cache: &Cache, probe: &Probe) -> Result<Library> {
        let Self { name, of_crate, file } = self;
        must_be_here("perl", "--version")?;
        must_be_here("make", "--version")?;
        let fill = |folder: &Path| {
            let dependency = format!("openssl-src = \"{of_crate}\"");
            let manifest = package(folder, "build-dependencies", &dependency)?;
            let built = folder.join("built");
            fs::write(folder.join("build.rs"), BUILD_OPENSSL)?;
            let mut build = process::cargo();
            build.args(["build", "--release", "--manifest-path"]).arg(manifest);
            build.env("CARGO_TARGET_DIR", folder.join("target")).env("ROPEWALK_OUT", &built);
            process::output(build.env_remove("RUSTFLAGS"), LIMIT)?;
            let mut link = compiler();
            link.arg("-shared").arg(format!("-Wl,-soname,{file}")).args(["-Wl,-Bsymbolic", "-o"]);
            link.arg(folder.join(file));
            link.arg("-Wl,--whole-archive").arg(built.join("install/lib/libcrypto.a"));
            link.args(["-Wl,--no-whole-archive", "-ldl", "-lpthread"]);
            process::output(&mut link, LIMIT)?;
            keep_only(folder, file)
        };
        let open = |folder: &Path| probe.open("libcrypto", &folder.join(file), None);
        cache.built(name, fill, open)
    }
}

/// On x86-64 the folder would be `lib64`, but for the crate.
const BUILD_OPENSSL: &str = r#"
fn main() {
    let out = std::env::var_os("ROPEWALK_OUT").expect("the caller says where");
    openssl_src::Build::new().out_dir(out).build();
}
"#;

/// AWS-LC: the crate `aws-lc-sys` needs bindgen to leave the symbols without its prefix, so its
/// sources are built as AWS-LC says.
pub(super) fn aws_lc(cache: &Cache, probe: &Probe) -> Result<Library> {
    must_be_here("cmake", "--version")?;
    let fill = |folder: &Path| {
        let manifest = package(folder, "dependencies", "aws-lc-sys = \"*\"")?;
        let metadata = MetadataCommand::new().manifest_path(manifest).exec()?;
        let sys = metadata.packages.iter().find(|package| package.name.as_str() == "aws-lc-sys");
        let sys = sys.context("cargo has not fetched it")?.manifest_path.parent();
        let built = folder.join("built");
        let mut configure = program("cmake");
        configure.arg("-S").arg(sys.context("it is in a folder")?.join("aws-lc"));
        configure.arg("-B").arg(&built).args(["-DCMAKE_BUILD_TYPE=Release"]);
        let off =
            ["BUILD_TESTING", "BUILD_TOOL", "BUILD_LIBSSL"].map(|name| format!("-D{name}=OFF"));
        let on =
            ["BUILD_SHARED_LIBS", "DISABLE_GO", "DISABLE_PERL"].map(|name| format!("-D{name}=ON"));
        process::output(configure.args(off).args(on), LIMIT)?;
        let mut build = program("cmake");
        build.arg("--build").arg(&built).args(["--target", "crypto", "--parallel"]);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        process::output(build.arg(cores.to_string()), LIMIT)?;
        fs::copy(built.join("crypto/libcrypto.so"), folder.join("libcrypto.so"))?;
        keep_only(folder, "libcrypto.so")
    };
    let open = |folder: &Path| probe.open("libcrypto", &folder.join("libcrypto.so"), None);
    cache.built("aws-lc", fill, open)
}

/// A package with one dependency; gives its manifest.
pub(crate) fn package(folder: &Path, section: &str, dependency: &str) -> Result<PathBuf> {
    fs::create_dir(folder.join("src"))?;
    fs::write(folder.join("src/lib.rs"), "")?;
    let manifest = folder.join("Cargo.toml");
    fs::write(
        &manifest,
        format!(
            "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
             [{section}]\n{dependency}\n[workspace]\n"
        ),
    )?;
    Ok(manifest)
}

/// That which links Rust programs too.
pub(crate) fn compiler() -> Command {
    program(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
}
