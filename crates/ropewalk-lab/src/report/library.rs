//! The libraries of a table by short names, a line each.

use super::table::{Line, Sheet};
use crate::{
    measure::reference::{OURS, is_ours},
    record::{Answer, Record},
};

/// One library in a table, with its best figure at each size.
pub struct Library<'a> {
    /// `ropewalk`, `OpenSSL 3.0.19`, `nettle`.
    pub name: String,
    /// The kind of library: `libcrypto`.
    pub peer: &'a str,
    /// Whether it belongs to this project.
    pub is_ours: bool,
    /// Whether it is ropewalk's default backend.
    pub is_chosen: bool,
    /// Whether it is the libcrypto that the loader finds.
    pub is_system: bool,
    /// One for each size.
    pub records: Vec<Option<&'a Record>>,
}

impl Library<'_> {
    /// Whether any size has a figure, or a wrong answer.
    pub fn ran(&self) -> bool {
        self.records.iter().flatten().any(|record| record.answer != Answer::None)
    }

    /// Nanoseconds of a message of that size.
    pub fn ns(&self, size: usize) -> Option<f64> {
        self.records.get(size).copied().flatten()?.ns
    }

    /// Why it has no figure, for the first size without one.
    pub fn why(&self) -> &str {
        let absent = self.records.iter().flatten().find(|record| record.ns.is_none());
        absent.map_or("", |record| record.note.as_str())
    }

    /// Whether the library itself is installed.
    pub fn is_here(&self) -> bool {
        self.records.iter().flatten().any(|record| record.version.is_some())
    }
}

/// The libraries of a table, fastest at the largest size first; ropewalk with its default backend, under each
/// mask.
pub fn libraries(sheet: &Sheet) -> Vec<Library<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for line in &sheet.lines {
        let Some(first) = line.records.first() else { continue };
        let key = Key::of(first);
        match groups.iter_mut().find(|group| group.key == key) {
            Some(group) => group.lines.push(line),
            None => groups.push(Group { key, lines: vec![line] }),
        }
    }
    let names = names(&groups);
    let system = system(&groups);
    let libraries = groups.iter().zip(names).enumerate().map(|(i, (group, name))| Library {
        name,
        peer: group.lines[0].records.first().map_or("", |record| record.peer.as_str()),
        is_ours: is_ours(&group.key.peer),
        is_chosen: group.key.peer == OURS && group.key.serial.is_none(),
        is_system: system == Some(i),
        records: group.best(sheet.sizes.len()),
    });
    let mut libraries: Vec<Library<'_>> = libraries.collect();
    libraries.sort_by(|a, b| {
        let ((a_misses, a), (b_misses, b)) = (score(a), score(b));
        a_misses.cmp(&b_misses).then(a.total_cmp(&b))
    });
    libraries
}

/// The common properties of the lines of a library.
#[derive(PartialEq)]
struct Key {
    peer: String,
    version: Option<String>,
    library: Option<String>,
    by: Option<String>,
    mask: String,
    /// A loop over the messages, which ropewalk's lanes are compared with.
    serial: Option<String>,
}

impl Key {
    fn of(record: &Record) -> Self {
        let Record { peer, version, library, by, mask, backend, .. } = record;
        Self {
            peer: peer.clone(),
            version: version.clone(),
            library: library.clone(),
            by: by.clone(),
            mask: mask.clone(),
            serial: (is_ours(peer) && backend == SERIAL).then(|| backend.clone()),
        }
    }
}

/// The backend that is a loop over the messages of a call.
pub const SERIAL: &str = "one by one";

struct Group<'a> {
    key: Key,
    lines: Vec<&'a Line>,
}

impl<'a> Group<'a> {
    /// For ropewalk the default backend; for others the fastest of their interfaces at each size.
    fn best(&self, sizes: usize) -> Vec<Option<&'a Record>> {
        let chosen = self.lines.iter().find(|line| line.chosen);
        // A backend that was selected by name, or is the only one, is not marked.
        let chosen = chosen.or_else(|| self.lines.iter().find(|line| ran(line)));
        let lines = match chosen {
            Some(line) if is_ours(&self.key.peer) => std::slice::from_ref(line),
            _ => &self.lines,
        };
        let of = |size| {
            let records = lines.iter().filter_map(|line: &&'a Line| line.records.get(size));
            records.min_by(|a, b| rank(a).total_cmp(&rank(b)))
        };
        (0..sizes).map(of).collect()
    }
}

fn ran(line: &Line) -> bool {
    line.records.iter().any(|record| record.answer != Answer::None)
}

/// Wrong answers come after right ones, and before none.
fn rank(record: &Record) -> f64 {
    match (record.ns, record.answer) {
        (Some(ns), _) => ns,
        (None, Answer::Wrong) => f64::MAX,
        (None, _) => f64::INFINITY,
    }
}

