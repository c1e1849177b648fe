//! What a file holds of cryptography: a library or a program, for this machine or for another, which is read and not run.
//!
//! Whether code uses what a processor has for it shows in its instructions. Tables, constants and the lines that authors
//! leave in their modules show what else does the same work.

mod aarch64;
mod kinds;
mod x86;

use std::{
    cmp::Reverse,
    fs::{self, File},
    io::Read,
    path::Path,
    sync::LazyLock,
};

use anyhow::{Context, Result, bail, ensure};
use object::{
    Architecture, BinaryFormat, FileKind, Object, ObjectKind, ObjectSection, ObjectSegment,
    SectionFlags, SegmentFlags, elf, read::archive::ArchiveFile,
};
use regex::bytes::Regex;
use serde::Serialize;

use kinds::Counts;
pub use kinds::{Count, Use};

/// The largest file that is read, in bytes.
pub const MOST: u64 = 512 << 20;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What processors it is for.
    pub architecture: &'static str,
    /// What kind of file it is.
    pub form: String,
    /// The library it is, or has in it, in its own words.
    pub library: Option<String>,
    /// How it was compiled, in its own words.
    pub compiler: Option<String>,
    /// Instructions that are there for cryptography.
    pub instructions: Vec<Count>,
    /// Modules in assembly language, by the lines that their authors left in them.
    pub modules: Vec<String>,
    /// Tables and constants of algorithms.
    pub tables: Vec<&'static str>,
    /// What that means.
    pub verdict: Verdict,
    /// Why.
    pub why: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

/// Whether it uses what a processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// For all that is there and that was looked for.
    Accelerated,
    /// For some of it.
    Partly,
    /// For nothing.
    NotAtAll,
    /// Nothing was found that could.
    NothingFound,
}

impl Verdict {
    /// Whether it could be faster.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Partly | Self::NotAtAll)
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Accelerated => "accelerated",
            Self::Partly => "partly accelerated",
            Self::NotAtAll => "not accelerated",
            Self::NothingFound => "nothing found",
        }
    }
}

/// Reads a file and says what it holds.
///
/// # Errors
/// Where it cannot be read, is too large, is damaged, or is no ELF file and no archive of them.
pub fn inspect(path: &Path) -> Result<Finding> {
    // Before it is opened: a pipe would wait for somebody who writes.
    let about = fs::metadata(path)?;
    ensure!(about.is_file(), "not a file");
    ensure!(
        about.len() <= MOST,
        "{} MiB: more than {} are not read",
        about.len() >> 20,
        MOST >> 20
    );
    let mut bytes = Vec::new();
    // It may be longer by now.
    File::open(path)?.take(MOST).read_to_end(&mut bytes)?;
    of_bytes(&bytes)
}

fn of_bytes(bytes: &[u8]) -> Result<Finding> {
    let (mut counts, mut members) = (Counts::default(), Vec::new());
    let form = match FileKind::parse(bytes) {
        Ok(FileKind::Elf32 | FileKind::Elf64) => {
            let (arch, form) = count(bytes, &mut counts)?;
            members.push(arch);
            form.to_owned()
        }
        Ok(FileKind::Archive) => {
            let archive = ArchiveFile::parse(bytes).context("a damaged archive")?;
            ensure!(!archive.is_thin(), "a thin archive, whose members are files of their own");
            for member in archive.members() {
                let member = member.context("a damaged archive")?;
                let data = member.data(bytes).context("a damaged archive")?;
                if matches!(FileKind::parse(data), Ok(FileKind::Elf32 | FileKind::Elf64)) {
                    let name = String::from_utf8_lossy(member.name()).into_owned();
                    members.push(count(data, &mut counts).context(name)?.0);
                }
            }
            format!("an archive of {} objects", members.len())
        }
        Ok(_) => bail!("a binary file, but not ELF"),
        Err(_) => bail!("not a binary file"),
    };
    let architecture = *members.first().context("an archive without ELF objects")?;
    ensure!(members.iter().all(|it| *it == architecture), "an archive for several architectures");
    let tables: Vec<&str> = TABLES
        .iter()
        .filter(|(_, bytes_of)| bytes_of.is_match(bytes))
        .map(|(name, _)| *name)
        .collect();
    let mut modules: Vec<String> =
        MODULES.captures_iter(bytes).map(|found| text(&found[1])).collect();
    modules.dedup();
    let library = LIBRARIES.iter().find_map(|library| Some(text(library.find(bytes)?.as_bytes())));
    let compiler = COMPILER.captures(bytes).map(|found| text(&found[1]));
    // BoringSSL's kin answers the question so.
    let compiler = compiler.filter(|line| line != "n/a");
    let (verdict, why) = judge(&counts.0, &modules, &tables);
    let remedy = verdict.is_bad().then(|| remedy(architecture, library.as_deref()));
    let mut instructions = counts.0;
    instructions.sort_by_key(|count| Reverse(count.count));
    Ok(Finding {
        architecture,
        form,
        library,
        compiler,
        instructions,
        modules,
        tables,
        verdict,
        why,
        remedy,
    })
}

