//! The cryptographic libraries of a running process.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs,
    io::{self, Write},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use anyhow::{Result, anyhow, bail};
use procfs::{ProcError, process::Process};
use rustix::process::geteuid;
use serde::{Serialize, Serializer};

use super::{
    super::{Exit, Usage, provider::is_module},
    library_text::content,
    text::{GOOD, HEAD, QUIET, WARNING, paragraph},
};
use crate::{
    filename,
    inspect::{Finding, Verdict, inspect},
    installed::Kind,
    machine::masks::{self, Mask},
    stdio::write_json,
};

/// The report on a process.
#[derive(Debug, Serialize)]
struct Told {
    pid: i32,
    /// Its program.
    #[serde(serialize_with = "filename::serialize")]
    program: PathBuf,
    /// The masks in its environment; none if it may not be read.
    masks: Option<Vec<Mask>>,
    /// The module of ropewalk's provider, if the process has loaded it: OpenSSL in the process then uses it.
    #[serde(serialize_with = "optional")]
    provider: Option<PathBuf>,
    /// The libraries that it has mapped, and its program if it contains cryptography or cannot be examined.
    mapped: Vec<Mapped>,
}

/// A file with cryptography that a process runs.
#[derive(Debug, Serialize)]
struct Mapped {
    /// `libcrypto`, or `program`.
    kind: &'static str,
    /// Its file, as the process sees it.
    #[serde(serialize_with = "filename::serialize")]
    path: PathBuf,
    /// Whether that file has been replaced or deleted since it was mapped.
    replaced: bool,
    /// The version that it reports.
    version: Option<String>,
    /// Its contents, as `doctor FILE` reports them.
    contains: Option<Finding>,
    /// Why they are not known.
    note: Option<String>,
}

/// A flag in the status of kernel threads.
const PF_KTHREAD: u32 = 0x0020_0000;

/// Writes the report on a process.
///
/// # Errors
/// If there is no such process, it may not be examined, it runs no program, or the report cannot be written.
pub(super) fn run(pid: i32, json: bool, out: &mut impl Write) -> Result<Exit> {
    let folder = Path::new("/proc").join(pid.to_string());
    let told = look(pid, &folder)?;
    if json {
        write_json(&told, out)?;
    } else {
        told.write(out)?;
    }
    out.flush()?;
    Ok(match (told.is_bad(), told.is_known()) {
        (true, _) => Exit::Wrong,
        (false, false) => Exit::Failed,
        (false, true) => Exit::Fine,
    })
}

/// Examines the process in that folder of `/proc`.
fn look(pid: i32, folder: &Path) -> Result<Told> {
    let failed = |error| refused(pid, error);
    let process = Process::new_with_root(folder.to_owned()).map_err(failed)?;
    let stat = process.stat().map_err(failed)?;
    if stat.flags & PF_KTHREAD != 0 {
        bail!(Usage(format!(
            "process {pid} is a thread of the kernel ({}), and has no libraries",
            stat.comm
        )));
    }
    if stat.state == 'Z' {
        bail!(ended(pid, &stat.comm));
    }
    // This comes before its program, whose link may be readable when the maps are not.
    let maps = fs::read(folder.join("maps")).map_err(|error| unread(pid, error))?;
    let program = process.exe().map_err(failed)?;
    // A process that ends meanwhile has none left.
    if maps.is_empty() {
        bail!(ended(pid, &stat.comm));
    }
    let mut mapped: BTreeMap<PathBuf, Mapped> = BTreeMap::new();
    let mut provider = None;
    for (range, path) in programs(&maps) {
        if is_module(&path) {
            provider = Some(path.clone());
        }
        if !mapped.contains_key(&path)
            && let Some(found) = library(folder, &path, &range)
        {
            mapped.insert(path, found);
        }
    }
    let itself = Mapped::read("program", &program, folder, "exe");
    let linked =
        |finding: &Finding| !matches!(finding.verdict, Verdict::NothingFound | Verdict::NoCode);
    let itself = Some(itself).filter(|itself| itself.contains.as_ref().is_none_or(linked));
    let variables = process.environ().ok();
    Ok(Told {
        pid,
        program,
        masks: variables.map(|variables| {
            masks::in_environment(
                variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str())),
            )
        }),
        provider,
        mapped: mapped.into_values().chain(itself).collect(),
    })
}

