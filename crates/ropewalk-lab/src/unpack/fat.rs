//! Mach-O files for several architectures in one.

use object::{
    Architecture,
    read::macho::{FatArch, MachOFatFile, MachOFatFile32, MachOFatFile64},
};

use super::{Look, Name, Step, level::Level};

pub(super) fn read(look: &mut Look<'_>, name: &Name, bytes: &[u8], level: Level) -> Step {
    match MachOFatFile32::parse(bytes) {
        Ok(file) => slices(look, name, bytes, &file, level),
        Err(_) => match MachOFatFile64::parse(bytes) {
            Ok(file) => slices(look, name, bytes, &file, level),
            Err(error) => look.failed(name, error),
        },
    }
}

fn slices<Fat: FatArch>(
    look: &mut Look<'_>,
    name: &Name,
    bytes: &[u8],
    file: &MachOFatFile<'_, Fat>,
    level: Level,
) -> Step {
    let Some(level) = look.enter(name, level)? else { return Ok(()) };
    for (i, slice) in file.arches().iter().enumerate() {
        look.count_member(name)?;
        let architecture = match slice.architecture() {
            Architecture::X86_64 => "x86_64".into(),
            Architecture::I386 => "i386".into(),
            Architecture::Aarch64 => "arm64".into(),
            Architecture::Arm => "arm".into(),
            _ => format!("slice {i}"),
        };
        let member = name.member(architecture.as_bytes());
        match slice.data(bytes) {
            Ok(mut data) => {
                let size = data.len() as u64;
                look.stream(&member, &mut data, Some(size), level)?;
            }
            Err(error) => look.failed(&member, error)?,
        }
    }
    Ok(())
}
