//! Zip archives, including wheels, and packages of Java and Android.

use std::collections::BTreeMap;

use rawzip::{
    CompressionMethod, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ReaderAt, ZipFileHeaderRecord, ZipLocator,
};

use super::{Look, Name, Step, bounds::Metered, level::Level, name::shown, streams::Format};

/// Members that are not read, by reason: their number, and the name of the first.
type Unread = BTreeMap<String, (u64, String)>;

pub(super) fn read(
    look: &mut Look<'_>,
    name: &Name,
    from: &dyn ReaderAt,
    len: u64,
    level: Level,
) -> Step {
    let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let archive = match ZipLocator::new().locate_in_reader(from, &mut buffer, len) {
        Ok(archive) => archive,
        Err((_, error)) => return look.failed(name, error),
    };
    let Some(level) = look.enter(name, level)? else { return Ok(()) };
    let mut unread = Unread::new();
    let mut entries = archive.entries(&mut buffer);
    let mut count = 0;
    loop {
        let entry = match entries.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) if count == archive.entries_hint() => break,
            Ok(None) => {
                let all = archive.entries_hint();
                look.failed(name, format!("it has {count} of its {all} members"))?;
                break;
            }
            Err(error) => {
                look.failed(name, error)?;
                break;
            }
        };
        count += 1;
        look.count_member(name)?;
        if entry.is_dir() || entry.mode().is_symlink() {
            continue;
        }
        let path = entry.file_path().as_bytes();
        let member = name.member(path);
        let format = match format(&entry) {
            Ok(format) => format,
            Err(why) => {
                unread.entry(why).or_insert_with(|| (0, shown(path))).0 += 1;
                continue;
            }
        };
        let stored = match archive.get_entry(entry.wayfinder()) {
            Ok(stored) => stored,
            Err(error) => {
                look.failed(&member, error)?;
                continue;
            }
        };
        let mut packed = stored.reader();
        let decoder = match format {
            None => Ok(Box::new(packed) as Box<dyn std::io::Read + '_>),
            Some(format) => format.decoder(&mut packed),
        };
        let decoder = match decoder {
            Ok(decoder) => Metered::new(decoder, &look.budget),
            Err(error) => {
                look.failed(&member, error)?;
                continue;
            }
        };
        let size = entry.uncompressed_size_hint();
        look.stream(&member, &mut stored.verifying_reader(decoder), Some(size), level)?;
    }
    for (why, (count, first)) in unread {
        let members =
            if count == 1 { "member".into() } else { format!("{count} members, the first") };
        look.refuse(name, format!("{members} {first}: {why}"))?;
    }
    Ok(())
}

/// The compression of a member, if any; or why it is not read.
fn format(entry: &ZipFileHeaderRecord<'_>) -> Result<Option<Format>, String> {
    if entry.flags().is_encrypted() {
        return Err("encrypted: unpack it with unzip or 7z x, and its password".into());
    }
    match entry.compression_method() {
        CompressionMethod::STORE => Ok(None),
        CompressionMethod::DEFLATE => Ok(Some(Format::Deflate)),
        CompressionMethod::BZIP2 => Ok(Some(Format::Bzip2)),
        CompressionMethod::XZ => Ok(Some(Format::Xz)),
        CompressionMethod::ZSTD | CompressionMethod::ZSTD_DEPRECATED => Ok(Some(Format::Zstd)),
        other => {
            Err(format!("compressed by method {other}, which is not read: unpack it with 7z x"))
        }
    }
}
