//! `speed --peers libcrypto:provider=NAME` and `libcrypto:engine=NAME`: a single part of libcrypto.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

mod common;
use common::{
    peer,
    runs::{command, records, stderr},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

/// The only library whose rows are compared.
const LIBRARY: &str = "libcrypto.so.3";

/// Rows of these tasks that this part serves; `None` without OpenSSL 3, which `CI=true` requires.
fn rows(tasks: &str, by: &str) -> Option<Vec<Value>> {
    if peer("libcrypto").open(LIBRARY).is_err() {
        assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "{LIBRARY} is missing");
        eprintln!("skipped: there is no {LIBRARY}");
        return None;
    }
    let mut speed = command(Path::new(PROGRAM));
    speed.arg("speed").args(tasks.split_whitespace());
    speed.args(["--bytes", "64", "--seconds", "0.001", "--json", "-"]);
    speed.arg("--peers").arg(format!("libcrypto:{by}")).env_remove("OPENSSL_CONF");
    let output = speed.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let mut rows = records(&output.stdout);
    rows.retain(|row| row["peer"] == "libcrypto");
    assert!(!rows.is_empty(), "no row of libcrypto");
    let version = |row: &Value| row["version"].as_str().unwrap_or("OpenSSL 3").to_owned();
    rows.retain(|row| version(row).starts_with("OpenSSL 3"));
    assert!(rows.iter().all(|row| row["by"] == by), "{rows:?}");
    Some(rows)
}

fn notes(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["note"].as_str().unwrap()).collect()
}

/// A file that cargo builds as a dependency of this test.
fn built(name: &str) -> PathBuf {
    env::current_exe().expect("a test has a path").with_file_name(name)
}

#[test]
fn our_own_provider_is_right() {
    let by = format!("provider={}", built("libropewalk_openssl.so").display());
    let tasks = "aes-128-gcm/seal aes-256-gcm/open aes-128-ctr sha256 sha3-256 hmac-sha256 aes-128-cmac \
                 aes-128-kw chacha20-poly1305/open aes-128-cbc-hmac-sha1/seal";
    let Some(rows) = rows(tasks, &by) else { return };
    for row in &rows {
        assert_eq!(row["answer"], "right", "{row}");
    }
    for task in tasks.split_whitespace() {
        let of_it = |row: &&Value| {
            let name = row["task"].as_str().unwrap();
            task == name || task == format!("{name}/{}", row["op"].as_str().unwrap())
        };
        assert!(rows.iter().any(|row| of_it(&row)), "{task} has no row");
    }
}

#[test]
fn what_a_provider_lacks_is_named() {
    let Some(rows) = rows("rc4 aes-128-gcm/seal sha256 hmac-sha256 random", "provider=legacy")
    else {
        return;
    };
    assert_eq!(rows.len(), 5);
    let module = rows.iter().any(|row| row["answer"] == "right");
    if !module {
        assert!(notes(&rows)[0].starts_with("cannot load its provider legacy: "), "{rows:?}");
        return;
    }
    for (row, note) in rows.iter().zip(notes(&rows)) {
        let lacks = match row["task"].as_str().unwrap() {
            "rc4" => {
                assert_eq!((&row["answer"], note), (&Value::from("right"), ""), "{row}");
                continue;
            }
            "aes-128-gcm" => "its provider legacy has no AES-128-GCM: unsupported",
            "sha256" => "its provider legacy has no SHA256: unsupported",
            "hmac-sha256" => "its provider legacy has no HMAC: unsupported",
            _ => "random bytes are those of the library's own generator",
        };
        assert!(note.starts_with(lacks), "{note}");
    }
}

/// The default provider does not serve in its place.
#[test]
fn a_provider_of_nothing_serves_nothing() {
    let Some(rows) = rows("sha256 aes-128-ctr poly1305", "provider=null") else { return };
    for note in notes(&rows) {
        assert!(note.starts_with("its provider null has no "), "{note}");
    }
}