/// Nanoseconds at the largest size that it has; libraries without larger ones come later.
fn score(library: &Library<'_>) -> (usize, f64) {
    let sizes = library.records.len();
    let last = (0..sizes).rev().find_map(|size| Some((sizes - size, library.ns(size)?)));
    last.unwrap_or((usize::MAX, f64::INFINITY))
}

/// The libcrypto that programs here load: one that the lab did not fetch, or otherwise the first.
fn system(groups: &[Group<'_>]) -> Option<usize> {
    let plain = |group: &&Group<'_>| {
        let Key { peer, by, mask, .. } = &group.key;
        peer == "libcrypto" && by.is_none() && mask.is_empty()
    };
    let place = |wanted: &Group<'_>| groups.iter().position(|group| std::ptr::eq(group, wanted));
    let installed = |group: &&Group<'_>| {
        let path = group.key.library.as_deref().unwrap_or_default();
        path.starts_with("/usr/") || path.starts_with("/lib")
    };
    let all = || groups.iter().filter(plain);
    all()
        .find(installed)
        .or_else(|| all().find(|group| group.key.version.is_some()))
        .and_then(place)
}

/// Short names, all different.
fn names(groups: &[Group<'_>]) -> Vec<String> {
    let short: Vec<String> = groups.iter().map(|group| short(&group.key)).collect();
    let several = |names: &[String], name: &String| names.iter().filter(|n| *n == name).count() > 1;
    let numbered: Vec<String> = groups
        .iter()
        .zip(&short)
        .map(|(group, name)| match (several(&short, name), number(&group.key)) {
            (true, Some(number)) if !name.contains(number) => format!("{name} {number}"),
            _ => name.clone(),
        })
        .collect();
    let file = |group: &Group<'_>| {
        let file = group.key.library.as_deref().and_then(|path| path.rsplit('/').next());
        file.unwrap_or_default().to_owned()
    };
    let with_files: Vec<String> = groups
        .iter()
        .zip(&numbered)
        .map(|(group, name)| {
            let of_name = groups.iter().zip(&numbered).filter(|(_, other)| *other == name);
            let differ = of_name.clone().any(|(other, _)| file(other) != file(group));
            if differ {
                format!("{name} {}", file(group)).trim_end().to_owned()
            } else {
                name.clone()
            }
        })
        .collect();
    let mut names: Vec<String> = Vec::new();
    for name in with_files {
        let numbers = (2..).map(|number| format!("{name} ({number})"));
        let free = std::iter::once(name.clone()).chain(numbers).find(|name| !names.contains(name));
        names.push(free.unwrap_or(name));
    }
    names
}

/// `OpenSSL 3.0.19`, `nettle`: a kind of library, for libcrypto with the implementation.
pub fn short_name(peer: &str, version: &str) -> String {
    match peer {
        // OpenSSL, LibreSSL and AWS-LC.
        "libcrypto" if !version.is_empty() => {
            version.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
        }
        peer => peer.to_owned(),
    }
}

fn short(key: &Key) -> String {
    let name = short_name(&key.peer, key.version.as_deref().unwrap_or_default());
    let by = key.by.as_deref().and_then(|by| by.rsplit(['=', '/']).next());
    let serial = key.serial.as_ref().map(|_| "serial");
    let parts = [by, serial, Some(key.mask.as_str())];
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    [name.as_str()].into_iter().chain(parts).collect::<Vec<_>>().join(" ")
}

