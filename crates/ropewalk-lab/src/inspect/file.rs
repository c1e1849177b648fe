//! Reads files: a library or a program as a whole, an archive member by member.
//!
//! It reads instead of mapping: a file that is truncated meanwhile is then an error, and does not end the
//! process.

use std::{
    fs::{self, File},
    io::{ErrorKind, Read, Seek, SeekFrom},
    path::Path,
};

use anyhow::{Context, Result, bail, ensure};
use object::FileKind;

use super::{
    Finding, Unsupported, elf,
    evidence::Evidence,
    foreign,
    missing::{self, NoCode},
    siblings,
};

/// The largest library or program, or member of an archive, in bytes: it is held in memory.
pub const MOST: u64 = 512 << 20;

/// The most members that an archive may have.
const MEMBERS: usize = 1 << 20;

/// Reads a file and returns its contents.
///
/// # Errors
/// If it cannot be read, is too large, is damaged, or is neither an ELF file nor an archive of them.
pub fn inspect(path: &Path) -> Result<Finding> {
    let mut finding = inspect_alone(path)?;
    siblings::excuse(&mut finding, path);
    Ok(finding)
}

/// The same, without regard to other files.
pub(super) fn inspect_alone(path: &Path) -> Result<Finding> {
    // Before it is opened: opening a pipe blocks until it has a writer.
    let about = fs::metadata(path)?;
    ensure!(!about.is_dir(), "a folder: name the files in it");
    ensure!(about.is_file(), "not a file");
    of_reader(&mut File::open(path)?, about.len())
}

/// The same for an open file of that length, which is read from its start.
///
/// # Errors
/// As [`inspect`].
pub fn of_file(file: &mut File, len: u64, path: &Path) -> Result<Finding> {
    let mut finding = of_reader(file, len)?;
    siblings::excuse(&mut finding, path);
    Ok(finding)
}

/// Returns the contents of a file on disk with these bytes, decompressed.
///
/// # Errors
/// As [`inspect`].
pub fn of_bytes_at(bytes: &[u8], path: &Path) -> Result<Finding> {
    let mut finding = of_bytes(bytes)?;
    siblings::excuse(&mut finding, path);
    Ok(finding)
}

/// Returns the contents of the bytes of a file.
///
/// # Errors
/// As [`inspect`].
pub fn of_bytes(bytes: &[u8]) -> Result<Finding> {
    of_reader(&mut std::io::Cursor::new(bytes), bytes.len() as u64)
}

fn of_reader(file: &mut (impl Read + Seek), len: u64) -> Result<Finding> {
    let mut start = Vec::new();
    file.by_ref().take(START).read_to_end(&mut start)?;
    let mut evidence = Evidence::default();
    match kind(&start) {
        Kind::Elf => {
            let bytes = read(file, 0, len)?;
            let kind = elf::read(&bytes, &mut evidence)?;
            evidence.add_data(&bytes);
            Ok(Finding::new(kind.architecture, kind.form.into(), evidence))
        }
        Kind::Foreign => foreign::inspect(&read(file, 0, len)?),
        Kind::Archive => of_archive(file, len, evidence),
        Kind::Bitcode => {
            evidence.objects.add(Some(NoCode::Llvm));
            Ok(Finding::new(UNKNOWN, NoCode::Llvm.form().into(), evidence))
        }
        Kind::Other(what) => bail!("{what}"),
    }
}

/// The architecture of files that do not state it.
const UNKNOWN: &str = "unknown";

/// The bytes that determine the type of a file.
const START: u64 = 64;

