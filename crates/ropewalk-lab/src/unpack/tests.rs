//! Files, archives and folders, and what is reported.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::symlink},
    path::PathBuf,
    sync::mpsc,
    thread,
    time::Duration,
};

use tempfile::TempDir;

use super::{
    made::{
        Entry, FORMATS, bomb, compress, deb, encrypted_zip, fat, mach_o, pe, tar, tar_entry, zip,
    },
    streams::Format,
    *,
};
use crate::inspect::{
    Verdict,
    made::{archive, code, for_s390, library, tables},
};

/// The report, with names relative to the folder of the test.
fn seen_at(folder: &Path, path: &Path) -> (Shape, Vec<String>) {
    let mut seen = Vec::new();
    let start = format!("{}/", folder.display());
    let shape = look(path, &mut |member| {
        let name = member.name.to_string();
        let name = name.strip_prefix(&start).unwrap_or(&name);
        seen.push(match member.seen {
            Seen::Found(finding) => {
                format!("{name}: {} {}", finding.architecture, finding.verdict.words())
            }
            Seen::OtherMachine(why) | Seen::Refused(why) => format!("{name}: {why}"),
            Seen::NotBinary => format!("{name}: no code"),
            Seen::OtherFileSystem => format!("{name}: other file system"),
        });
        Ok(())
    });
    (shape.unwrap(), seen)
}

/// The report on a file of these bytes. Its name has no meaning.
fn seen(bytes: &[u8]) -> (Shape, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, bytes).unwrap();
    let seen = seen_at(folder.path(), &path);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "something was written");
    seen
}

fn of_file(bytes: &[u8]) -> String {
    let (shape, seen) = seen(bytes);
    assert_eq!((shape, seen.len()), (Shape::File, 1), "{seen:?}");
    seen[0].clone()
}

fn of_archive(bytes: &[u8]) -> Vec<String> {
    let (shape, seen) = seen(bytes);
    assert_eq!(shape, Shape::Archive, "{seen:?}");
    seen
}

const GOOD: &str = "aarch64 accelerated";

#[test]
fn compressed_files_are_the_files_in_them() {
    let (good, bad) = (library(true), library(false));
    for format in FORMATS {
        assert_eq!(of_file(&compress(format, &good)), format!("x: {GOOD}"), "{format:?}");
        assert_eq!(of_file(&compress(format, &bad)), "x: aarch64 not accelerated", "{format:?}");
        assert_eq!(of_file(&compress(format, b"text")), "x: not a binary file", "{format:?}");
        // Two concatenated streams, as parallel compressors write them.
        let (start, end) = good.split_at(100);
        let two = [compress(format, start), compress(format, end)].concat();
        if format != Format::Lzma {
            assert_eq!(of_file(&two), format!("x: {GOOD}"), "{format:?}");
        }
    }
    let twice = compress(Format::Xz, &compress(Format::Gzip, &good));
    assert_eq!(of_file(&twice), "x: compressed twice: decompress it once");
}

