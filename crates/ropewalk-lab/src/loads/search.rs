//! The search order of the loader for a library (ld.so(8); for musl `ldso/dynlink.c`).

use std::{
    env,
    ffi::OsStr,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use object::elf;

use super::{
    Tree,
    dynamic::{Dynamic, Machine},
};
use crate::{filename::shown, installed::cache};

/// The places for all libraries of one program.
pub(super) struct Search<'a> {
    tree: &'a Tree,
    machine: Machine,
    /// `LD_LIBRARY_PATH`.
    variable: Vec<PathBuf>,
    /// Names and paths in the loader's cache.
    cache: Vec<(Vec<u8>, PathBuf)>,
    folders: Vec<PathBuf>,
}

/// A file that the loader accepts.
pub(super) struct Taken {
    /// With all links resolved, by its path on this machine.
    pub(super) file: PathBuf,
    /// As the loader has found it, in the tree.
    pub(super) path: PathBuf,
    pub(super) dynamic: Dynamic,
}

/// A file that requests a library, and the one that has requested it.
pub(super) struct Asks<'a> {
    pub(super) dynamic: &'a Dynamic,
    /// Its folder, in the tree.
    pub(super) origin: &'a Path,
}

/// The names of architecture folders on Debian and derivatives.
const TRIPLETS: &[(u16, &str)] = &[
    (elf::EM_X86_64.0, "x86_64-linux-gnu"),
    (elf::EM_386.0, "i386-linux-gnu"),
    (elf::EM_AARCH64.0, "aarch64-linux-gnu"),
    (elf::EM_ARM.0, "arm-linux-gnueabihf"),
    (elf::EM_ARM.0, "arm-linux-gnueabi"),
    (elf::EM_RISCV.0, "riscv64-linux-gnu"),
];

/// More bytes than the cache of any machine has.
const MOST: u64 = 64 << 20;

impl<'a> Search<'a> {
    /// For a program of that machine, with a loader of that name.
    pub(super) fn new(tree: &'a Tree, machine: Machine, interpreter: &[u8]) -> Self {
        let triplets = || TRIPLETS.iter().filter(|(of, _)| *of == machine.number).map(|(_, it)| it);
        let list = |path: &str| tree.read(Path::new(path), MOST);
        let set = env::var_os("LD_LIBRARY_PATH").filter(|_| tree.is_here());
        let variable = set.iter().flat_map(env::split_paths);
        let variable = variable.filter(|folder| !folder.as_os_str().is_empty()).collect();
        let loader = Path::new(OsStr::from_bytes(interpreter)).file_name().unwrap_or_default();
        let loader = loader.to_string_lossy();
        if let Some(rest) = loader.strip_prefix("ld-musl-") {
            let arch = rest.split('.').next().unwrap_or_default();
            let listed = list(&format!("/etc/ld-musl-{arch}.path"));
            let listed = listed.split(|byte| b"\n:".contains(byte)).filter(|it| !it.is_empty());
            let mut folders: Vec<PathBuf> =
                listed.map(|folder| OsStr::from_bytes(folder).into()).collect();
            if folders.is_empty() {
                folders = ["/lib", "/usr/local/lib", "/usr/lib"].map(PathBuf::from).to_vec();
            }
            return Self { tree, machine, variable, cache: Vec::new(), folders };
        }
        let bases = ["/lib", "/usr/lib"];
        let of_arch = triplets().flat_map(|it| bases.map(|base| Path::new(base).join(it)));
        let wide = ["/lib64", "/usr/lib64"].map(PathBuf::from).into_iter();
        let folders = of_arch.chain(wide.filter(|_| machine.is_64)).chain(bases.map(PathBuf::from));
        let cache = cache::entries(&list("/etc/ld.so.cache"));
        Self { tree, machine, variable, cache, folders: folders.collect() }
    }

