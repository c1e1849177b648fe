//! The type of a file, by its first bytes.

use super::streams::Format;

/// The number of bytes that determine it.
pub(super) const START: usize = 2048;

pub(super) enum Kind {
    /// A file that `inspect` reads or names.
    Binary,
    /// Mach-O files for several architectures in one.
    Fat,
    Zip,
    Tar,
    Deb,
    Compressed(Format),
    /// A known type that is not opened, with the way to unpack it.
    Refused(&'static str),
    Other,
}

/// The offset of bytes in a file, their value, and the type.
type Sign = (usize, &'static [u8], &'static str);

/// Archives and images that are not opened.
const REFUSED: &[Sign] = &[
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it with 7z x"),
    (0, b"Rar!\x1a\x07", "a RAR archive: unpack it with unrar x or 7z x"),
    (0, b"\xed\xab\xee\xdb", "an RPM package: unpack it with rpm2cpio FILE | cpio -idm"),
    (0, b"070701", "a cpio archive: unpack it with cpio -idm"),
    (0, b"070702", "a cpio archive: unpack it with cpio -idm"),
    (0, b"070707", "a cpio archive: unpack it with cpio -idm"),
    (0, b"\x04\x22\x4d\x18", "an lz4 file: decompress it with lz4 -d"),
    (0, b"\x02\x21\x4c\x18", "an lz4 file: decompress it with lz4 -d"),
    (0, b"\x89LZO\0\r\n\x1a\n", "an lzop file: decompress it with lzop -d"),
    (0, b"\x1f\x9d\x90", "a file of compress: decompress it with uncompress"),
    (0, b"MSCF\0\0\0\0", "a CAB archive: unpack it with cabextract"),
    (0, b"xar!\0", "a XAR archive: unpack it with xar -xf or 7z x"),
    (0, b"PK\x07\x08", "a part of a split zip archive: join it with zip -s 0"),
    (0, b"hsqs", "a SquashFS image: unpack it with unsquashfs"),
    (1024, b"\xe2\xe1\xf5\xe0", "an EROFS image: unpack it with fsck.erofs --extract=FOLDER"),
    // With its usual state: the magic number itself has only two bytes.
    (
        1080,
        b"\x53\xef\x01\0\x01\0",
        "an ext2, ext3 or ext4 image: mount it read-only, and name the folder",
    ),
];

/// Java's classes have the magic number of a fat Mach-O file, and a version, from 45 on, in place of its
/// count.
const FIRST_JAVA: u32 = 45;

/// The magic numbers of Mach-O files, for both byte orders and both widths.
const MACH_O: [&[u8]; 4] =
    [b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe"];

pub(super) fn of(start: &[u8]) -> Kind {
    let is = |sign: &&[u8]| start.starts_with(sign);
    if let Some(rest) = start.strip_prefix(b"!<arch>\n") {
        return if rest.starts_with(b"debian-binary") { Kind::Deb } else { Kind::Binary };
    }
    if [&b"\x7fELF"[..], b"!<thin>\n", b"MZ", b"BC\xc0\xde", b"\xde\xc0\x17\x0b"]
        .iter()
        .chain(&MACH_O)
        .any(is)
    {
        return Kind::Binary;
    }
    if let Some(fat) = start.strip_prefix(b"\xca\xfe\xba\xbe") {
        let count = fat.first_chunk().map_or(0, |count| u32::from_be_bytes(*count));
        return if count < FIRST_JAVA { Kind::Fat } else { Kind::Other };
    }
    if is(&&b"\xca\xfe\xba\xbf"[..]) {
        return Kind::Fat;
    }
    if [&b"PK\x03\x04"[..], b"PK\x05\x06"].iter().any(is) {
        return Kind::Zip;
    }
    if let Some(format) = Format::of(start) {
        return Kind::Compressed(format);
    }
    if is_tar(start) {
        return Kind::Tar;
    }
    let known = |(at, sign, _): &&Sign| start.get(*at..).is_some_and(|it| it.starts_with(sign));
    match REFUSED.iter().find(known) {
        Some((.., why)) => Kind::Refused(why),
        None => Kind::Other,
    }
}

/// Whether it begins with a tar header: by its checksum, which old ones have too.
fn is_tar(start: &[u8]) -> bool {
    let Some(header) = start.first_chunk::<512>() else { return false };
    let header = ::tar::Header::from_byte_slice(header);
    let bytes = header.as_bytes();
    let others = bytes[..148].iter().chain(&bytes[156..]).map(|byte| u32::from(*byte));
    let sum = others.sum::<u32>() + 8 * u32::from(b' ');
    bytes[0] != 0 && header.cksum().is_ok_and(|stored| stored == sum)
}
