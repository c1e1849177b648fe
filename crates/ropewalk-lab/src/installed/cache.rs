//! The list of libraries of glibc's loader, `/etc/ld.so.cache`.
//!
//! Its format is that of `sysdeps/generic/dl-cache.h`: a header, entries of 24 bytes, and names at offsets
//! from the header. An older list, without processor features, may precede it.

use std::path::PathBuf;

/// The first bytes of the newer list, the length of its header, and the offset of its byte order.
const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
const HEAD: usize = 48;
const ORDER: usize = 28;
const BIG_ENDIAN: u8 = 3;

/// The length of an entry, and the offsets of the name and the path in it.
const ENTRY: usize = 24;
const NAME: usize = 4;
const PATH: usize = 8;

/// The paths in it, in order. Damaged entries are omitted.
pub(super) fn paths(cache: &[u8]) -> Vec<PathBuf> {
    entries(cache).into_iter().map(|(_, path)| path).collect()
}

/// The names in it and their paths, in order. Damaged entries are omitted.
pub(crate) fn entries(cache: &[u8]) -> Vec<(Vec<u8>, PathBuf)> {
    let start = cache.windows(MAGIC.len()).position(|bytes| bytes == MAGIC);
    let list = start.map_or(&[][..], |start| &cache[start..]);
    // Old lists do not state their byte order, and nearly all machines have this one.
    let is_big = list.get(ORDER).is_some_and(|flags| flags & BIG_ENDIAN == BIG_ENDIAN);
    let number = |at: usize| {
        let bytes = *list.get(at..)?.first_chunk()?;
        let number = if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
        usize::try_from(number).ok()
    };
    let count = number(MAGIC.len()).unwrap_or(0).min(list.len() / ENTRY).min(MOST);
    let string = |place: usize| {
        let text = list.get(number(place)?..)?;
        let end = text.iter().take(LONGEST).position(|byte| *byte == 0)?;
        Some(&text[..end])
    };
    let entry = |entry: usize| {
        let path = string(HEAD + entry * ENTRY + PATH)?;
        let name = string(HEAD + entry * ENTRY + NAME).unwrap_or_default();
        Some((name.to_vec(), PathBuf::from(std::str::from_utf8(path).ok()?)))
    };
    (0..count).filter_map(entry).collect()
}

/// More entries than any machine has, and longer names: the list may be another machine's.
const MOST: usize = 1 << 16;
const LONGEST: usize = 1024;

#[cfg(test)]
mod tests {
    use std::{path::Path, process::Command};

    use super::*;

    fn cache(libraries: &[&str]) -> Vec<u8> {
        let names = HEAD + libraries.len() * ENTRY;
        let mut list = MAGIC.to_vec();
        list.extend((libraries.len() as u32).to_le_bytes());
        list.resize(HEAD, 0);
        let mut at = names;
        for path in libraries {
            let mut entry = [0; ENTRY];
            entry[PATH..PATH + 4].copy_from_slice(&(at as u32).to_le_bytes());
            list.extend(entry);
            at += path.len() + 1;
        }
        libraries.iter().for_each(|path| list.extend(format!("{path}\0").bytes()));
        list
    }

    #[test]
    fn paths_are_found_behind_the_older_list() {
        let libraries = ["/lib/libcrypto.so.3", "/usr/lib/libz.so.1"];
        let list = cache(&libraries);
        assert_eq!(paths(&list), libraries.map(PathBuf::from));
        let behind = [&b"ld.so-1.7.0\0\0\0\0\0"[..], &list].concat();
        assert_eq!(paths(&behind), libraries.map(PathBuf::from));
    }

    #[test]
    fn damage_leaves_out_what_it_hits() {
        let list = cache(&["/lib/libcrypto.so.3"]);
        for len in 0..list.len() {
            assert_eq!(paths(&list[..len]), [""; 0].map(PathBuf::from), "{len} bytes");
        }
        for at in 0..list.len() {
            let mut changed = list.clone();
            changed[at] = 0xff;
            assert!(paths(&changed).len() <= 1 || at >= MAGIC.len());
        }
    }

    /// If there is such a list, the loader's own program reads the same from it.
    #[test]
    fn same_as_ldconfig() {
        let (Ok(cache), Ok(said)) = (
            std::fs::read("/etc/ld.so.cache"),
            Command::new("/sbin/ldconfig").arg("-p").env("LC_ALL", "C").output(),
        ) else {
            return eprintln!("skipped: there is no list, or no ldconfig");
        };
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        let said = said.lines().filter_map(|line| Some(Path::new(line.split_once(" => ")?.1)));
        assert_eq!(paths(&cache), said.collect::<Vec<_>>());
    }
}
