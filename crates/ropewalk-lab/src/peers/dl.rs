//! Libraries found at run time.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, ErrorKind, Read},
    os::unix::ffi::OsStrExt,
    path::Path,
};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use super::Unavailable;
use crate::filename::{parse, shown};

/// Opens a library by a name for the dynamic loader or by a path, in the form of [`shown`]. It stays open
/// until the process ends, since jobs call into it.
pub(crate) fn open(library: &str) -> Result<&'static Library, Unavailable> {
    let library = &parse(library);
    if library.as_bytes().contains(&b'/') {
        check_file(library.as_ref())?;
    }
    // SAFETY: this runs code of the library, which is intended. It has a separate process, as `Peer`
    // describes.
    let opened = unsafe { Library::open(Some(library), RTLD_NOW | RTLD_LOCAL) };
    match opened {
        Ok(opened) => Ok(Box::leak(Box::new(opened))),
        Err(error) => Err(Unavailable(reason(&library.to_string_lossy(), &error))),
    }
}

/// The file that contains the code at this address, in the form of [`shown`], if the system reports it.
pub(super) fn file_of(address: usize) -> Option<String> {
    let maps = fs::read("/proc/self/maps").ok()?;
    maps.split(|byte| *byte == b'\n').find_map(|line| {
        let path = line.iter().position(|byte| *byte == b'/').map(|at| &line[at..])?;
        let (range, _) = str::from_utf8(&line[..line.len() - path.len()]).ok()?.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let start = usize::from_str_radix(start, 16).ok()?;
        let end = usize::from_str_radix(end, 16).ok()?;
        (start..end).contains(&address).then(|| shown(OsStr::from_bytes(path)))
    })
}

/// A function whose name is not known at compile time.
///
/// # Safety
/// `F` must be the type of function that the public header gives this name.
pub(crate) unsafe fn symbol<F: Copy>(
    library: &'static Library,
    name: &str,
) -> Result<F, Unavailable> {
    // SAFETY: as the caller promises.
    let found = unsafe { library.get::<F>(name) };
    Ok(*found.map_err(|_| Unavailable(format!("no symbol {name}")))?)
}

/// Declares a struct of functions, as in the public header of a library, with a function `load`.
macro_rules! functions {
    ($(
        $(#[$doc:meta])*
        $Name:ident {
            $( fn $f:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?; )+
        }
    )+) => {$(
        $(#[$doc])*
        #[allow(non_snake_case)]
        #[derive(Clone, Copy)]
        pub(super) struct $Name {
            $( pub(super) $f: unsafe extern "C" fn($($arg: $ty),*) $(-> $ret)?, )+
        }

        impl $Name {
            /// Looks up all of them, or returns the missing one.
            pub(super) fn load(
                library: &'static libloading::os::unix::Library,
            ) -> Result<Self, $crate::peers::Unavailable> {
                Ok(Self {$(
                    $f: {
                        // SAFETY: the type is the one that the public header gives this name. Calling it is
                        // unsafe again.
                        let found = unsafe {
                            library.get::<unsafe extern "C" fn($($ty),*) $(-> $ret)?>(stringify!($f))
                        };
                        *found.map_err(|_| {
                            $crate::peers::Unavailable(concat!("no symbol ", stringify!($f)).into())
                        })?
                    },
                )+})
            }
        }
    )+};
}
pub(crate) use functions;

/// Checks a file for errors that the loader reports badly: for a library of another processor, glibc reports
/// that there is no such file.
fn check_file(path: &Path) -> Result<(), Unavailable> {
    let start = start_of(path).map_err(|error| Unavailable(file_reason(&error)))?;
    // This program itself shows what the system can run.
    let own = std::env::current_exe().and_then(start_of).ok();
    let Some(own) = own.as_deref().and_then(machine) else { return Ok(()) };
    match machine(&start) {
        None => Err(Unavailable("not a library".into())),
        Some(other) if other != own => {
            let name = MACHINES.iter().find(|(number, _)| *number == other);
            Err(Unavailable(match name {
                Some((_, name)) => format!("for {name}, not for this processor"),
                None => "for another processor".into(),
            }))
        }
        Some(_) => Ok(()),
    }
}

fn start_of(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(20).read_to_end(&mut start)?;
    Ok(start)
}

/// The processor number in an ELF header.
fn machine(start: &[u8]) -> Option<u16> {
    const BIG_ENDIAN: u8 = 2;
    let header = start.first_chunk::<20>().filter(|header| header.starts_with(b"\x7fELF"))?;
    let machine = [header[18], header[19]];
    let big = header[5] == BIG_ENDIAN;
    Some(if big { u16::from_be_bytes(machine) } else { u16::from_le_bytes(machine) })
}

const MACHINES: [(u16, &str); 8] = [
    (3, "32-bit x86"),
    (21, "64-bit PowerPC"),
    (22, "s390"),
    (40, "32-bit Arm"),
    (62, "x86-64"),
    (183, "Arm64"),
    (243, "RISC-V"),
    (258, "LoongArch"),
];

fn file_reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "no such file".into(),
        ErrorKind::IsADirectory => "a directory, not a library".into(),
        ErrorKind::PermissionDenied => "no permission to read it".into(),
        _ => error.to_string(),
    }
}

/// Why there is no library of a name.
pub(crate) const NOT_INSTALLED: &str = "not installed";

/// The loader's error in one line, which starts with the name that the caller knows.
fn reason(library: &str, error: &libloading::Error) -> String {
    let text = match error {
        libloading::Error::DlOpen { source } => source.to_string(),
        _ => error.to_string(),
    };
    let text = text.strip_prefix(library).and_then(|text| text.strip_prefix(": ")).unwrap_or(&text);
    if text.starts_with("cannot open shared object file: No such file") {
        return NOT_INSTALLED.into();
    }
    text.lines().collect::<Vec<_>>().join(" ")
}
