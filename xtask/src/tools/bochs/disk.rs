//! The start-up files of an emulated machine: a disk without a file system, and the files of a Linux in memory.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::process::{self, SOON, program};

/// The addresses that the kernel's 16-bit protocol permits for its parts; its files are far above.
const SETUP: u32 = 0x9_0000;
const COMMAND_LINE: u32 = 0x9_e000;
const KERNEL: u32 = 0x10_0000;
const FILES: u32 = 0x1000_0000;

/// The table of what to load, in the first sector.
const TABLE: usize = 0x1c0;
const SECTOR: usize = 512;

/// The emulated BIOS counts heads and sectors of a track, and needs whole cylinders.
const CYLINDER: usize = 16 * 63 * SECTOR;

/// The first sector, assembled.
pub(super) fn boot_sector() -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("boot.s"), include_str!("boot.s"))?;
    let mut assemble = program("as");
    assemble.args(["--32", "-o"]).args([at("boot.o"), at("boot.s")]);
    process::output(&mut assemble, SOON)?;
    let mut link = program("ld");
    link.args(["-m", "elf_i386", "-e", "0", "-Ttext", "0x7c00", "--oformat", "binary", "-o"]);
    process::output(link.args([at("boot"), at("boot.o")]), SOON)?;
    let sector = std::fs::read(at("boot"))?;
    ensure!(sector.len() == SECTOR, "the first sector has {} bytes", sector.len());
    Ok(sector)
}

/// A disk whose first sector starts a kernel with a command line and files.
pub(super) fn image(
    mut sector: Vec<u8>,
    mut kernel: Vec<u8>,
    command_line: &str,
    files: &[u8],
) -> Result<Vec<u8>> {
    ensure!(kernel.get(0x202..0x206) == Some(b"HdrS"), "this is not an x86 kernel");
    let setup_sectors = usize::from(kernel[0x1f1]);
    let mut set = |at: usize, bytes: &[u8]| kernel[at..at + bytes.len()].copy_from_slice(bytes);
    // An unnumbered loader, with a heap up to the command line.
    set(0x210, &[0xff]);
    set(0x218, &FILES.to_le_bytes());
    set(0x21c, &u32::try_from(files.len())?.to_le_bytes());
    set(0x224, &0xde00_u16.to_le_bytes());
    set(0x228, &COMMAND_LINE.to_le_bytes());
    kernel[0x211] |= 0x80;
    let (setup, kernel) = kernel
        .split_at_checked((setup_sectors + 1) * SECTOR)
        .context("the kernel ends before it starts")?;

    let command_line = [command_line.as_bytes(), &[0]].concat();
    let parts = [(setup, SETUP), (&command_line, COMMAND_LINE), (kernel, KERNEL), (files, FILES)];
    let mut table = Vec::new();
    let mut image = vec![0; SECTOR];
    for (part, to) in parts {
        let (first, sectors) = (image.len() / SECTOR, part.len().div_ceil(SECTOR));
        for word in [u32::try_from(first)?, u32::try_from(sectors)?, to] {
            table.extend(word.to_le_bytes());
        }
        image.extend(part);
        image.resize((first + sectors) * SECTOR, 0);
    }
    sector[TABLE..TABLE + table.len()].copy_from_slice(&table);
    image[..SECTOR].copy_from_slice(&sector);
    image.resize(image.len().next_multiple_of(CYLINDER), 0);
    Ok(image)
}

/// Files, in the archive from which a kernel makes its first file system.
#[derive(Default)]
pub(in crate::tools) struct Archive {
    bytes: Vec<u8>,
    entries: u32,
}

const FOLDER: u32 = 0o040_755;
const PROGRAM: u32 = 0o100_755;

impl Archive {
    pub(in crate::tools) fn folder(&mut self, name: &str) -> Result<()> {
        self.entry(name, FOLDER, &[])
    }

    /// Adds an executable file.
    pub(in crate::tools) fn program(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.entry(name, PROGRAM, bytes)
    }

    /// The same from a file, below the folders of its path.
    pub(in crate::tools) fn library(&mut self, path: &Path) -> Result<()> {
        let bytes = std::fs::read(path)?;
        let name = path.strip_prefix("/")?;
        let mut folders: Vec<_> = name.ancestors().skip(1).collect();
        folders.retain(|folder| !folder.as_os_str().is_empty());
        for folder in folders.iter().rev() {
            self.folder(&folder.to_string_lossy())?;
        }
        self.program(&name.to_string_lossy(), &bytes)
    }

    pub(in crate::tools) fn finish(mut self) -> Result<Vec<u8>> {
        self.entry("TRAILER!!!", 0, &[])?;
        Ok(self.bytes)
    }

    /// The form `newc` of `cpio`: numbers are hexadecimal, and names and contents are padded to multiples of four.
    fn entry(&mut self, name: &str, mode: u32, contents: &[u8]) -> Result<()> {
        self.entries += 1;
        let size = u32::try_from(contents.len())?;
        let name_size = u32::try_from(name.len() + 1)?;
        let fields = [self.entries, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, name_size, 0]
            .map(|n| format!("{n:08x}"));
        self.bytes.extend(b"070701");
        self.bytes.extend(fields.concat().as_bytes());
        self.bytes.extend(name.as_bytes());
        self.bytes.push(0);
        self.align();
        self.bytes.extend(contents);
        self.align();
        Ok(())
    }

    fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sector_finds_what_it_loads() {
        let mut kernel = vec![1; 5 * SECTOR];
        kernel[0x1f1] = 2;
        kernel[0x202..0x206].copy_from_slice(b"HdrS");
        let files = [2; SECTOR + 1];
        let image = image(vec![0; SECTOR], kernel, "quiet", &files).unwrap();
        let words: Vec<_> = image[TABLE..TABLE + 60]
            .chunks(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        assert_eq!(words[..3], [1, 3, SETUP]);
        assert_eq!(words[3..6], [4, 1, COMMAND_LINE]);
        assert_eq!(words[6..9], [5, 2, KERNEL]);
        assert_eq!(words[9..12], [7, 2, FILES]);
        assert_eq!(words[13], 0, "the table has an end");
        assert_eq!(image[4 * SECTOR..][..6], *b"quiet\0");
        assert_eq!(image[7 * SECTOR..][..files.len()], files);
        assert_eq!(image.len() % CYLINDER, 0);
        assert!(super::image(vec![0; SECTOR], vec![0; 5 * SECTOR], "", &[]).is_err());
    }

    #[test]
    fn archive_is_aligned() {
        let mut archive = Archive::default();
        archive.folder("bin").unwrap();
        archive.program("bin/a", b"12345").unwrap();
        let bytes = archive.finish().unwrap();
        assert_eq!(bytes.len() % 4, 0);
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("07070100000001000041ed"));
        assert!(text.contains("bin/a\x0012345\x00\x00\x00070701"), "{text:?}");
    }
}
