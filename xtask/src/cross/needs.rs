//! The C library that a program needs: the newest of the versions that it names.

use std::fmt;

use anyhow::Result;
use object::{
    Endianness, FileKind,
    elf::{FileHeader32, FileHeader64},
    read::elf::FileHeader,
};

/// A version of the C library: `GLIBC_2.17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version {
    pub(super) major: u32,
    pub(super) minor: u32,
    patch: u32,
}

impl Version {
    pub(super) fn parse(name: &str) -> Option<Self> {
        let mut numbers = name.strip_prefix("GLIBC_")?.split('.').map(|part| part.parse().ok());
        let [major, minor] = [numbers.next()??, numbers.next()??];
        let patch = numbers.next().map_or(Some(0), |patch| patch)?;
        Some(Self { major, minor, patch })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GLIBC_{}.{}", self.major, self.minor)?;
        if self.patch > 0 {
            write!(f, ".{}", self.patch)?;
        }
        Ok(())
    }
}

/// The oldest C library that the program starts on; `None` if it needs none.
pub(super) fn libc(program: &[u8]) -> Result<Option<Version>> {
    let names = match FileKind::parse(program)? {
        FileKind::Elf32 => names::<FileHeader32<Endianness>>(program)?,
        _ => names::<FileHeader64<Endianness>>(program)?,
    };
    Ok(names.iter().filter_map(|name| Version::parse(name)).max())
}

/// Every version of every library that it needs.
fn names<Header: FileHeader<Endian = Endianness>>(program: &[u8]) -> Result<Vec<String>> {
    let header = Header::parse(program)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, program)?;
    let mut names = Vec::new();
    let Some((mut libraries, link)) = sections.gnu_verneed(endian, program)? else {
        return Ok(names);
    };
    let strings = sections.strings(endian, program, link)?;
    while let Some((_, mut versions)) = libraries.next()? {
        while let Some(version) = versions.next()? {
            names.push(String::from_utf8_lossy(version.name(endian, strings)?).into_owned());
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        let version = |name| Version::parse(name).unwrap();
        assert!(version("GLIBC_2.4") < version("GLIBC_2.17"));
        assert!(version("GLIBC_2.2") < version("GLIBC_2.2.5"));
        assert_eq!(version("GLIBC_2.2.5").to_string(), "GLIBC_2.2.5");
        assert_eq!(version("GLIBC_2.17").to_string(), "GLIBC_2.17");
        for name in ["GLIBC_PRIVATE", "GCC_3.0", "GLIBC_2", "GLIBC_2.x", ""] {
            assert_eq!(Version::parse(name), None, "{name}");
        }
    }

    #[test]
    fn this_test_asks_for_a_c_library() {
        let this = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(libc(&this).unwrap() >= Version::parse("GLIBC_2.2.5"));
        assert!(libc(b"#!/bin/sh\n").is_err());
    }
}