#[test]
fn every_archive_is_opened() {
    let (good, bad) = (library(true), library(false));
    let entries: &[Entry<'_>] =
        &[(b"a/good.so", &good), (b"README", b"text"), (b"./bad.so", &bad), (b"empty", b"")];
    let mut right = vec![
        format!("x!a/good.so: {GOOD}"),
        "x!README: no code".into(),
        "x!bad.so: aarch64 not accelerated".into(),
        "x!empty: no code".into(),
    ];
    assert_eq!(of_archive(&tar(entries)), right);
    for format in FORMATS {
        assert_eq!(of_archive(&compress(format, &tar(entries))), right, "{format:?}");
        let data = compress(format, &tar(entries));
        assert_eq!(of_archive(&deb("data.tar.odd", &data)), right, "{format:?}");
    }
    assert_eq!(of_archive(&deb("data.tar", &tar(entries))), right);
    for format in
        [None, Some(Format::Deflate), Some(Format::Bzip2), Some(Format::Xz), Some(Format::Zstd)]
    {
        assert_eq!(of_archive(&zip(format, entries)), right, "{format:?}");
    }
    // The data before a nested zip archive is read once.
    right.iter_mut().for_each(|line| line.insert_str(1, "!in.zip"));
    let nested = zip(Some(Format::Deflate), entries);
    assert_eq!(of_archive(&compress(Format::Gzip, &tar(&[(b"in.zip", &nested)]))), right);
}

#[test]
fn archives_in_archives_are_opened_to_a_depth() {
    let good = library(true);
    let jar = zip(Some(Format::Deflate), &[(b"native/good.so", &good)]);
    let module = compress(Format::Xz, &good);
    let objects = archive(&[("good.o/", &good)]);
    let data = tar(&[(b"./usr/x.jar", &jar), (b"./x.ko.xz", &module), (b"x.a", &objects)]);
    let package = deb("data.tar.zst", &compress(Format::Zstd, &data));
    let right = [
        format!("x!usr/x.jar!native/good.so: {GOOD}"),
        format!("x!x.ko.xz: {GOOD}"),
        format!("x!x.a: {GOOD}"),
    ];
    assert_eq!(of_archive(&package), right);

    let mut deep = library(true);
    for _ in 0..bounds::DEPTH {
        deep = tar(&[(b"y", &deep)]);
    }
    assert_eq!(of_archive(&deep), [format!("x!y!y!y: {GOOD}")]);
    for deeper in [tar(&[(b"y", &deep)]), zip(None, &[(b"y", &deep)])] {
        let why = "an archive inside 3 others, which are opened: unpack it";
        assert_eq!(of_archive(&deeper), [format!("x!y!y!y: {why}")]);
    }
    // Each of these is a package with the one before as its data.
    let packages = (0..2000).fold(Vec::new(), |data, _| deb("data.tar", &data));
    assert_eq!(of_file(&packages), "x: its data.tar is no tar archive");
}

#[test]
fn names_are_only_names() {
    let good = library(true);
    let long = [b'l'; 300];
    let entries: &[Entry<'_>] = &[
        (b"../../up.so", &good),
        (b"/etc/root.so", &good),
        (b"a\n\x1b[2Jb.so", &good),
        (b"b\xe4r.so", &good),
        (&long, &good),
    ];
    let names = ["../../up.so", "/etc/root.so", r"a\x0a\x1b[2Jb.so", r"b\xe4r.so"];
    let names = names.map(str::to_owned).into_iter().chain(["l".repeat(300)]);
    let right: Vec<String> = names.map(|name| format!("x!{name}: {GOOD}")).collect();
    assert_eq!(of_archive(&tar(entries)), right);
    assert_eq!(of_archive(&zip(None, entries)), right);
}

/// Entries of an archive that are not files are skipped.
#[test]
fn links_in_archives_are_passed_over() {
    let good = library(true);
    let mut kinds: Vec<u8> =
        b"123456".iter().flat_map(|kind| tar_entry(b"link", *kind, 0, b"")).collect();
    kinds.extend(tar(&[(b"good.so", &good)]));
    assert_eq!(of_archive(&kinds), [format!("x!good.so: {GOOD}")]);
}

#[test]
fn bombs_are_refused() {
    let over = "more than 100 times its size when unpacked, and is not read on: unpack it, and name its files";
    let len = bounds::FREE + (16 << 20);
    let start = library(true);
    assert_eq!(of_file(&bomb(&start, len)), format!("x: {over}"));
    // A skipped member.
    let zeros = tar_entry(b"zeros", b'0', len, &[]);
    assert_eq!(of_archive(&bomb(&zeros, len)), ["x!zeros: no code".into(), format!("x: {over}")]);
    // A name.
    let name = tar_entry(b"././@LongLink", b'L', len, &[]);
    let why = "x: damaged or cut short: a name of more than 1024 KiB";
    assert_eq!(of_archive(&bomb(&name, len)), [why]);
    // In a zip archive, more than once, though each is within the limit.
    let half = [&start[..], &vec![0; 160 << 20]].concat();
    let packed = zip(Some(Format::Deflate), &[(b"a", &half), (b"b", &half)]);
    assert_eq!(of_archive(&packed)[1..], [format!("x!b: {over}")]);
    // Dictionaries that are too large.
    let mut wide = compress(Format::Lzma, &start);
    wide[1..5].copy_from_slice(&(1u32 << 30).to_le_bytes());
    assert!(of_file(&wide).starts_with("x: damaged or cut short: "), "{}", of_file(&wide));
}

#[test]
fn sizes_that_lie_are_errors() {
    let mut good = library(true);
    good.resize(4096, 0);
    let large = tar_entry(b"good.so", b'0', 1 << 33, &good);
    let lines = of_archive(&large);
    assert!(lines[0].starts_with("x!good.so: 8192 MiB: more than 512 are not read"), "{lines:?}");
    let larger = tar_entry(b"good.so", b'0', good.len() as u64 + 4096, &good);
    let lines = of_archive(&larger);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].starts_with("x!good.so: damaged or cut short: it has 4096 of its "),
        "{lines:?}"
    );
    let package = deb("data.tar", &tar(&[(b"good.so", &good)]));
    assert_eq!(of_archive(&package), [format!("x!good.so: {GOOD}")]);
    let size = package.windows(8).position(|it| it == b"data.tar").unwrap() + 48;
    let mut short = package.clone();
    short[size..size + 10].copy_from_slice(b"600       ");
    assert!(of_archive(&short)[0].contains("damaged or cut short"), "{:?}", of_archive(&short));
    let mut zipped = zip(None, &[(b"good.so", &good)]);
    // A byte of the member: its checksum is then wrong.
    let at = zipped.windows(good.len()).position(|it| it == good).unwrap();
    zipped[at + good.len() - 1] ^= 1;
    assert!(of_archive(&zipped)[0].starts_with("x!good.so: damaged or cut short"), "{zipped:?}");
}

