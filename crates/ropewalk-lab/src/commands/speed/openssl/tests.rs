use super::*;
use crate::commands::words;

fn of_version(version: &str, words: &str) -> Result<(String, Option<String>), String> {
    let tool = || Tool::of(&format!("OpenSSL {version}")).unwrap();
    let args = ["ropewalk"].into_iter().chain(words.split_whitespace());
    let args: Vec<_> = args.map(OsString::from).collect();
    let read = match args.get(1).is_some_and(|command| command == "speed") {
        true => Words::read(&args[2..]).and_then(|words| words.into_args(&args, tool)),
        false => translated(args),
    };
    let (args, said) = read.map_err(|Usage(why)| why)?;
    let words: Vec<_> = args[1..].iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    Ok((words.join(" "), said))
}

fn of(words: &str) -> Result<String, String> {
    of_version("3.0.19", words).map(|(words, _)| words)
}

#[test]
fn its_command_lines_are_ours() {
    for (theirs, ours) in [
        (
            "speed -evp aes-128-gcm -bytes 16384 -seconds 1",
            "speed --bytes 16384 --seconds 1 aes-128-gcm/seal --mode setup",
        ),
        (
            "speed -elapsed -evp id-aes128-GCM -aead",
            "speed aes-128-gcm/seal --mode setup --bytes 2,31,136,1024,8192,16384",
        ),
        (
            "speed -bytes 8 -evp AES-256-CBC -decrypt",
            "speed --bytes 8 aes-256-cbc/decrypt --mode stream",
        ),
        ("speed -evp aes256 -bytes 16", "speed --bytes 16 aes-256-cbc/encrypt --mode stream"),
        ("speed -evp des3 -bytes 16", "speed --bytes 16 3des-cbc/encrypt --mode stream"),
        (
            "speed -bytes 8 -decrypt -evp ChaCha20-Poly1305",
            "speed --bytes 8 chacha20-poly1305/open --mode message",
        ),
        (
            "speed -evp aes-128-ctr -decrypt -bytes 64",
            "speed --bytes 64 aes-128-ctr/encrypt --mode stream",
        ),
        (
            "speed -evp SHA2-256",
            "speed sha256/digest --mode setup --bytes 16,64,256,1024,8192,16384",
        ),
        (
            "speed -hmac sha256 -bytes 64",
            "speed --bytes 64 --peers all,libcrypto:provider=default hmac-sha256/mac --mode message",
        ),
        (
            "speed -cmac AES-128-CBC -bytes 64 --peers ring,libcrypto",
            "speed --bytes 64 --peers ring,libcrypto --peers libcrypto:provider=default \
             aes-128-cmac/mac --mode message",
        ),
        (
            "speed -hmac md5 -bytes 64 --peers none",
            "speed --bytes 64 --peers none hmac-md5/mac --mode message",
        ),
        (
            "speed -mb -evp aes-128-cbc-hmac-sha1 -bytes 8192",
            "speed --bytes 1024 aes-128-cbc-hmac-sha1/seal --count 8",
        ),
        (
            "speed -mb -evp aes-256-cbc-hmac-sha256",
            "speed --bytes 1024,2048,4096,8192,16384 aes-256-cbc-hmac-sha256/seal --count 8",
        ),
        (
            "speed --multi 4 -evp aes-128-gcm -bytes 1024 --peers none",
            "scale --threads 4 --bytes 1024 --peers none aes-128-gcm/seal --mode setup",
        ),
        (
            "speed -evp aes-128-ctr -bytes 8 --mode=message",
            "speed --bytes 8 --mode=message aes-128-ctr/encrypt",
        ),
        ("speed -bytes 64 sha256", "speed --bytes 64 sha256"),
        ("speed -evp aes-128-ctr --cold --bytes=8", "speed --cold --bytes=8 aes-128-ctr/encrypt"),
        // These are not options of the tool.
        ("speed sha256 --bytes 16 --mask -evp", "speed sha256 --bytes 16 --mask -evp"),
        ("speed --seconds -1", "speed --seconds -1"),
        ("doctor -evp", "doctor -evp"),
        ("", ""),
    ] {
        assert_eq!(of(theirs).as_deref(), Ok(ours), "{theirs}");
    }
}

