//! Scripts: the interpreter of a script, and the program that a launcher starts.

use std::{
    env,
    ffi::OsStr,
    fs::File,
    io::Read as _,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use super::Tree;

/// The program that a script refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Next {
    /// The program, by its path in the tree.
    pub(super) path: PathBuf,
    /// Its role.
    pub(super) why: &'static str,
}

/// The part of a script that Linux reads for its first line, and the size limit of a launcher.
const FIRST_LINE: usize = 256;
const LAUNCHER: u64 = 1 << 16;

/// The program that a script refers to; none if the file is not a script.
///
/// # Errors
/// If there is no such program, with the reason.
pub(super) fn next(file: &Path, tree: &Tree) -> Option<Result<Next, String>> {
    if !file.is_file() {
        return None;
    }
    let mut start = Vec::new();
    File::open(file).ok()?.take(LAUNCHER).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?;
    let line = &line[..line.len().min(FIRST_LINE)];
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if tree.is_here()
        && let Some(python) = pyenv(&start, file)
    {
        return Some(python);
    }
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let Some(interpreter) = words.next() else {
        return Some(Err("its first line names no program".into()));
    };
    let interpreter = Path::new(OsStr::from_bytes(interpreter));
    let path = match interpreter.file_name() == Some(OsStr::new("env")) {
        // Options and variables come before the program.
        true => words
            .find(|word| !word.starts_with(b"-") && !word.contains(&b'='))
            .map(|name| in_path(OsStr::from_bytes(name), tree)),
        false => Some(Ok(interpreter.into())),
    };
    let path = path.unwrap_or_else(|| Err("its first line names no program".into()));
    Some(path.map(|path| Next { path, why: "its interpreter" }))
}

/// A program by its name.
fn in_path(name: &OsStr, tree: &Tree) -> Result<PathBuf, String> {
    if name.as_bytes().contains(&b'/') {
        return Ok(name.into());
    }
    let here = env::var_os("PATH").filter(|_| tree.is_here());
    let folders = here
        .unwrap_or_else(|| "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".into());
    let mut all = env::split_paths(&folders).map(|folder| folder.join(name));
    let found = all.find(|path| tree.find(path).is_ok_and(|file| file.is_file()));
    found.ok_or_else(|| {
        format!("its interpreter {} is in no folder of PATH", Path::new(name).display())
    })
}

/// The Python that a launcher of pyenv starts, by the rules of `pyenv version-name`.
fn pyenv(script: &[u8], file: &Path) -> Option<Result<Next, String>> {
    let script = std::str::from_utf8(script).ok()?;
    script.contains("libexec/pyenv\" exec").then_some(())?;
    let root = script.lines().find_map(|line| line.strip_prefix("export PYENV_ROOT="))?;
    let root = Path::new(root.trim_matches('"'));
    let name = file.file_name()?;
    let first = |text: String| {
        text.split([':', '\n', ' ']).map(str::trim).find(|it| !it.is_empty()).map(str::to_owned)
    };
    let read = |path: PathBuf| std::fs::read_to_string(path).ok().and_then(first);
    let set = env::var("PYENV_VERSION").ok().and_then(first);
    let local = || {
        let folder = env::current_dir().ok()?;
        folder.ancestors().find_map(|folder| read(folder.join(".python-version")))
    };
    let version = set.or_else(local).or_else(|| read(root.join("version")));
    let version = version.unwrap_or_else(|| "system".into());
    let why = "the program that pyenv starts";
    if version != "system" && !version.contains('/') {
        let path = root.join("versions").join(&version).join("bin").join(name);
        return Some(match path.is_file() {
            true => Ok(Next { path, why }),
            false => {
                Err(format!("pyenv has no {} of version {version}", Path::new(name).display()))
            }
        });
    }
    // The folders after the launchers.
    let folders = env::var_os("PATH").unwrap_or_default();
    let shims = root.join("shims");
    let mut all = env::split_paths(&folders).filter(|folder| *folder != shims);
    let path = all.find_map(|folder| Some(folder.join(name)).filter(|path| path.is_file()))?;
    Some(Ok(Next { path, why }))
}
