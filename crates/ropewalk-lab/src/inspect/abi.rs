//! The target of an ELF file besides its processor: how it passes floats on 32-bit Arm, and whether it is for
//! Android.

use super::elf::ARM;
use crate::recipes::Abi;
use object::{
    Endianness, elf,
    read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable},
};

/// The target that the file states. Damage is not an error here: it is then unknown.
pub(super) fn of<Elf: FileHeader<Endian = Endianness>>(
    architecture: &str,
    header: &Elf,
    endian: Endianness,
    bytes: &[u8],
    sections: &SectionTable<'_, Elf>,
    segments: &[Elf::ProgramHeader],
) -> Option<Abi> {
    if is_android(endian, bytes, segments) {
        return Some(Abi::Android);
    }
    if architecture != ARM {
        return None;
    }
    let flags = header.e_flags(endian).0;
    // Before version 5 of the ABI these bits have another meaning.
    let is_5 = flags & elf::EF_ARM_EABIMASK == elf::EF_ARM_EABI_VER5.0;
    match flags & (elf::EF_ARM_ABI_FLOAT_HARD | elf::EF_ARM_ABI_FLOAT_SOFT) {
        elf::EF_ARM_ABI_FLOAT_HARD if is_5 => Some(Abi::HardFloat),
        elf::EF_ARM_ABI_FLOAT_SOFT if is_5 => Some(Abi::SoftFloat),
        // Objects have it in their attributes.
        _ => by_attributes(endian, bytes, sections),
    }
}

/// By the note that Android's linker adds to its output.
fn is_android<Segment: ProgramHeader<Endian = Endianness>>(
    endian: Endianness,
    bytes: &[u8],
    segments: &[Segment],
) -> bool {
    let notes = segments.iter().filter_map(|segment| segment.notes(endian, bytes).ok().flatten());
    notes.flatten().flatten().any(|note| note.name() == b"Android")
}

const TAG_CPU_RAW_NAME: u64 = 4;
const TAG_CPU_NAME: u64 = 5;
const TAG_WCHAR: u64 = 18;
const TAG_VFP_ARGS: u64 = 28;
const TAG_COMPATIBILITY: u64 = 32;

/// By the attributes of the build ("Addenda to, and Errata in, the ABI for the Arm Architecture").
fn by_attributes<Elf: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    bytes: &[u8],
    sections: &SectionTable<'_, Elf>,
) -> Option<Abi> {
    let is_it = |it: &&Elf::SectionHeader| it.sh_type(endian) == elf::SHT_ARM_ATTRIBUTES;
    let attributes = sections.iter().find(is_it)?.attributes(endian, bytes).ok()?;
    let (mut hard, mut compiled) = (false, false);
    for subsection in attributes.subsections().ok()?.flatten() {
        for part in subsection.subsubsections().flatten() {
            let mut reader = part.attributes();
            while let Ok(Some(tag)) = reader.read_tag() {
                let value = match tag {
                    TAG_CPU_RAW_NAME | TAG_CPU_NAME => reader.read_string().map(|_| 0),
                    TAG_COMPATIBILITY => reader.read_integer().and(reader.read_string()).map(|_| 0),
                    tag if tag > TAG_COMPATIBILITY && tag % 2 == 1 => {
                        reader.read_string().map(|_| 0)
                    }
                    _ => reader.read_integer(),
                };
                let Ok(value) = value else { break };
                hard |= tag == TAG_VFP_ARGS && value == 1;
                // Compilers write the size of wide characters, and assembly language does not declare floats.
                compiled |= tag == TAG_WCHAR;
            }
        }
    }
    match (hard, compiled) {
        (true, _) => Some(Abi::HardFloat),
        (false, true) => Some(Abi::SoftFloat),
        (false, false) => None,
    }
}