#[test]
fn a_module_that_is_not_there_is_named() {
    let Some(rows) = rows("sha256", "provider=/no/such/module.so") else { return };
    let note = notes(&rows)[0];
    assert!(note.starts_with("cannot load its provider /no/such/module.so: "), "{note}");
    assert!(note.contains("No such file"), "{note}");
}

#[test]
fn an_engine_serves_what_it_has() {
    let Some(engine) = engine() else { return };
    let by = format!("engine={}", engine.display());
    let Some(rows) = rows("aes-128-ctr aes-256-ctr sha256 sha512", &by) else { return };
    for (row, note) in rows.iter().zip(notes(&rows)) {
        match row["task"].as_str().unwrap() {
            "aes-128-ctr" | "sha256" => assert_eq!(row["answer"], "right", "{row}"),
            "aes-256-ctr" => {
                let lacks = format!("its engine {} has no such cipher: ", engine.display());
                assert!(note.starts_with(&lacks), "{note}");
            }
            _ => assert!(note.contains(" has no such hash function: "), "{note}"),
        }
    }
}

#[test]
fn an_engine_that_is_not_there_is_named() {
    for name in ["nosuch", "/no/such/engine.so"] {
        let Some(rows) = rows("sha256", &format!("engine={name}")) else { return };
        let note = notes(&rows)[0];
        assert!(note.starts_with(&format!("cannot load its engine {name}: ")), "{note}");
    }
}

/// An engine of OpenSSL 3 with one cipher and one hash function, which call the library; `None` without OpenSSL 3.
fn engine() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, engine) = (folder.join("engine.c"), folder.join("engine.so"));
    fs::write(&source, ENGINE).unwrap();
    let mut compiler = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compiler.args(["-shared", "-fPIC", "-w", "-o"]).arg(&engine).arg(source);
    compiler.arg(format!("-l:{LIBRARY}"));
    let output = compiler.output().unwrap();
    if !output.status.success() {
        assert!(peer("libcrypto").open(LIBRARY).is_err(), "{}", stderr(&output));
        return None;
    }
    Some(engine)
}

const ENGINE: &str = "
    void *EVP_aes_128_ctr(void), *EVP_MD_meth_new(int, int), *EVP_MD_CTX_get0_md_data(void *);
    enum { AES_128_CTR = 904, SHA256 = 672 };
    static int give(int wanted, void *has, int nid, void **algorithm) {
        *algorithm = nid == wanted ? has : 0;
        return nid == wanted;
    }
    static int ciphers(void *engine, void **cipher, const int **nids, int nid) {
        static const int all[] = { AES_128_CTR };
        if (cipher) return give(AES_128_CTR, EVP_aes_128_ctr(), nid, cipher);
        *nids = all;
        return 1;
    }
    static int begin(void *ctx) { return SHA256_Init(EVP_MD_CTX_get0_md_data(ctx)); }
    static int more(void *ctx, const void *text, unsigned long len) {
        return SHA256_Update(EVP_MD_CTX_get0_md_data(ctx), text, len);
    }
    static int end(void *ctx, unsigned char *digest) {
        return SHA256_Final(digest, EVP_MD_CTX_get0_md_data(ctx));
    }
    static void *sha256(void) {
        static void *made;
        if (made) return made;
        made = EVP_MD_meth_new(SHA256, 0);
        EVP_MD_meth_set_result_size(made, 32);
        EVP_MD_meth_set_input_blocksize(made, 64);
        EVP_MD_meth_set_app_datasize(made, 112);
        EVP_MD_meth_set_init(made, begin);
        EVP_MD_meth_set_update(made, more);
        EVP_MD_meth_set_final(made, end);
        return made;
    }
    static int digests(void *engine, void **digest, const int **nids, int nid) {
        static const int all[] = { SHA256 };
        if (digest) return give(SHA256, sha256(), nid, digest);
        *nids = all;
        return 1;
    }
    unsigned long v_check(unsigned long version) { return 0x00030000; }
    int bind_engine(void *engine, const char *id, const void *functions) {
        return ENGINE_set_id(engine, \"two\") && ENGINE_set_name(engine, \"has two algorithms\")
            && ENGINE_set_ciphers(engine, ciphers) && ENGINE_set_digests(engine, digests);
    }
";
