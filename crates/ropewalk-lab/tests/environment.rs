//! Whatever is set in the environment, a row is of the library that it names, and the doctor judges that library.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use ropewalk_lab::measure::environment;
use serde_json::Value;

mod common;
use common::{
    fakes::Fake,
    peer,
    runs::{command, records, stderr},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

/// The only library of OpenSSL whose rows are looked at.
const LIBRARY: &str = "libcrypto.so.3";

/// The command with nothing set that it would keep from libraries.
fn ropewalk(words: &str) -> Command {
    let mut command = command(Path::new(PROGRAM));
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if environment::is_kept_from_libraries(&name) {
            command.env_remove(name);
        }
    }
    command.args(words.split_whitespace());
    command
}

fn done(output: Output) -> Output {
    assert!(output.status.success(), "{}", stderr(&output));
    output
}

/// A value that is of no consequence to this program, for those of which not any is.
fn value_of(name: &str) -> &'static str {
    match name {
        // A library that is there anyway.
        "LD_PRELOAD" => "libc.so.6",
        "LD_AUDIT" | "LD_DEBUGTEST" | "LD_PROFILETEST" => "",
        "GLIBC_TUNABLES" => "glibc.malloc.arena_max=1",
        "MALLOC_TEST" | "LD_HWCAP_MASK" => "1",
        "OPENSSL_ia32cap" => "~0x200000200000000:~0x0",
        _ => "none",
    }
}