/// The files with mapped code, and their ranges; including names that are not UTF-8, which `procfs` does not
/// read.
fn programs(maps: &[u8]) -> impl Iterator<Item = (String, PathBuf)> {
    maps.split(|byte| *byte == b'\n').filter_map(|line| {
        let mut fields = line.splitn(6, |byte| *byte == b' ');
        let (range, permissions) = (fields.next()?, fields.next()?);
        let path = fields.nth(3)?.trim_ascii_start();
        // The kernel escapes a newline so.
        let path = replaced(path, b"\\012", b'\n');
        let is_code = permissions.get(2) == Some(&b'x') && path.starts_with(b"/");
        let path = PathBuf::from(OsString::from_vec(path));
        is_code.then(|| (String::from_utf8_lossy(range).into_owned(), path))
    })
}

/// Replaces each occurrence of a string by a byte.
fn replaced(bytes: &[u8], from: &[u8], to: u8) -> Vec<u8> {
    let mut all = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        let found = rest.strip_prefix(from);
        all.push(if found.is_some() { to } else { *first });
        rest = found.unwrap_or(after);
    }
    all
}

/// A mapped file, if it is a cryptographic library. `range` is the range of its code.
fn library(folder: &Path, path: &Path, range: &str) -> Option<Mapped> {
    let file = path.file_name().and_then(OsStr::to_str)?;
    let kind = Kind::of(file.strip_suffix(DELETED).unwrap_or(file))?;
    Some(Mapped::read(kind.name, path, folder, &format!("map_files/{range}")))
}

fn optional<S: Serializer>(path: &Option<PathBuf>, to: S) -> std::result::Result<S::Ok, S::Error> {
    match path {
        Some(path) => filename::serialize(path, to),
        None => to.serialize_none(),
    }
}

/// The suffix that Linux adds to the name of a deleted file.
const DELETED: &str = " (deleted)";

impl Mapped {
    /// Examines the file that the process has mapped, which differs from the file of that name if it was
    /// replaced. `link` refers to it from the folder of the process.
    fn read(kind: &'static str, path: &Path, folder: &Path, link: &str) -> Self {
        let name = path.as_os_str().as_bytes().strip_suffix(DELETED.as_bytes());
        let name = name.map(OsStr::from_bytes);
        let found = inspect(&folder.join(link));
        // Only root may follow some of these links. The name is equivalent, in the process's view of the file
        // system.
        let found = match (name, found) {
            (None, Err(_)) => {
                let inside = path.strip_prefix("/").unwrap_or(path);
                inspect(&folder.join("root").join(inside))
            }
            (_, found) => found,
        };
        let (contains, note) = match found {
            Ok(finding) => (Some(finding), None),
            Err(why) => (None, Some(format!("{why:#}"))),
        };
        Self {
            kind,
            path: name.map_or_else(|| path.to_owned(), PathBuf::from),
            replaced: name.is_some(),
            version: contains.as_ref().and_then(|it| it.library().map(str::to_owned)),
            contains,
            note,
        }
    }

    fn is_bad(&self) -> bool {
        self.replaced || self.contains.as_ref().is_some_and(Finding::is_fault)
    }
}

fn unread(pid: i32, error: io::Error) -> anyhow::Error {
    refused(pid, error.into())
}

fn ended(pid: i32, name: &str) -> Usage {
    Usage(format!("process {pid} ({name}) has ended, and has no libraries any more"))
}

fn refused(pid: i32, error: ProcError) -> anyhow::Error {
    match error {
        ProcError::NotFound(_) => anyhow!(Usage(format!("there is no process {pid}"))),
        ProcError::PermissionDenied(_) => anyhow!(denied(pid, geteuid().is_root())),
        other => anyhow!("process {pid}: {other}"),
    }
}

