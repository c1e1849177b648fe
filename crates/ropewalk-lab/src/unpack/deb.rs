//! Debian packages: an `ar` archive with a tar archive in it, which has the files.

use std::io::{self, Read};

use super::{Look, Name, Step, level::Level};

/// The header of a member: name, date, owner, group, mode, size, and an end.
const HEADER: usize = 60;

pub(super) fn read(look: &mut Look<'_>, name: &Name, from: &mut dyn Read, level: Level) -> Step {
    if let Err(error) = io::copy(&mut from.take(b"!<arch>\n".len() as u64), &mut io::sink()) {
        return look.failed(name, error);
    }
    loop {
        let (member, size) = match header(from) {
            Ok(Some(header)) => header,
            Ok(None) => return look.failed(name, "it has no data.tar"),
            Err(error) => return look.failed(name, error),
        };
        look.count_member(name)?;
        let mut data = from.take(size);
        if member.starts_with(b"data.tar") {
            // The files are the package's: the tar archive is not part of their names.
            let failures = look.failures;
            look.stream(name, &mut data, Some(size), level.of_package())?;
            let rest = io::copy(&mut data, &mut io::sink());
            return match (rest, data.limit()) {
                _ if look.failures > failures => Ok(()),
                (Ok(_), 0) => Ok(()),
                (Ok(_), missing) => look.failed(name, format!("{missing} bytes are missing")),
                (Err(error), _) => look.failed(name, error),
            };
        }
        // Members start at even offsets.
        let skipped = io::copy(&mut data, &mut io::sink())
            .and_then(|_| io::copy(&mut from.take(size % 2), &mut io::sink()));
        if let Err(error) = skipped {
            return look.failed(name, error);
        }
    }
}

/// The name and the size of the next member; nothing at the end.
fn header(from: &mut dyn Read) -> io::Result<Option<([u8; 16], u64)>> {
    let mut header = [0; HEADER];
    let mut read = 0;
    while read < HEADER {
        match from.read(&mut header[read..])? {
            0 if read == 0 => return Ok(None),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            more => read += more,
        }
    }
    let size =
        std::str::from_utf8(&header[48..58]).ok().and_then(|size| size.trim_end().parse().ok());
    match (size, header.first_chunk()) {
        (Some(size), Some(name)) if header.ends_with(b"`\n") => Ok(Some((*name, size))),
        _ => Err(io::Error::other("a header of ar is wrong")),
    }
}