#[test]
fn the_mode_is_that_of_the_version() {
    let words = |version, theirs| of_version(version, theirs).unwrap();
    for (version, mode) in
        [("1.1.1w", "stream"), ("3.0.15", "stream"), ("3.0.16", "setup"), ("4.0.0", "setup")]
    {
        let (ours, said) = words(version, "speed -evp aes-128-gcm -bytes 16");
        assert_eq!(ours, format!("speed --bytes 16 aes-128-gcm/seal --mode {mode}"));
        let start = format!("as `openssl speed` of OpenSSL {version} does it: --mode {mode}");
        assert!(said.as_ref().is_some_and(|said| said.starts_with(&start)), "{said:?}");
    }
    let (ours, said) = words("3.0.15", "speed -aead -evp aes-128-gcm -bytes 16");
    assert_eq!(ours, "speed --bytes 16 aes-128-gcm/seal --mode message");
    assert_eq!(
        said.as_deref(),
        Some("as `openssl speed` of OpenSSL 3.0.15 does it: --mode message")
    );
    // Options of the user take precedence.
    assert_eq!(words("3.0.19", "speed -evp aes-128-gcm --mode stream").1, None);
}

#[test]
fn what_has_no_place_here_says_why() {
    for (theirs, why) in [
        ("speed -evp rot13", "no algorithm of -evp is called `rot13`"),
        ("speed -evp aes-128-gmc", "nearest are aes-128-gcm"),
        ("speed -evp hmac-sha256", "no algorithm of -evp"),
        ("speed -hmac aes-128-cbc", "no algorithm of -hmac"),
        ("speed -cmac sha256", "no algorithm of -cmac"),
        ("speed -cmac rot13", "aes-128-cbc"),
        ("speed -evp sha256 -decrypt", "-decrypt: nothing is decrypted by sha256"),
        ("speed -decrypt", "-evp NAME"),
        ("speed -evp", "-evp: of what?"),
        ("speed -evp aes-128-gcm -hmac sha256", "one of them, once"),
        ("speed -evp aes-128-cbc -aead", "-aead: aes-128-cbc is no AEAD"),
        ("speed -evp aes-128-gcm -mb", "-mb: aes-128-gcm has no call of several records"),
        ("speed -evp aes-128-cbc-hmac-sha1 -mb --bytes=8192", "-bytes N says how many"),
        ("speed -engine afalg -evp aes-128-cbc", "-engine: --peers libcrypto:engine=NAME"),
        ("speed -provider legacy -evp rc4", "-provider: --peers libcrypto:provider=NAME"),
        ("speed -primes 3", "-primes: keys of RSA"),
        ("speed -async_jobs 4", "-async_jobs: every call"),
        ("speed -misalign 1", "-misalign: messages lie"),
    ] {
        let said = of(theirs).expect_err(theirs);
        assert!(said.contains(why) && !said.contains('\n'), "{theirs}: {said}");
    }
}

/// Every task with a name in the tool is found by that name, and every other name refers to a task.
#[test]
fn names_lead_to_tasks() {
    for family in [Family::Evp, Family::Hmac, Family::Cmac] {
        for one in TASKS.iter().filter(|task| is_of(family, task)) {
            let name = theirs(family, one).to_uppercase();
            let found = task(family, &name, false).map_err(|Usage(why)| why).unwrap();
            assert_eq!(found.name, one.name);
        }
    }
    for (theirs, ours) in NAMES {
        assert_eq!(*theirs, theirs.to_lowercase());
        let found = task(Family::Evp, theirs, false).map_err(|Usage(why)| why).unwrap();
        assert_eq!(found.name, *ours, "{theirs}");
    }
}

#[test]
fn clap_takes_what_comes_of_it() {
    for theirs in [
        "speed -evp aes-128-cbc-hmac-sha1 -mb",
        "speed -multi 1 -hmac sha1",
        "speed -evp md5",
        "speed -aead -evp aes-128-ccm",
    ] {
        let args = of(theirs).unwrap();
        let args = ["ropewalk"].into_iter().chain(args.split(' '));
        words().try_get_matches_from(args).unwrap_or_else(|e| panic!("{theirs}: {e}"));
    }
}