/// Counts the instructions of an ELF file; says for what it is, and what.
fn count(bytes: &[u8], counts: &mut Counts) -> Result<(&'static str, &'static str)> {
    let file = object::File::parse(bytes).context("a damaged ELF file")?;
    ensure!(file.format() == BinaryFormat::Elf, "a binary file, but not ELF");
    let architecture = match file.architecture() {
        Architecture::X86_64 | Architecture::X86_64_X32 => X86_64,
        Architecture::I386 => I386,
        Architecture::Aarch64 | Architecture::Aarch64_Ilp32 => AARCH64,
        other => bail!("for {other:?}; what is told apart is x86-64, i386 and aarch64"),
    };
    for (start, end) in code(&file, bytes.len()) {
        let code = &bytes[start..end];
        match architecture {
            AARCH64 => aarch64::count(code, counts),
            I386 => x86::count(32, code, counts),
            _ => x86::count(64, code, counts),
        }
    }
    let form = match file.kind() {
        ObjectKind::Executable => "a program",
        ObjectKind::Dynamic => "a shared library or a program",
        ObjectKind::Relocatable => "an object",
        _ => "an ELF file",
    };
    Ok((architecture, form))
}

const X86_64: &str = "x86-64";
const I386: &str = "i386";
const AARCH64: &str = "aarch64";

/// Where code lies in a file: what sections say, or else segments. Each byte once, whatever they say.
fn code(file: &object::File<'_>, len: usize) -> Vec<(usize, usize)> {
    let executable = |flags| match flags {
        SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(elf::SHF_EXECINSTR),
        _ => false,
    };
    let of_sections = file.sections().filter(|section| executable(section.flags()));
    let mut ranges: Vec<_> = of_sections.filter_map(|section| section.file_range()).collect();
    if ranges.is_empty() {
        let executable = |flags| match flags {
            SegmentFlags::Elf { p_flags, .. } => p_flags.contains(elf::PF_X),
            _ => false,
        };
        let of_segments = file.segments().filter(|segment| executable(segment.flags()));
        ranges = of_segments.map(|segment| segment.file_range()).collect();
    }
    ranges.sort_unstable();
    let mut behind = 0;
    let within = |at: u64| usize::try_from(at).unwrap_or(len).min(len);
    let mut each_once = Vec::new();
    for (start, size) in ranges {
        let (start, end) = (within(start).max(behind), within(start.saturating_add(size)));
        if start < end {
            each_once.push((start, end));
            behind = end;
        }
    }
    each_once
}

/// As many say that it is code, and not chance: an instruction of Arm64 has 22 fixed bits.
const FEW: u64 = 4;

fn judge(counts: &[Count], modules: &[String], tables: &[&str]) -> (Verdict, String) {
    let enough = |of: Use| {
        counts.iter().filter(|count| count.of == of).map(|count| count.count).sum::<u64>() >= FEW
    };
    let seen = |name: &str| {
        tables.iter().any(|table| table.starts_with(name))
            || modules.iter().any(|module| module.starts_with(name))
    };
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for (name, of) in [("AES", Use::Aes), ("SHA-256", Use::Sha256)] {
        if enough(of) {
            with.push(name);
        } else if seen(name) {
            without.push(name);
        }
    }
    let listed = |names: &[&str]| names.join(" and ");
    match (with.as_slice(), without.as_slice()) {
        ([], []) => (Verdict::NothingFound, "neither AES nor SHA-256 is in it".into()),
        (with, []) => {
            (Verdict::Accelerated, format!("it has the instructions for {}", listed(with)))
        }
        ([], without) => {
            (Verdict::NotAtAll, format!("{}, and no instructions for that", listed(without)))
        }
        (with, without) => {
            let (with, without) = (listed(with), listed(without));
            (Verdict::Partly, format!("instructions for {with}, and {without} without any"))
        }
    }
}

fn remedy(architecture: &str, library: Option<&str>) -> String {
    let target = match architecture {
        AARCH64 => "linux-aarch64",
        I386 => "linux-x86",
        _ => "linux-x86_64",
    };
    match library {
        Some(name) if name.starts_with("OpenSSL") => format!(
            "build it again without no-asm, for the target that it is for: ./Configure {target}"
        ),
        _ => {
            format!("build it again with its code for {architecture}, which is chosen at run time")
        }
    }
}

/// Of what is printable, as it is between zero bytes.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("it was tried")
}