enum Kind {
    Elf,
    /// Mach-O, PE, or a file that begins like PE.
    Foreign,
    Archive,
    /// Of LLVM.
    Bitcode,
    Other(&'static str),
}

fn kind(start: &[u8]) -> Kind {
    if start.starts_with(b"!<thin>\n") {
        return Kind::Other("a thin archive: name its members, which are files of their own");
    }
    if missing::is_bitcode(start) {
        return Kind::Bitcode;
    }
    match FileKind::parse(start) {
        Ok(FileKind::Elf32 | FileKind::Elf64) => Kind::Elf,
        Ok(FileKind::Archive) => Kind::Archive,
        Ok(FileKind::MachO32 | FileKind::MachO64) => Kind::Foreign,
        Ok(FileKind::MachOFat32 | FileKind::MachOFat64) => {
            Kind::Other("a Mach-O file for several architectures")
        }
        Ok(FileKind::Coff | FileKind::CoffBig | FileKind::CoffImport) => {
            Kind::Other("a COFF object; supported are ELF, Mach-O and PE")
        }
        Ok(_) => Kind::Other("a binary file, but not ELF"),
        Err(_) if start.starts_with(b"!<arch>\n") => Kind::Archive,
        Err(_) if start.starts_with(b"\x7fELF") => Kind::Other("a damaged ELF file"),
        // The type follows the DOS header.
        Err(_) if start.starts_with(b"MZ") => Kind::Foreign,
        Err(_) => Kind::Other("not a binary file"),
    }
}

/// Reads a part of a file.
fn read(file: &mut (impl Read + Seek), at: u64, len: u64) -> Result<Vec<u8>> {
    ensure!(
        len <= MOST,
        "{} MiB: more than {} are not read, and a stripped copy may be less",
        len >> 20,
        MOST >> 20
    );
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len as usize)?;
    file.take(len).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The header of a member of an archive: name, date, owner, group, mode, size, and an end.
const HEADER: usize = 60;

/// An archive for linkers: one member in memory at a time.
fn of_archive(file: &mut (impl Read + Seek), len: u64, mut evidence: Evidence) -> Result<Finding> {
    const DAMAGED: &str = "a damaged archive";
    let (mut at, mut members) = (b"!<arch>\n".len() as u64, 0);
    let (mut architecture, mut format, mut nested) = (None, None, false);
    while at < len {
        ensure!(members < MEMBERS, "{DAMAGED}: more than {MEMBERS} members");
        members += 1;
        file.seek(SeekFrom::Start(at))?;
        let mut header = [0; HEADER];
        match file.read_exact(&mut header) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => bail!("{DAMAGED}"),
            read => read?,
        }
        ensure!(header.ends_with(b"`\n"), "{DAMAGED}");
        // Escaped: it is printed if a member is damaged.
        let name = header[..16].trim_ascii_end().escape_ascii().to_string();
        let name = name.trim_end_matches('/').to_owned();
        ensure!(name != "debian-binary", "a Debian package: unpack it with dpkg-deb -x");
        let size = std::str::from_utf8(&header[48..58]).ok();
        let size: u64 = size.and_then(|size| size.trim_end().parse().ok()).context(DAMAGED)?;
        let end = at + HEADER as u64 + size;
        ensure!(end <= len, "{DAMAGED}: {name} ends behind its end");
        // In BSD's archives a long name is at the start of the member.
        let long = name.strip_prefix("#1/").and_then(|long| long.parse().ok()).unwrap_or(0);
        ensure!(long <= size, DAMAGED);
        let (from, size) = (end - size + long, size - long);

        match kind(&read(file, from, size.min(START))?) {
            Kind::Elf => {
                let bytes = read(file, from, size).with_context(|| name.clone())?;
                let kind = elf::read(&bytes, &mut evidence).with_context(|| name.clone())?;
                let one = *architecture.get_or_insert(kind.architecture);
                ensure!(one == kind.architecture, "an archive for several architectures");
                evidence.add_data(&bytes);
            }
            Kind::Foreign => {
                let bytes = read(file, from, size).with_context(|| name.clone())?;
                let kind = foreign::read(&bytes, &mut evidence).with_context(|| name.clone())?;
                let one = *architecture.get_or_insert(kind.architecture);
                ensure!(one == kind.architecture, "an archive for several architectures");
                evidence.add_data(&bytes);
                format = Some(kind.format);
            }
            Kind::Bitcode => evidence.objects.add(Some(NoCode::Llvm)),
            Kind::Archive => nested = true,
            // Tables of names and symbols, and metadata of Rust's compiler.
            Kind::Other(_) => {}
        }
        // Members start at even offsets.
        at = end.next_multiple_of(2);
    }
    let form = match evidence.objects.count {
        0 if nested => bail!("an archive of archives: unpack it with ar x"),
        0 => bail!(Unsupported::NoObjects),
        1 => "an archive of one object".into(),
        many => format!("an archive of {many} objects"),
    };
    let mut found = Finding::new(architecture.unwrap_or(UNKNOWN), form, evidence);
    if let Some(format) = format {
        foreign::set_remedy(format, &mut found);
    }
    Ok(found)
}