fn denied(pid: i32, as_root: bool) -> String {
    match as_root {
        true => format!("process {pid} may not be examined here, not even by root"),
        false => {
            format!("process {pid} belongs to another user: examine it as root, or as its user")
        }
    }
}

impl Told {
    /// Whether all of it could be examined.
    fn is_known(&self) -> bool {
        self.masks.is_some() && self.mapped.iter().all(|mapped| mapped.contains.is_some())
    }

    fn is_bad(&self) -> bool {
        let masked = self.masks.iter().flatten().any(Mask::matters);
        masked || self.mapped.iter().any(Mapped::is_bad)
    }

    /// Writes it for a terminal.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{HEAD}process {}{HEAD:#}: {}", self.pid, filename::shown(&self.program))?;
        match &self.masks {
            None => paragraph(out, "masks", "its environment may not be read")?,
            Some(masks) => masks.iter().try_for_each(|mask| write_mask(out, mask))?,
        }
        if let Some(module) = &self.provider {
            let text =
                format!("ropewalk serves what goes through OpenSSL: {}", filename::shown(module));
            paragraph(out, "provider", &text)?;
        }
        if self.mapped.is_empty() {
            writeln!(
                out,
                "  {QUIET}no library of cryptography is mapped, and none is in its program{QUIET:#}"
            )?;
        }
        self.mapped.iter().try_for_each(|mapped| mapped.write(out))
    }
}

fn write_mask(out: &mut impl Write, mask: &Mask) -> io::Result<()> {
    let style = if mask.matters() { WARNING } else { QUIET };
    let Mask { name, value, of, explained, .. } = mask;
    writeln!(out, "  {style}{name}={value}{style:#}")?;
    paragraph(out, "", &format!("hides processor features from {of}"))?;
    paragraph(out, "", explained.as_deref().unwrap_or_default())
}

impl Mapped {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { kind, path, replaced, version, contains, note } = self;
        let title = version.as_ref().map_or((*kind).to_owned(), |it| format!("{kind}, {it}"));
        let verdict = contains.as_ref().map(|contains| contains.verdict);
        let style = if verdict.is_some_and(Verdict::is_bad) { WARNING } else { GOOD };
        let words = verdict.map_or("not known", Verdict::words);
        writeln!(out, "\n{HEAD}{title}{HEAD:#}: {style}{words}{style:#}")?;
        paragraph(out, "file", &filename::shown(path))?;
        if *replaced {
            writeln!(
                out,
                "  {WARNING}replaced since it started{WARNING:#}: start the process again"
            )?;
        }
        if let Some(contains) = contains {
            paragraph(out, "", &contains.why)?;
            paragraph(out, "remedy", contains.remedy.as_deref().unwrap_or_default())?;
            paragraph(out, "contains", &content(contains))?;
        }
        paragraph(out, "note", note.as_deref().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    /// Process 7, with that status and those mappings, in a folder that is not `/proc`.
    fn process(stat: &str, maps: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("7");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("stat"), stat).unwrap();
        fs::write(folder.join("maps"), maps).unwrap();
        fs::write(folder.join("environ"), "PATH=/bin\0NETTLE_FAT_OVERRIDE=none\0").unwrap();
        root
    }

    fn stat(state: char, flags: u32) -> String {
        let rest = ["0"; 43].join(" ");
        format!("7 (made up) {state} 1 7 7 0 -1 {flags} {rest}\n")
    }

    fn refusal(stat: &str) -> String {
        look(7, &process(stat, "").path().join("7")).unwrap_err().to_string()
    }

    #[test]
    fn what_has_no_libraries_is_refused() {
        assert_eq!(
            refusal(&stat('S', PF_KTHREAD)),
            "process 7 is a thread of the kernel (made up), and has no libraries"
        );
        let ended = "process 7 (made up) has ended, and has no libraries any more";
        assert_eq!(refusal(&stat('Z', 0)), ended);
        let nobody = run(i32::MAX, false, &mut Vec::new()).unwrap_err();
        assert_eq!(nobody.to_string(), format!("there is no process {}", i32::MAX));
        assert!(nobody.is::<Usage>());
        let why = refused(7, ProcError::PermissionDenied(None)).to_string();
        assert_eq!(why, denied(7, geteuid().is_root()));
        assert!(denied(7, false).contains("as root") && denied(7, true).contains("by root"));
    }