/// What tables of algorithms begin with, as words of either order.
static TABLES: LazyLock<[(&str, Regex); 4]> = LazyLock::new(|| {
    [
        ("AES S-box", r"\x63\x7c\x77\x7b\xf2\x6b\x6f\xc5\x30\x01\x67\x2b\xfe\xd7\xab\x76"),
        (
            "AES encryption tables",
            r"\xa5\x63\x63\xc6\x84\x7c\x7c\xf8|\xc6\x63\x63\xa5\xf8\x7c\x7c\x84",
        ),
        (
            "AES decryption tables",
            r"\x50\xa7\xf4\x51\x53\x65\x41\x7e|\x51\xf4\xa7\x50\x7e\x41\x65\x53",
        ),
        ("SHA-256 constants", r"\x98\x2f\x8a\x42\x91\x44\x37\x71|\x42\x8a\x2f\x98\x71\x37\x44\x91"),
    ]
    .map(|(name, bytes)| (name, pattern(&format!("(?-u){bytes}"))))
});

/// The line that modules of OpenSSL's assembly and its descendants' have.
static MODULES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?-u)([ -~]{4,80}), ?CRYPTOGAMS by [ -~]+"));

/// What libraries say of themselves, the narrower first.
static LIBRARIES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"AWS-LC FIPS [0-9.]+|AWS-LC [0-9]+\.[0-9.]+",
        r"OpenSSL [0-9]+\.[0-9]+\.[0-9]+[a-z]?( [0-9]+ [A-Z][a-z]{2} 20[0-9]{2})?",
        r"LibreSSL [0-9]+\.[0-9.]+",
        r"Libgcrypt [0-9]+\.[0-9.]+",
        r"[Mm]bed TLS [0-9]+\.[0-9.]+",
        r"wolfSSL [0-9]+\.[0-9.]+",
        r"ring_core_[0-9]+_[0-9]+_[0-9]+",
        r"BoringSSL",
    ]
    .iter()
    .map(|said| pattern(&format!("(?-u){said}")))
    .collect()
});

/// How OpenSSL says that it was compiled.
static COMPILER: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?-u)compiler: ([ -~]{3,2000})"));

#[cfg(test)]
mod tests {
    use super::*;

    /// An ELF file of 64 bits, with a section of code and one of data.
    fn file(machine: u16, code: &[u8], data: &[u8]) -> Vec<u8> {
        const HEADER: u64 = 64;
        const NAMES: &[u8] = b"\0.text\0.rodata\0.shstrtab\0";
        let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let ends = [code.len(), code.len() + data.len(), code.len() + data.len() + NAMES.len()];
        let table = (HEADER + ends[2] as u64).next_multiple_of(8);
        file.extend([3_u16, machine].map(u16::to_le_bytes).concat());
        file.extend(1_u32.to_le_bytes());
        file.extend([0, 0, table].map(u64::to_le_bytes).concat());
        file.extend(0_u32.to_le_bytes());
        file.extend([64_u16, 56, 0, 64, 4, 3].map(u16::to_le_bytes).concat());
        file.extend([code, data, NAMES].concat());
        file.resize(table as usize, 0);
        let mut section = |name: u32, kind: u32, flags: u64, start: usize, end: usize| {
            file.extend([name, kind].map(u32::to_le_bytes).concat());
            let (at, size) = (HEADER + start as u64, (end - start) as u64);
            let at = if kind == 0 { 0 } else { at };
            file.extend([flags, 0, at, size].map(u64::to_le_bytes).concat());
            file.extend([0_u32, 0].map(u32::to_le_bytes).concat());
            file.extend([4_u64, 0].map(u64::to_le_bytes).concat());
        };
        section(0, 0, 0, 0, 0);
        section(1, elf::SHT_PROGBITS.0, 6, 0, ends[0]);
        section(7, elf::SHT_PROGBITS.0, 2, ends[0], ends[1]);
        section(15, elf::SHT_STRTAB.0, 0, ends[1], ends[2]);
        file
    }