/// A truncated or changed archive gives at most an error.
#[test]
fn damage_is_an_error_or_nothing() {
    let good = library(true);
    let entries: &[Entry<'_>] = &[(b"a.so", &good), (b"text", b"text")];
    let whole = tar(entries);
    let compressed = FORMATS.map(|format| compress(format, &whole));
    let cut_is_an_error = [zip(Some(Format::Deflate), entries), deb("data.tar", &whole)];
    for whole in cut_is_an_error.iter().chain(&compressed) {
        for len in (64..whole.len()).step_by(whole.len() / 24) {
            let (_, lines) = seen(&whole[..len]);
            assert!(
                lines.iter().any(|line| line.contains("damaged or cut short")),
                "{len}: {lines:?}"
            );
        }
    }
    let more = [whole, zip(Some(Format::Xz), entries), fat(&[&good])];
    for whole in cut_is_an_error.iter().chain(&compressed).chain(&more) {
        for at in (0..whole.len()).step_by(1 + whole.len() / 199) {
            let mut changed = whole.clone();
            changed[at] ^= 0xff;
            for line in seen(&changed).1 {
                assert!(!line.contains('\n'), "{line}");
            }
        }
    }
}

#[test]
fn what_is_not_opened_says_how_to_unpack_it() {
    let good = library(true);
    let secret = encrypted_zip(&[(b"good.so", &good), (b"better.so", &good)]);
    assert_eq!(
        of_archive(&secret),
        [
            "x: 2 members, the first good.so: encrypted: unpack it with unzip or 7z x, and its password"
        ]
    );
    let mut old = zip(None, &[(b"good.so", &good)]);
    let directory = old.windows(4).position(|it| it == b"PK\x01\x02").unwrap();
    old[directory + 10] = 14;
    let why = "compressed by method 14 (LZMA), which is not read: unpack it with 7z x";
    assert_eq!(of_archive(&old), [format!("x: member good.so: {why}")]);
    for (start, tool) in [
        (&b"7z\xbc\xaf\x27\x1c"[..], "7z x"),
        (b"\xed\xab\xee\xdb\x03\x00", "rpm2cpio"),
        (b"Rar!\x1a\x07\x01\x00", "unrar x"),
        (b"070701000", "cpio -idm"),
        (b"\x04\x22\x4d\x18\x64", "lz4 -d"),
        (b"hsqs\x01", "unsquashfs"),
    ] {
        let text = of_file(&[start, &[0; 600]].concat());
        assert!(text.contains(tool) && text.len() < 100, "{text}");
    }
}

#[test]
fn mach_o_and_pe_files_are_looked_into() {
    let (code, plain, tables) = (code(true), code(false), tables());
    for (make, form) in
        [(mach_o as fn(&[u8], &[u8]) -> Vec<u8>, "a Mach-O library"), (pe, "a PE library")]
    {
        let good = inspect::of_bytes(&make(&code, &tables)).unwrap();
        assert_eq!((good.architecture, good.form.as_str()), ("aarch64", form));
        assert_eq!((good.verdict, good.remedy), (Verdict::Accelerated, None));
        let openssl = [&tables[..], b"\0OpenSSL 3.0.19 27 Jan 2026\0"].concat();
        let bad = inspect::of_bytes(&make(&plain, &openssl)).unwrap();
        assert_eq!(bad.verdict, Verdict::NotAtAll);
        let remedy = bad.remedy.unwrap();
        assert!(remedy.contains("./Configure") && !remedy.contains("linux"), "{remedy}");
        let none = inspect::of_bytes(&make(&[], &tables)).unwrap();
        assert_eq!((none.verdict, none.why.as_str()), (Verdict::NoCode, "data, and no code"));
        let whole = make(&code, &[]);
        let cut = inspect::of_bytes(&whole[..whole.len() - 8]).unwrap();
        assert!(cut.why.starts_with("cut short: "), "{cut:?}");
        for len in 0..make(&code, &tables).len() {
            let _ = inspect::of_bytes(&make(&code, &tables)[..len]);
        }
    }
    // Objects of macOS in an archive.
    let objects = archive(&[("a.o", &mach_o(&code, &[]))]);
    assert_eq!(of_file(&objects), format!("x: {GOOD}"));

    let two = fat(&[&mach_o(&code, &[]), &mach_o(&plain, &tables)]);
    assert_eq!(
        of_archive(&two),
        [format!("x!arm64: {GOOD}"), "x!arm64: aarch64 not accelerated".into()]
    );
    // A Java class has the same magic number, and a version in place of the count.
    let class = [&b"\xca\xfe\xba\xbe\0\0\0\x41"[..], &[0; 100]].concat();
    assert_eq!(of_archive(&zip(None, &[(b"A.class", &class)])), ["x!A.class: no code"]);
    let dos = [&b"MZ"[..], &[0; 200]].concat();
    assert!(of_file(&dos).starts_with("x: for DOS, or damaged; "), "{}", of_file(&dos));
}

/// A folder of files of every kind.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("usr/lib")).unwrap();
    fs::write(at("usr/lib/good.so"), library(true)).unwrap();
    fs::write(at("usr/lib/bad.so"), library(false)).unwrap();
    fs::write(at("usr/lib/old.so"), for_s390()).unwrap();
    fs::write(at("text"), "text").unwrap();
    // The C library has archives without members.
    fs::write(at("usr/lib/empty.a"), "!<arch>\n").unwrap();
    fs::write(at("x.ko.xz"), compress(Format::Xz, &library(true))).unwrap();
    fs::write(at("x.zip"), zip(None, &[(b"in.so", &library(true))])).unwrap();
    fs::write(folder.path().join(OsStr::from_bytes(b"odd\xe4.so")), library(true)).unwrap();
    folder
}

