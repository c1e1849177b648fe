//! A Linux that runs as a program: Debian's User Mode Linux, with algorithms that this kernel may lack.

use std::{
    fs::{self, Permissions},
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
    },
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};

use super::{Cache, Way, apt, bochs::Archive, building::keep_only, first};
use crate::process::{self, SOON, program};

/// Long enough for a start and some tests, on a slow machine.
const LIMIT: Duration = Duration::from_secs(900);

/// The kernel, its C library, and the shell that runs first.
const PACKAGES: [&str; 4] = ["user-mode-linux", "libc6", "libgcc-s1", "busybox-static"];

/// Folders of modules that are kept: with the others, its memory would be full before it starts.
const MODULES: [&str; 2] = ["kernel/crypto", "kernel/lib"];

/// A kernel and its modules.
pub struct Uml {
    kernel: PathBuf,
    loader: PathBuf,
    libraries: PathBuf,
    busybox: PathBuf,
    /// Files of modules and their lists, by their paths below `lib/modules`.
    modules: Vec<(String, PathBuf)>,
}

impl Uml {
    /// Debian's newest one.
    ///
    /// # Errors
    /// [`CannotRun`](crate::stage::CannotRun) if it cannot be fetched.
    pub fn get(root: &Path) -> Result<Self> {
        let cache = Cache::open(root)?;
        let fetch = || cache.tool("user-mode-linux", fill, Self::open);
        let ways = [Way::new("Debian's sid", fetch)];
        first("User Mode Linux", ways, "this needs a Debian for x86-64, of which it has packages")
    }

    fn open(folder: &Path) -> Result<Self> {
        let libraries = folder.join("usr/lib/x86_64-linux-gnu");
        let modules = folder.join("usr/lib/uml/modules");
        let version = only(&modules)?;
        let mut files = Vec::new();
        walk(&version, &modules, &mut files)?;
        let uml = Self {
            kernel: folder.join("usr/bin/linux.uml"),
            loader: libraries.join("ld-linux-x86-64.so.2"),
            busybox: folder.join("usr/bin/busybox"),
            libraries,
            modules: files,
        };
        for file in [&uml.kernel, &uml.loader, &uml.busybox] {
            fs::metadata(file).with_context(|| format!("no {}", file.display()))?;
        }
        Ok(uml)
    }

    /// Starts it with these modules and programs, runs a shell script, and returns its output.
    ///
    /// # Errors
    /// Fails if it does not end, or the script fails.
    pub fn run(&self, modules: &[&str], programs: &[PathBuf], script: &str) -> Result<String> {
        // A folder with a short path, as `with_loader` needs.
        let folder = tempfile::tempdir_in("/tmp")?;
        let at = |name: &str| folder.path().join(name);
        symlink(&self.loader, at("ld"))?;
        let kernel = with_loader(fs::read(&self.kernel)?, &at("ld"))?;
        fs::write(at("linux"), kernel)?;
        fs::set_permissions(at("linux"), Permissions::from_mode(0o755))?;
        fs::write(at("files"), self.files(modules, programs, script)?)?;
        let mut command = program(at("linux"));
        command.args(["mem=768M", "seccomp=on", "con=null", "con0=fd:0,fd:1", "quiet"]);
        command.arg(format!("initrd={}", at("files").display())).current_dir(&folder);
        command.env("LD_LIBRARY_PATH", &self.libraries).stdin(Stdio::null());
        let said = process::answer(&mut command, LIMIT)?.replace('\r', "");
        ensure!(said.lines().any(|line| line == DONE), "it did not run to the end:\n{said}");
        Ok(said)
    }