    const S_BOX: &[u8] = &[
        0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 1, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76,
    ];
    const K256: &[u8] = &[0x98, 0x2f, 0x8a, 0x42, 0x91, 0x44, 0x37, 0x71];
    const ARM: u16 = 183;
    const AMD: u16 = 62;

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn verdict_is_that_of_the_code() {
        let aese = [0x4e28_4862; 9];
        let both: Vec<u32> = aese.iter().chain(&[0x5e03_4041; 8]).copied().collect();
        let tables =
            [S_BOX, b"\0OpenSSL 3.0.19 27 Jan 2026\0compiler: gcc -O2 -DNDEBUG\0", K256].concat();
        let of = |code: &[u8], data: &[u8]| of_bytes(&file(ARM, code, data)).unwrap();

        let good = of(&words(&both), &tables);
        assert_eq!((good.verdict, good.architecture), (Verdict::Accelerated, "aarch64"));
        assert_eq!(good.library.as_deref(), Some("OpenSSL 3.0.19 27 Jan 2026"));
        assert_eq!(good.compiler.as_deref(), Some("gcc -O2 -DNDEBUG"));
        assert_eq!(good.instructions[0], Count { instruction: "AESE", of: Use::Aes, count: 9 });
        assert_eq!(good.tables, ["AES S-box", "SHA-256 constants"]);
        assert_eq!(good.remedy, None);

        let partly = of(&words(&aese), &tables);
        assert_eq!(partly.verdict, Verdict::Partly);
        // Three could be chance.
        let bad = of(&words(&aese[..3]), &tables);
        assert_eq!(bad.verdict, Verdict::NotAtAll);
        assert!(bad.remedy.unwrap().ends_with("./Configure linux-aarch64"));
        assert_eq!(of(&words(&aese), &[]).verdict, Verdict::Accelerated);
        assert_eq!(of(&words(&[0xd503_201f; 9]), &[]).verdict, Verdict::NothingFound);

        // What is data there is not counted, and what Arm knows says nothing of x86.
        assert_eq!(of(&[], &words(&aese)).verdict, Verdict::NothingFound);
        let x86 = of_bytes(&file(AMD, &[0x66, 0x0f, 0x38, 0xdc, 0xc1].repeat(4), S_BOX)).unwrap();
        assert_eq!((x86.verdict, x86.architecture), (Verdict::Accelerated, "x86-64"));
    }

    /// This program has every backend of ropewalk in it.
    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn this_program_is_accelerated() {
        let found = inspect(&std::env::current_exe().unwrap()).unwrap();
        assert_eq!(found.verdict, Verdict::Accelerated, "{found:?}");
        let has = |name: &str| found.instructions.iter().any(|count| count.instruction == name);
        if cfg!(target_arch = "x86_64") {
            assert!(has("AESENC") && has("VAESENC zmm") && has("VPMADD52 zmm"), "{found:?}");
        } else {
            assert!(has("AESE") && has("SHA256H") && has("SHA512H"), "{found:?}");
        }
    }

    #[test]
    fn archives_are_their_members() {
        let object = file(ARM, &words(&[0x4e28_4862; 9]), &[]);
        let member = |name: &str, data: &[u8]| {
            let head =
                format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, data.len());
            let padding: &[u8] = if data.len() % 2 == 1 { b"\n" } else { b"" };
            [head.as_bytes(), data, padding].concat()
        };
        let archive = |members: &[Vec<u8>]| [b"!<arch>\n".to_vec(), members.concat()].concat();
        let two =
            archive(&[member("a.o/", &object), member("text/", b"text"), member("b.o/", &object)]);
        let found = of_bytes(&two).unwrap();
        assert_eq!(found.form, "an archive of 2 objects");
        assert_eq!(found.instructions[0].count, 18);
        let other = file(AMD, &[0xc3], &[]);
        let mixed = archive(&[member("a.o/", &object), member("b.o/", &other)]);
        assert_eq!(
            of_bytes(&mixed).unwrap_err().to_string(),
            "an archive for several architectures"
        );
        let none = archive(&[member("text/", b"text")]);
        assert_eq!(of_bytes(&none).unwrap_err().to_string(), "an archive without ELF objects");
    }

    #[test]
    fn what_is_no_library_is_said_in_one_line() {
        let said = |bytes: &[u8]| of_bytes(bytes).unwrap_err().to_string();
        assert_eq!(said(b""), "not a binary file");
        assert_eq!(said(b"INPUT(libcrypto.so.3)\n"), "not a binary file");
        assert_eq!(said(&[&b"MZ"[..], &[0; 200]].concat()), "not a binary file");
        let whole = file(ARM, &[0; 64], &[]);
        assert_eq!(said(&whole[..40]), "a damaged ELF file");
        assert!(said(&file(243, &[0; 64], &[])).starts_with("for Riscv64; "));
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(inspect(folder.path()).unwrap_err().to_string(), "not a file");
    }

    /// To open a pipe is to wait for somebody who writes.
    #[test]
    #[cfg(unix)]
    fn pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || tell.send(inspect(&pipe).unwrap_err().to_string()));
        let patience = std::time::Duration::from_secs(10);
        assert_eq!(told.recv_timeout(patience).expect("an answer"), "not a file");
    }

    /// Neither a cut nor a changed byte makes more of it than an error, or takes long.
    #[test]
    fn damage_is_an_error_or_nothing() {
        let whole = file(ARM, &words(&[0x4e28_4862; 40]), S_BOX);
        for len in 0..whole.len() {
            let _ = of_bytes(&whole[..len]);
        }
        for at in 0..whole.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = whole.clone();
                changed[at] = value;
                let _ = of_bytes(&changed);
            }
        }
    }
}