    /// The library of that name for the last of `askers`, each of which was loaded by the one before it.
    ///
    /// # Errors
    /// Files of that name that it does not accept, with the reasons.
    pub(super) fn find(&self, name: &[u8], askers: &[Asks<'_>]) -> Result<Taken, Vec<String>> {
        let path = Path::new(OsStr::from_bytes(name));
        let mut refused = Vec::new();
        if name.contains(&b'/') {
            return self.take(path, &mut refused).ok_or(refused);
        }
        let asker = askers.last();
        let runpath = asker.and_then(|it| Some((it.dynamic.runpath.as_ref()?, it.origin)));
        // With a run path of its own, the loader ignores the older paths of all.
        let older =
            askers.iter().rev().filter(|it| runpath.is_none() && it.dynamic.runpath.is_none());
        let older = older.filter_map(|it| Some((it.dynamic.rpath.as_ref()?, it.origin)));
        let older = older.flat_map(|(list, origin)| self.folders_of(list, origin));
        let newer = runpath.into_iter().flat_map(|(list, origin)| self.folders_of(list, origin));
        let listed = self.cache.iter().filter(|(known, _)| known == name);
        let all = older
            .chain(self.variable.iter().cloned())
            .chain(newer)
            .map(|folder| folder.join(path))
            .chain(listed.map(|(_, path)| path.clone()))
            .chain(self.folders.iter().map(|folder| folder.join(path)));
        for path in all {
            if let Some(taken) = self.take(&path, &mut refused) {
                return Ok(taken);
            }
        }
        Err(refused)
    }

    fn take(&self, path: &Path, refused: &mut Vec<String>) -> Option<Taken> {
        let file = self.tree.find(path).ok()?;
        let why = match Dynamic::read(&file) {
            Ok(dynamic) if dynamic.machine == self.machine => {
                return Some(Taken { file, path: path.into(), dynamic });
            }
            Ok(_) => "is for another processor".into(),
            Err(why) => format!("cannot be read: {why:#}"),
        };
        refused.push(format!("{} {why}", shown(path)));
        None
    }

    /// The folders of a search path of a file, with variables expanded.
    fn folders_of(&self, list: &[u8], origin: &Path) -> Vec<PathBuf> {
        let triplets = TRIPLETS.iter().filter(|(of, _)| *of == self.machine.number);
        let triplets: Vec<&str> = triplets.map(|(_, triplet)| *triplet).collect();
        let arch = triplets.first().and_then(|it| it.split('-').next()).unwrap_or_default();
        let libs: Vec<String> = triplets
            .iter()
            .map(|triplet| format!("lib/{triplet}"))
            .chain(["lib64".into(), "lib".into()])
            .collect();
        let mut folders = Vec::new();
        for item in list.split(|byte| *byte == b':').filter(|item| !item.is_empty()) {
            let item = filled(item, "ORIGIN", origin.as_os_str().as_bytes());
            let item = filled(&item, "PLATFORM", arch.as_bytes());
            let all = libs.iter().map(|lib| filled(&item, "LIB", lib.as_bytes()));
            for folder in all {
                let folder = PathBuf::from(OsStr::from_bytes(&folder));
                // Paths relative to the current folder have no meaning in another machine's tree.
                if (folder.is_absolute() || self.tree.is_here()) && folders.last() != Some(&folder)
                {
                    folders.push(folder);
                }
            }
        }
        folders
    }
}

/// A list with `$WORD` and `${WORD}` replaced.
fn filled(text: &[u8], word: &str, with: &[u8]) -> Vec<u8> {
    let forms = [format!("${{{word}}}"), format!("${word}")];
    let mut all = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        match forms.iter().find_map(|form| rest.strip_prefix(form.as_bytes())) {
            Some(behind) => {
                all.extend(with);
                rest = behind;
            }
            None => {
                all.push(*first);
                rest = after;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn words_of_lists_are_filled_in() {
        let tree = Tree::default();
        let machine = Machine { number: elf::EM_AARCH64.0, is_64: true, is_big: false };
        let search = Search::new(&tree, machine, b"/lib/ld-linux-aarch64.so.1");
        let folders = |list: &str| search.folders_of(list.as_bytes(), Path::new("/opt/a/bin"));
        assert_eq!(folders("$ORIGIN/../lib::/b"), ["/opt/a/bin/../lib", "/b"].map(PathBuf::from));
        assert_eq!(folders("${ORIGIN}"), ["/opt/a/bin"].map(PathBuf::from));
        let libs = ["/x/lib/aarch64-linux-gnu", "/x/lib64", "/x/lib"].map(PathBuf::from);
        assert_eq!(folders("/x/$LIB"), libs);
        assert_eq!(folders("/$PLATFORM"), ["/aarch64"].map(PathBuf::from));
    }

    #[test]
    fn musl_has_folders_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("etc")).unwrap();
        let machine = Machine { number: elf::EM_X86_64.0, is_64: true, is_big: false };
        let tree = Tree::below(folder.path()).unwrap();
        let folders = || Search::new(&tree, machine, b"/lib/ld-musl-x86_64.so.1").folders;
        assert_eq!(folders(), ["/lib", "/usr/local/lib", "/usr/lib"].map(PathBuf::from));
        fs::write(folder.path().join("etc/ld-musl-x86_64.path"), "/a\n/b:/c\n").unwrap();
        assert_eq!(folders(), ["/a", "/b", "/c"].map(PathBuf::from));
    }
}