fn right() -> Vec<String> {
    [
        r"odd\xe4.so: aarch64 accelerated",
        "text: no code",
        "usr/lib/bad.so: aarch64 not accelerated",
        "usr/lib/empty.a: no code",
        "usr/lib/good.so: aarch64 accelerated",
        "usr/lib/old.so: for s390; supported are x86-64, i386, aarch64, arm and riscv64",
        "x.ko.xz: aarch64 accelerated",
        "x.zip!in.so: aarch64 accelerated",
    ]
    .map(str::to_owned)
    .into()
}

#[test]
fn folders_are_walked() {
    let folder = folder();
    let (shape, seen) = seen_at(folder.path(), folder.path());
    assert_eq!((shape, seen), (Shape::Folder, right()));
}

/// A Linux module for processors without instructions, with the one for the others in its folder.
#[test]
fn compressed_fallback_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("sha256-arm64.ko.xz"), compress(Format::Xz, &library(false))).unwrap();
    let alone = seen_at(folder.path(), folder.path()).1;
    assert_eq!(alone, ["sha256-arm64.ko.xz: aarch64 not accelerated"]);
    fs::write(at("sha2-ce.ko.xz"), compress(Format::Xz, &library(true))).unwrap();
    let both = seen_at(folder.path(), folder.path()).1;
    assert_eq!(
        both,
        ["sha2-ce.ko.xz: aarch64 accelerated", "sha256-arm64.ko.xz: aarch64 a fallback"]
    );
}

