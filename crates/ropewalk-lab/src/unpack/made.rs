//! Archives and other files for tests.

use std::io::Write;

use bzip2::write::BzEncoder;
use flate2::write::{DeflateEncoder, GzEncoder};
use liblzma::{
    stream::{LzmaOptions, Stream},
    write::XzEncoder,
};
use rawzip::{CompressionMethod, ZipArchiveWriter};

use super::streams::Format;

/// A name and the bytes of a member.
pub(super) type Entry<'a> = (&'a [u8], &'a [u8]);

pub(super) const FORMATS: [Format; 5] =
    [Format::Gzip, Format::Bzip2, Format::Xz, Format::Lzma, Format::Zstd];

pub(super) fn compress(format: Format, bytes: &[u8]) -> Vec<u8> {
    let fast = flate2::Compression::fast();
    match format {
        Format::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), fast);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Format::Deflate => {
            let mut encoder = DeflateEncoder::new(Vec::new(), fast);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Format::Bzip2 => {
            let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Format::Xz => {
            let mut encoder = XzEncoder::new(Vec::new(), 0);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Format::Lzma => {
            let stream = Stream::new_lzma_encoder(&LzmaOptions::new_preset(0).unwrap()).unwrap();
            let mut encoder = XzEncoder::new_stream(Vec::new(), stream);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Format::Zstd => zstd::encode_all(bytes, 1).unwrap(),
        Format::Lzip => unreachable!("the library does not write it"),
    }
}

/// A tar archive. Long names are in separate members, as in GNU tar.
pub(super) fn tar(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut tar = Vec::new();
    for (name, bytes) in entries {
        if name.len() > 100 {
            let long = [*name, b"\0"].concat();
            tar.extend(tar_entry(b"././@LongLink", b'L', long.len() as u64, &long));
        }
        tar.extend(tar_entry(&name[..name.len().min(100)], b'0', bytes.len() as u64, bytes));
    }
    tar.extend([0; 1024]);
    tar
}

/// A member of a tar archive, with the size in its header.
pub(super) fn tar_entry(name: &[u8], kind: u8, size: u64, bytes: &[u8]) -> Vec<u8> {
    let mut header = ::tar::Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name);
    header.as_mut_bytes()[156] = kind;
    header.set_mode(0o644);
    header.set_size(size);
    header.set_cksum();
    let mut entry = [&header.as_bytes()[..], bytes].concat();
    entry.resize(entry.len().next_multiple_of(512), 0);
    entry
}

/// A zip archive in which every member is compressed with that method, or none.
pub(super) fn zip(format: Option<Format>, entries: &[Entry<'_>]) -> Vec<u8> {
    zip_with(format, false, entries)
}

/// The same, with every member marked as encrypted.
pub(super) fn encrypted_zip(entries: &[Entry<'_>]) -> Vec<u8> {
    zip_with(None, true, entries)
}

fn zip_with(format: Option<Format>, encrypted: bool, entries: &[Entry<'_>]) -> Vec<u8> {
    let mut zip = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut zip);
    let method = match format {
        None => CompressionMethod::STORE,
        Some(Format::Deflate) => CompressionMethod::DEFLATE,
        Some(Format::Bzip2) => CompressionMethod::BZIP2,
        Some(Format::Xz) => CompressionMethod::XZ,
        Some(Format::Zstd) => CompressionMethod::ZSTD,
        Some(other) => unreachable!("no zip archive has {other:?}"),
    };
    for (name, bytes) in entries {
        // The library changes names that are not plain paths, so they are inserted at the end.
        let name = if is_plain(name) {
            String::from_utf8_lossy(name)
        } else {
            "N".repeat(name.len()).into()
        };
        let file = archive.new_file(&name).compression_method(method).encrypted(encrypted);
        let (mut entry, config) = file.start().unwrap();
        // The library needs the lengths before compression.
        let mut plain = config.wrap(std::io::sink());
        plain.write_all(bytes).unwrap();
        let (_, descriptor) = plain.finish().unwrap();
        let packed = format.map_or_else(|| bytes.to_vec(), |format| compress(format, bytes));
        entry.write_all(&packed).unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    let mut odd: Vec<_> =
        entries.iter().map(|(name, _)| *name).filter(|it| !is_plain(it)).collect();
    odd.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in odd {
        let place = "N".repeat(name.len());
        while let Some(at) = zip.windows(name.len()).position(|it| it == place.as_bytes()) {
            zip[at..at + name.len()].copy_from_slice(name);
        }
    }
    zip
}

fn is_plain(name: &[u8]) -> bool {
    name.is_ascii() && !name.starts_with(b"/") && !name.starts_with(b"..")
}

/// A Debian package with that member after the usual ones.
pub(super) fn deb(name: &str, data: &[u8]) -> Vec<u8> {
    crate::inspect::made::archive(&[
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", b"odd"),
        (name, data),
    ])
}

/// A start and zeros, in whole MiB, compressed.
pub(super) fn bomb(start: &[u8], zeros: u64) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.write_all(start).unwrap();
    let chunk = vec![0; 1 << 20];
    for _ in 0..zeros >> 20 {
        encoder.write_all(&chunk).unwrap();
    }
    encoder.finish().unwrap()
}

/// A Mach-O library for Arm64 with that code and data.
pub(super) fn mach_o(code: &[u8], data: &[u8]) -> Vec<u8> {
    const LIBRARY: u32 = 6;
    let (header, segment, section) = (32, 72, 80);
    let at = header + segment + 2 * section;
    let mut file = Vec::new();
    let mut words = |words: &[u32]| file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    words(&[0xfeed_facf, 0x0100_000c, 0, LIBRARY, 1, (segment + 2 * section) as u32, 0, 0]);
    // A 64-bit segment: its name, its place in memory and in the file, rights, sections.
    words(&[0x19, (segment + 2 * section) as u32, 0x45545f5f, 0x00005458, 0, 0]);
    let len = (at + code.len() + data.len()) as u32;
    words(&[0, 0, len, 0, 0, 0, len, 0, 5, 5, 2, 0]);
    for (name, flags, from, bytes) in
        [("__text", 0x8000_0400, at, code), ("__const", 0, at + code.len(), data)]
    {
        let mut names = [0; 32];
        names[..name.len()].copy_from_slice(name.as_bytes());
        names[16..22].copy_from_slice(b"__TEXT");
        file.extend(names);
        let (from, size) = (from as u32, bytes.len() as u32);
        let words = [from, 0, size, 0, from, 0, 0, 0, flags, 0, 0, 0u32];
        file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
    [&file, code, data].concat()
}

/// Several such files in one, each marked for Arm64.
pub(super) fn fat(files: &[&[u8]]) -> Vec<u8> {
    let mut fat = [0xcafe_babe, files.len() as u32].map(u32::to_be_bytes).concat();
    let mut at = (8 + 20 * files.len()) as u32;
    for file in files {
        let slice = [0x0100_000c, 0, at, file.len() as u32, 0];
        fat.extend(slice.map(u32::to_be_bytes).concat());
        at += file.len() as u32;
    }
    [fat, files.concat()].concat()
}

/// A PE library for Arm64 with that code and data.
pub(super) fn pe(code: &[u8], data: &[u8]) -> Vec<u8> {
    const AT: usize = 512;
    let mut file = vec![0; 64];
    file[..2].copy_from_slice(b"MZ");
    file[60] = 64;
    let mut half = |halves: &[u16]| file.extend(halves.iter().flat_map(|it| it.to_le_bytes()));
    let optional = 112 + 16 * 8;
    // PE, the machine, two sections, the size of the rest, a library for 64 bits.
    half(&[0x4550, 0, 0xaa64, 2, 0, 0, 0, 0, 0, 0, optional, 0x2022, 0x020b]);
    file.resize(file.len() - 2 + usize::from(optional), 0);
    // The number of directories, all empty.
    let count = 64 + 24 + 108;
    file[count] = 16;
    let mut place = AT;
    for (name, flags, bytes) in [(".text", 0x6000_0020u32, code), (".rdata", 0x4000_0040, data)] {
        let mut section = [0; 40];
        section[..name.len()].copy_from_slice(name.as_bytes());
        let size = bytes.len() as u32;
        for (at, value) in
            [(8, size), (12, place as u32), (16, size), (20, place as u32), (36, flags)]
        {
            section[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        file.extend(section);
        place += bytes.len();
    }
    file.resize(AT, 0);
    [&file, code, data].concat()
}