    fn files(&self, modules: &[&str], programs: &[PathBuf], script: &str) -> Result<Vec<u8>> {
        let mut archive = Archive::default();
        for name in ["bin", "sbin", "dev", "proc", "sys", "tmp", "tests", "lib", "lib/modules"] {
            archive.folder(name)?;
        }
        let busybox = fs::read(&self.busybox)?;
        archive.program("bin/busybox", &busybox)?;
        // The program that the kernel calls for missing modules.
        archive.program("sbin/modprobe", &busybox)?;
        for (name, path) in &self.modules {
            match path.is_dir() {
                true => archive.folder(&format!("lib/modules/{name}"))?,
                false => archive.program(&format!("lib/modules/{name}"), &fs::read(path)?)?,
            }
        }
        let mut libraries = Vec::new();
        for path in programs {
            let small = tempfile::NamedTempFile::new()?;
            process::output(program("strip").arg("-g").arg("-o").args([small.path(), path]), SOON)?;
            let name = path.file_name().context("a program has a name")?.to_string_lossy();
            archive.program(&format!("tests/{name}"), &fs::read(small.path())?)?;
            let loads = process::output(program("ldd").arg(path), SOON)?;
            let paths = loads.split_whitespace().filter(|word| word.starts_with('/'));
            libraries.extend(paths.map(PathBuf::from));
        }
        libraries.sort();
        libraries.dedup();
        libraries.iter().try_for_each(|library| archive.library(library))?;
        let load: String =
            modules.iter().map(|name| format!("/sbin/modprobe {name} || exit\n")).collect();
        let init = format!("{START}{load}{script}\n/bin/busybox echo; /bin/busybox echo {DONE}\n");
        archive.program("init", (init + STOP).as_bytes())?;
        archive.finish()
    }
}

/// The first program of the machine. If one of its commands fails, it ends, and the kernel with it.
const START: &str = "#!/bin/busybox sh
trap '/bin/busybox poweroff -f' EXIT
set -e
/bin/busybox mount -t devtmpfs none /dev
/bin/busybox mount -t proc none /proc
/bin/busybox mount -t sysfs none /sys
/bin/busybox mount -t tmpfs none /tmp
";

/// Printed after success.
const DONE: &str = "all is done";

/// The last command.
const STOP: &str = "/bin/busybox poweroff -f\n";

fn fill(folder: &Path) -> Result<()> {
    let apt = apt::Apt::new(folder, &apt::Sources::Suites(&["sid"]), &[])?;
    let root = folder.join("usr");
    apt.unpack(&PACKAGES, folder)?;
    keep_only(folder, "usr")?;
    let modules = only(&root.join("lib/uml/modules"))?;
    let kept = tempfile::tempdir_in(folder)?;
    for (i, name) in MODULES.iter().enumerate() {
        fs::rename(modules.join(name), kept.path().join(i.to_string()))?;
    }
    fs::remove_dir_all(modules.join("kernel"))?;
    fs::create_dir(modules.join("kernel"))?;
    for (i, name) in MODULES.iter().enumerate() {
        fs::rename(kept.path().join(i.to_string()), modules.join(name))?;
    }
    Ok(())
}

/// The same program with another loader: its own is that of this machine, whose C library may be too old. A loader on
/// the command line does not work, since it reserves the memory after itself.
fn with_loader(mut kernel: Vec<u8>, loader: &Path) -> Result<Vec<u8>> {
    const OWN: &[u8] = b"/lib64/ld-linux-x86-64.so.2\0";
    let at = kernel.windows(OWN.len()).position(|window| window == OWN);
    let place = &mut kernel[at.context("it names no loader")?..][..OWN.len()];
    let mut path = loader.as_os_str().as_bytes().to_vec();
    ensure!(path.len() < OWN.len(), "{} is too long", loader.display());
    path.resize(OWN.len(), 0);
    place.copy_from_slice(&path);
    Ok(kernel)
}

/// The only entry of a folder.
fn only(folder: &Path) -> Result<PathBuf> {
    let mut entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    match (entries.next(), entries.next()) {
        (Some(one), None) => Ok(one?.path()),
        _ => bail!("{} has not one entry", folder.display()),
    }
}

/// Everything below a folder and the folder itself, each after its parent, named from `base`.
fn walk(folder: &Path, base: &Path, files: &mut Vec<(String, PathBuf)>) -> Result<()> {
    let name = folder.strip_prefix(base)?.to_string_lossy().into_owned();
    files.push((name, folder.into()));
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            walk(&entry?.path(), base, files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loader_is_another_of_the_same_length() {
        let kernel = b"before/lib64/ld-linux-x86-64.so.2\0after".to_vec();
        let length = kernel.len();
        let other = with_loader(kernel.clone(), Path::new("/x/y/ld")).unwrap();
        assert!(other.starts_with(b"before/x/y/ld\0") && other.ends_with(b"\0after"));
        assert_eq!(other.len(), length);
        assert!(with_loader(kernel, Path::new("/a-folder-with-a-long-name/ld")).is_err());
        assert!(with_loader(b"none".to_vec(), Path::new("/x/y/ld")).is_err());
    }
}