/// A library that says what it finds in its environment is started with each variable of the table set: as a row's library, as one
/// under a mask, and by the doctor. It finds OPENSSL_CONF, which the lab sets, and the mask of the row.
#[test]
fn no_library_is_given_what_would_change_it() {
    let library = Fake::Telling.build("environment");
    let all: Vec<String> = environment::examples().collect();
    let with_all = |mut command: Command| {
        // The library reports them too, and they are not in the table.
        command.env_remove("ROPEWALK_EXPECT").env_remove("ROPEWALK_C_LIBRARY");
        for name in &all {
            command.env(name, value_of(name));
        }
        command
    };
    let speed = |words: &str| {
        let words =
            format!("speed aes-128-ctr --bytes 64 --seconds 0.001 --peers none --json - {words}");
        let mut command = with_all(ropewalk(&words));
        command.arg("--lib").arg(&library);
        done(command.output().unwrap()).stdout
    };
    let versions = |rows: &[Value]| {
        let of_it = rows.iter().filter(|row| row["peer"] == "libcrypto");
        of_it.map(|row| row["version"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let told = speed("");
    assert_eq!(versions(&records(&told)), ["OpenSSL 1.1.1 fake: OPENSSL_CONF=/dev/null"]);
    let first: Value = serde_json::from_slice(told.split(|b| *b == b'\n').next().unwrap()).unwrap();
    let mut names: Vec<&str> = all.iter().map(String::as_str).collect();
    names.sort_unstable();
    let not_given: Vec<&str> =
        first["not_given"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(not_given, names);

    if cfg!(target_arch = "x86_64") {
        let masked = versions(&records(&speed("--mask -aes"))).concat();
        let want = "OPENSSL_CONF=/dev/null OPENSSL_ia32cap=~0x200000000000000:~0x20000000000";
        assert!(masked.ends_with(want), "{masked}");
    }

    let folder = tempfile::tempdir().unwrap();
    fs::copy(&library, folder.path().join("libcrypto.so.8")).unwrap();
    let mut doctor = with_all(ropewalk("doctor --no-measure --json"));
    let output = doctor.env("LD_LIBRARY_PATH", folder.path()).output().unwrap();
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = told["libraries"].as_array().unwrap().iter();
    let found: Vec<_> =
        found.filter(|it| it["path"].as_str().unwrap().ends_with(".so.8")).collect();
    // Under an emulator the host's libraries are seen, and this one is of another architecture there.
    if let [library] = found[..]
        && library["version"].is_string()
    {
        assert_eq!(library["version"], "OpenSSL 1.1.1 fake: OPENSSL_CONF=/dev/null");
    }
    let not_given =
        told["not_given"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap());
    assert_eq!(not_given.collect::<Vec<_>>(), names);
}

/// The screen says what was kept away, in one line.
#[test]
fn what_is_not_given_is_told() {
    let words = "speed no-op --bytes 16 --seconds 0.001 --peers none";
    let told =
        |command: &mut Command| String::from_utf8(done(command.output().unwrap()).stdout).unwrap();
    let without = told(&mut ropewalk(words));
    assert!(!without.contains("not given"), "{without}");
    let mut with = ropewalk(words);
    with.env("OPENSSL_CONF", "/a/file").env("NSS_DISABLE_AVX2", "1").env("HOME", "/");
    let with = told(&mut with);
    let line = "set here, and not given to any library: NSS_DISABLE_AVX2, OPENSSL_CONF\n";
    assert!(with.contains(line), "{with}");
}

/// Rows of the tasks, by what does not depend on how fast they are; none where there is no OpenSSL 3, which `CI=true` must have.
fn rows(peers: &str, set: &[(&str, &str)]) -> Option<Vec<Value>> {
    if peer("libcrypto").open(LIBRARY).is_err() {
        assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "{LIBRARY} is missing");
        eprintln!("skipped: there is no {LIBRARY}");
        return None;
    }
    let mut speed = ropewalk(
        "speed aes-128-gcm/seal sha256 hmac-sha256 aes-128-cmac poly1305 aes-128-ctr aes-128-cbc-hmac-sha1/seal \
         --bytes 64 --seconds 0.001 --backend md5/portable --json - --peers",
    );
    speed.arg(peers).envs(set.iter().copied());
    let rows = records(&done(speed.output().unwrap()).stdout);
    let of_openssl_3 = |row: &&Value| {
        row["version"].as_str().is_some_and(|version| version.starts_with("OpenSSL 3"))
    };
    let rows = rows.iter().filter(|row| row["peer"] == "libcrypto").filter(of_openssl_3);
    let fixed = [
        "task", "op", "peer", "version", "library", "by", "provider", "backend", "mask", "answer",
        "note",
    ];
    let of = |row: &Value| {
        fixed
            .iter()
            .map(|field| (*field).to_owned())
            .map(|f| (f.clone(), row[&f].clone()))
            .collect()
    };
    Some(rows.map(of).collect())
}

/// What cargo has built beside this test, which has it for that.
fn module() -> PathBuf {
    env::current_exe().expect("a test has a path").with_file_name("libropewalk_openssl.so")
}

/// The configuration that docs/openssl.md has programs take.
fn configuration(folder: &Path) -> PathBuf {
    let file = folder.join("openssl.cnf");
    let text = format!(
        "openssl_conf = init\n[init]\nproviders = providers\nalg_section = algorithms\n\
         [algorithms]\ndefault_properties = ?provider=ropewalk\n\
         [providers]\nropewalk = ours\ndefault = theirs\n\
         [ours]\nmodule = {}\nactivate = 1\n[theirs]\nactivate = 1\n",
        module().display()
    );
    fs::write(&file, text).unwrap();
    file
}

#[test]
fn rows_of_openssl_are_the_same_whatever_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let file = configuration(folder.path());
    let Some(without) = rows("libcrypto", &[]) else { return };
    assert_eq!(without.len(), 7, "{without:?}");
    for row in without.iter().filter(|row| row["answer"] == "right") {
        assert_eq!((&row["provider"], &row["note"]), (&"default".into(), &"".into()), "{row}");
    }
    let (file, modules) = (file.to_str().unwrap(), module().parent().unwrap().to_owned());
    for set in [
        ("OPENSSL_CONF", file),
        ("OPENSSL_MODULES", modules.to_str().unwrap()),
        ("OPENSSL_ia32cap", "~0x200000200000000:~0x20000000"),
        ("OPENSSL_armcap", "0"),
        ("ROPEWALK_CPU", ""),
        ("LD_PRELOAD", "libc.so.6"),
        ("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2_Usable"),
    ] {
        assert_eq!(rows("libcrypto", &[set]).unwrap(), without, "{set:?}");
    }
    // The configuration is one that has ropewalk serve: its own row, whose part it says, shows that.
    let by_name = rows("libcrypto:provider=ropewalk", &[("OPENSSL_CONF", file)]).unwrap();
    for row in &by_name {
        assert_eq!(
            (&row["provider"], &row["answer"]),
            (&"ropewalk".into(), &"right".into()),
            "{row}"
        );
    }
}

/// The doctor's words of each library are the same with a mask set, and without a configuration that has another provider.
#[test]
fn the_doctor_judges_the_library_and_tells_what_is_set() {
    let doctor = |set: &[(&str, &str)]| -> Value {
        let mut doctor = ropewalk("doctor --no-measure --json");
        let output = doctor.envs(set.iter().copied()).output().unwrap();
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)))
    };
    let without = doctor(&[]);
    let set = [
        ("OPENSSL_ia32cap", "~0x200000200000000"),
        ("OPENSSL_CONF", "/a/file"),
        ("NETTLE_FAT_OVERRIDE", "none"),
    ];
    let with = doctor(&set);
    assert_eq!(with["libraries"], without["libraries"]);
    assert_eq!(with["peers"], without["peers"]);
    assert!(without["not_given"].as_array().unwrap().is_empty());
    let told: Vec<_> =
        with["not_given"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    assert_eq!(told, ["NETTLE_FAT_OVERRIDE", "OPENSSL_CONF", "OPENSSL_ia32cap"]);
    let wrong = with["wrong"].as_array().unwrap().iter();
    let masks: Vec<_> =
        wrong.filter(|it| it["why"].as_str().unwrap().contains("looked at without it")).collect();
    assert_eq!(masks.len(), 2, "{masks:?}");

    let mut text = ropewalk("doctor --no-measure --libraries");
    let text =
        String::from_utf8(text.env("OPENSSL_CONF", "/a/file").output().unwrap().stdout).unwrap();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("set OPENSSL_CONF=/a/file: names a configuration of OpenSSL"), "{text}");
}
