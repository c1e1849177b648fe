//! Tools and libraries of Debian's newest suite, unpacked with a C library of their own.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::{place::Place, tool::Ready};
use crate::{
    external::peers::{
        built::compiler,
        debian::{loader, named},
    },
    process,
};

/// The origin of a tool.
pub(super) struct Packages {
    /// The name of its folder.
    pub(super) name: &'static str,
    /// Packages that it needs.
    pub(super) packages: &'static [&'static str],
    /// The name of its file.
    pub(super) program: &'static str,
    /// The library's file name, up to `.so`.
    pub(super) library: &'static str,
    /// The peer of the lab that loads it.
    pub(super) peer: &'static str,
    /// Its source, if no package has the program.
    pub(super) source: Option<Source>,
}

/// A program with one source file.
pub(super) struct Source {
    /// The package whose source contains it.
    pub(super) package: &'static str,
    /// The packages with the headers of the library.
    pub(super) headers: &'static [&'static str],
    /// The path of the source.
    pub(super) file: &'static str,
    /// A further file that it needs: its path in the sources, and its text.
    pub(super) beside: Option<(&'static str, &'static str)>,
    /// Options of the compiler.
    pub(super) flags: &'static [&'static str],
    /// Libraries that it is linked to, by the names of their files.
    pub(super) libraries: &'static [&'static str],
}

impl Packages {
    /// Unpacks or builds it, if it is missing.
    pub(super) fn get(&self, place: &Place) -> Result<Ready> {
        let fill = |folder: &Path| self.fill(place, folder);
        place.cache.tool(self.name, fill, |folder| self.open(place, folder))
    }

    fn fill(&self, place: &Place, folder: &Path) -> Result<()> {
        let packages = [self.packages, &["libc6", "libgcc-s1"]].concat();
        place.apt()?.unpack_whole(&packages, folder)?;
        match &self.source {
            Some(source) => source.build(place, folder, &self.program(folder)),
            None => Ok(()),
        }
    }

    fn open(&self, place: &Place, folder: &Path) -> Result<Ready> {
        let folder = fs::canonicalize(folder)?;
        let libraries = folder.join("usr/lib");
        let library = named(&libraries, &format!("{}.so", self.library))?;
        let library = fs::canonicalize(library.context("it has no library")?)?;
        let loader = loader(&libraries)?.context("it has no loader")?;
        let places = [&library, &loader].map(|file| file.parent().map(Path::to_path_buf));
        let program = self.program(&folder);
        fs::metadata(&program).with_context(|| format!("no {}", program.display()))?;
        Ok(Ready {
            program,
            libraries: places.into_iter().flatten().collect(),
            loader: Some(loader),
            peer: self.peer,
            library,
            core: place.core,
        })
    }

    fn program(&self, folder: &Path) -> PathBuf {
        folder.join("usr/bin").join(self.program)
    }
}

impl Source {
    /// Uses the compiler and headers of this machine, except those of the library.
    fn build(&self, place: &Place, folder: &Path, program: &Path) -> Result<()> {
        let work = tempfile::tempdir_in(folder)?;
        let (apt, headers) = (place.apt()?, work.path().join("headers"));
        apt.unpack(self.headers, &headers)?;
        let source = apt.source(self.package, work.path())?;
        if let Some((file, text)) = self.beside {
            fs::write(source.join(file), text)?;
        }
        let include = headers.join("usr/include");
        let loader = loader(&folder.join("usr/lib"))?.context("a C library has a loader")?;
        let libraries = loader.parent().context("a loader is in a folder")?;
        let own = include.join(libraries.file_name().context("a folder has a name")?);
        fs::create_dir_all(folder.join("usr/bin"))?;
        let mut compile = compiler();
        compile.current_dir(&source).args(["-O2", "-o"]).arg(program).arg(self.file);
        compile.args(self.flags).arg("-I").arg(&include).arg("-I").arg(own).arg("-I.");
        compile
            .arg("-L")
            .arg(libraries)
            .args(self.libraries.iter().map(|name| format!("-l:{name}")));
        compile.args(["-Wl,--allow-shlib-undefined", "-lm", "-lpthread"]);
        process::output(&mut compile, process::SOON).map(drop)
    }
}