/// Links into the folder, out of it and in a circle, a pipe, a socket, and hard links.
#[test]
fn walk_ends_and_waits_for_nothing() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("outside.so"), library(false)).unwrap();
    symlink("..", at("usr/circle")).unwrap();
    symlink(elsewhere.path(), at("out")).unwrap();
    symlink(elsewhere.path().join("outside.so"), at("out.so")).unwrap();
    symlink("/no/such/file", at("dangling")).unwrap();
    symlink("usr/lib/good.so", at("again.so")).unwrap();
    fs::hard_link(at("usr/lib/good.so"), at("usr/z.so")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();

    let (send, receive) = mpsc::channel();
    let path: PathBuf = folder.path().into();
    thread::spawn(move || send.send(seen_at(&path, &path)));
    let (_, seen) = receive.recv_timeout(Duration::from_secs(120)).expect("an end");
    assert_eq!(seen, right());

    // The folder itself may be a link, as `/lib` is.
    let link = elsewhere.path().join("link");
    symlink(folder.path(), &link).unwrap();
    let (shape, seen) = seen_at(&link, &link);
    assert_eq!((shape, seen), (Shape::Folder, right()));
}

#[test]
fn what_is_no_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none");
    let (shape, seen) = seen_at(folder.path(), &path);
    assert_eq!(shape, Shape::File);
    assert!(seen[0].starts_with("none: No such file"), "{seen:?}");
    assert_eq!(seen_at(folder.path(), Path::new("/dev/null")).1, ["/dev/null: not a file"]);
}

/// A member for processors without instructions is no fault if another member has them, in any order.
#[test]
fn fallback_among_members_is_no_fault() {
    let (slow, fast) = (library(false), library(true));
    let verdicts = |members: &[(&str, &Vec<u8>)]| {
        let members: Vec<_> =
            members.iter().map(|(name, bytes)| (name.as_bytes(), bytes.as_slice())).collect();
        let both = [zip(None, &members), tar(&members)].map(|archive| {
            let (_, mut seen) = seen(&archive);
            seen.sort();
            seen.iter().map(|line| line.split_once('!').unwrap().1.to_owned()).collect::<Vec<_>>()
        });
        assert_eq!(both[0], both[1]);
        both[0].clone()
    };
    let excused =
        ["p/_raw_aes.abi3.so: aarch64 a fallback", "p/_raw_aesni.abi3.so: aarch64 accelerated"];
    let (one, other) = (("p/_raw_aes.abi3.so", &slow), ("p/_raw_aesni.abi3.so", &fast));
    assert_eq!(verdicts(&[one, other]), excused);
    assert_eq!(verdicts(&[other, one]), excused);
    // In another folder, or without instructions, it does not help.
    let not_excused = "p/_raw_aes.abi3.so: aarch64 not accelerated";
    assert_eq!(verdicts(&[one, ("q/_raw_aesni.abi3.so", &fast)])[0], not_excused);
    assert_eq!(verdicts(&[one, ("p/_raw_aesni.abi3.so", &slow)])[0], not_excused);
    assert_eq!(verdicts(&[one]), [not_excused]);
    // Modules of one kernel are in several folders.
    let modules = [
        ("lib/modules/6.1/kernel/crypto/aes_ti.ko", &slow),
        ("lib/modules/6.1/kernel/arch/arm64/crypto/aes-ce-blk.ko", &fast),
        ("lib/modules/6.2/kernel/crypto/aes_ti.ko", &slow),
    ];
    let found = verdicts(&modules);
    assert!(found[1].ends_with("a fallback") && found[2].ends_with("not accelerated"), "{found:?}");
}