/// The first word of a version that begins with a digit.
fn number(key: &Key) -> Option<&str> {
    let version = key.version.as_deref()?.split(',').next()?;
    version.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::record::tests::record;

    /// A line of a table with a figure at each size, in nanoseconds; zero means none.
    pub(in crate::report) fn line(peer: &str, version: &str, ns: &[f64]) -> Line {
        let record = |(i, ns): (usize, &f64)| {
            let bytes = [16, 64, 1350, 16384][i];
            let of = record("aes-128-gcm", bytes, *ns);
            let measured = *ns > 0.0;
            Record {
                peer: peer.into(),
                version: (!version.is_empty()).then(|| version.into()),
                library: (peer == "libcrypto").then(|| format!("/usr/lib/{version}.so")),
                backend: String::new(),
                op: "seal".into(),
                answer: if measured { Answer::Right } else { Answer::None },
                ns: measured.then_some(*ns),
                mb_per_s: measured.then(|| bytes as f64 * 1e3 / ns),
                ops_per_s: measured.then(|| 1e9 / ns),
                share_of_limit: (measured && peer == OURS).then_some(0.594),
                note: if measured { String::new() } else { "has no AES-GCM".into() },
                ..of
            }
        };
        Line {
            name: peer.into(),
            version: version.into(),
            mask: String::new(),
            rival: !is_ours(peer),
            chosen: peer == OURS,
            records: ns.iter().enumerate().map(record).collect(),
        }
    }

    pub(in crate::report) fn sheet(lines: Vec<Line>) -> Sheet {
        let sizes = lines[0].records.iter().map(|record| record.bytes);
        Sheet {
            title: "aes-128-gcm/seal, one message a call".into(),
            by_call: false,
            shows: super::super::table::Shows::Speed,
            sizes: sizes.map(|bytes| format!("{bytes} B")).collect(),
            lines,
            expected: None,
        }
    }

    #[test]
    fn libraries_of_one_name_are_numbered() {
        let of = |version: &str, path: &str| {
            let mut line = line("libcrypto", version, &[40.0, 60.0]);
            line.records.iter_mut().for_each(|record| record.library = Some(path.into()));
            line
        };
        let version = "OpenSSL 3.0.19 27 Jan 2026";
        let sheet = sheet(vec![
            of(version, "/usr/lib/libcrypto.so.3"),
            of(version, "/opt/lib/libcrypto.so.3"),
            of("OpenSSL 3.5.1", "/usr/lib/libcrypto.so.3.5"),
            of("OpenSSL 3.5.1", "/opt/lib/libcrypto-3.5.so"),
        ]);
        let mut names: Vec<String> =
            libraries(&sheet).into_iter().map(|library| library.name).collect();
        names.sort_unstable();
        let want = [
            "OpenSSL 3.0.19",
            "OpenSSL 3.0.19 (2)",
            "OpenSSL 3.5.1 libcrypto-3.5.so",
            "OpenSSL 3.5.1 libcrypto.so.3.5",
        ];
        assert_eq!(names, want);
    }

    #[test]
    fn a_library_is_one_line_with_a_short_name() {
        let mut slow = line("ropewalk", "", &[90.0, 90.0]);
        slow.chosen = false;
        let mut job = line("ipsec-mb", "ipsec-mb 2.0.2", &[4.0, 99.0]);
        job.records.iter_mut().for_each(|record| record.backend = "job".into());
        let crates = "aes 0.9.4, aes-gcm 0.11.0, ctr 0.10.1";
        let sheet = sheet(vec![
            line("ropewalk", "", &[5.0, 9.0]),
            slow,
            line("libcrypto", "OpenSSL 4.0.3 1 Jan 2026", &[20.0, 30.0]),
            line("libcrypto", "OpenSSL 3.0.19 27 Jan 2026", &[40.0, 60.0]),
            job,
            line("ipsec-mb", "ipsec-mb 2.0.2", &[8.0, 8.0]),
            line("ipsec-mb", "ipsec-mb 1.5", &[9.0, 0.0]),
            line("rustcrypto", crates, &[400.0, 600.0]),
            line("nettle", "", &[0.0, 0.0]),
        ]);
        let all = libraries(&sheet);
        let names: Vec<&str> = all.iter().map(|library| library.name.as_str()).collect();
        let want = [
            "ropewalk",
            "ipsec-mb 2.0.2",
            "ipsec-mb 1.5",
            "OpenSSL 4.0.3",
            "OpenSSL 3.0.19",
            "rustcrypto",
            "nettle",
        ];
        let mut sorted = names.clone();
        sorted.sort_unstable();
        let mut wanted = want;
        wanted.sort_unstable();
        assert_eq!(sorted, wanted);
        assert_eq!(names.last(), Some(&"nettle"));
        let of = |name: &str| all.iter().find(|library| library.name == name).unwrap();
        assert_eq!(of("ropewalk").ns(0), Some(5.0), "what it chooses");
        assert_eq!(
            (of("ipsec-mb 2.0.2").ns(0), of("ipsec-mb 2.0.2").ns(1)),
            (Some(4.0), Some(8.0))
        );
        assert!(!of("nettle").ran() && !of("nettle").is_here());
        assert_eq!(of("nettle").why(), "has no AES-GCM");
        assert!(of("OpenSSL 4.0.3").is_system, "the first of those that are installed");
    }

    #[test]
    fn no_name_stands_for_two() {
        let twice = || line("libcrypto", "OpenSSL 3.0.19", &[20.0]);
        let mut other = twice();
        other.records[0].library = Some("/opt/libcrypto.so.3".into());
        let mut masked = twice();
        masked.records[0].mask = "-aes".into();
        let sheet = sheet(vec![twice(), other, masked]);
        let mut names: Vec<String> =
            libraries(&sheet).into_iter().map(|library| library.name).collect();
        names.sort_unstable();
        let want = [
            "OpenSSL 3.0.19 -aes",
            "OpenSSL 3.0.19 OpenSSL 3.0.19.so",
            "OpenSSL 3.0.19 libcrypto.so.3",
        ];
        assert_eq!(names, want);
    }
}