    #[test]
    fn mapped_and_replaced_libraries_are_told() {
        let maps = "1000-2000 r-xp 00000000 08:01 11 /lib/libcrypto.so.3 (deleted)\n\
                    2000-3000 r--p 00000000 08:01 12 /lib/libgcrypt.so.20\n\
                    3000-4000 r-xp 00000000 08:01 13 /lib/libnettle.so.8\n\
                    4000-5000 r-xp 00000000 08:01 13 /lib/libnettle.so.8\n\
                    5000-6000 r-xp 00000000 08:01 14 /lib/libz.so.1\n\
                    7000-8000 rw-p 00000000 00:00 0 [heap]\n";
        let root = process(&stat('S', 0), maps);
        let folder = root.path().join("7");
        fs::create_dir(folder.join("map_files")).unwrap();
        fs::write(folder.join("map_files/1000-2000"), "text").unwrap();
        symlink("/no/such/program", folder.join("exe")).unwrap();
        let told = look(7, &folder).unwrap();
        let kinds: Vec<_> = told.mapped.iter().map(|it| (it.kind, it.replaced)).collect();
        assert_eq!(kinds, [("libcrypto", true), ("nettle", false), ("program", false)]);
        assert_eq!(told.mapped[0].path, Path::new("/lib/libcrypto.so.3"));
        let notes: Vec<_> = told.mapped.iter().map(|it| it.note.as_deref().unwrap()).collect();
        assert_eq!(notes[0], "not a binary file");
        assert!(notes[1].contains("No such file"), "{notes:?}");
        assert_eq!(told.masks.as_ref().unwrap()[0].name, "NETTLE_FAT_OVERRIDE");
        let mut out = Vec::new();
        told.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("replaced since it started"), "{text}");
        assert!(text.contains("NETTLE_FAT_OVERRIDE=none"), "{text}");
        assert!(told.is_bad() && !told.is_known());
    }

    /// A file that cannot be examined differs from one without cryptography.
    #[test]
    fn what_is_not_known_is_no_success() {
        let maps =
            b"1000-2000 r-xp 00000000 08:01 11                 /lib/b\xe4r\\012/libnettle.so.8\n";
        let root = process(&stat('S', 0), "");
        let folder = root.path().join("7");
        let this = std::env::current_exe().unwrap();
        symlink(&this, folder.join("exe")).unwrap();
        fs::write(folder.join("environ"), "").unwrap();
        assert_eq!(
            look(7, &folder).unwrap_err().to_string(),
            "process 7 (made up) has ended, and has no libraries any more"
        );
        fs::write(folder.join("maps"), maps).unwrap();
        let told = look(7, &folder).unwrap();
        let name = OsStr::from_bytes(b"/lib/b\xe4r\n/libnettle.so.8");
        assert_eq!((told.mapped[0].path.as_os_str(), told.is_known()), (name, false));
        let json = serde_json::to_value(&told).unwrap();
        assert_eq!(json["mapped"][0]["path"], r"/lib/b\xe4r\x0a/libnettle.so.8");

        fs::write(folder.join("maps"), "1000-2000 r-xp 00000000 08:01 11 /bin/true\n").unwrap();
        assert!(look(7, &folder).unwrap().is_known());
        fs::remove_file(folder.join("environ")).unwrap();
        assert!(!look(7, &folder).unwrap().is_known(), "its environment may not be read");
    }

    /// This program has ropewalk in it.
    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn this_process_is_linked_with_it() {
        let pid = std::process::id().cast_signed();
        let told = look(pid, &Path::new("/proc").join(pid.to_string())).unwrap();
        let itself = told.mapped.iter().find(|it| it.kind == "program").unwrap();
        assert_eq!(itself.contains.as_ref().unwrap().verdict, Verdict::Accelerated);
        assert_eq!(itself.path, std::env::current_exe().unwrap());
        assert!(!itself.replaced);
    }
}
