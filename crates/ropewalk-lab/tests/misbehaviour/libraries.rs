//! Libraries that misbehave, each as its name says.

use std::{fs, io::Read, time::Duration};

use ropewalk::{hmac, sha256::Sha256};
use ropewalk_lab::{
    peers::{Job, Opened, Peer, Unavailable, jobs},
    tasks::{Cell, Function, Kind, Mac, Task},
};
use rustix::process::{Signal, getpid, kill_process};

/// A library that behaves as its name says.
pub(crate) struct Fake(pub(crate) &'static str);

impl Peer for Fake {
    fn name(&self) -> &'static str {
        self.0
    }

    fn has(&self) -> &'static [&'static str] {
        &["sha256", "hmac-sha256"]
    }

    fn mask(
        &self,
        version: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        match self.0 {
            "maskable" if version == "fake " => Ok(vec![("FAKE_MASK".into(), features.join(","))]),
            _ => Err(Unavailable("cannot be masked".into())),
        }
    }

    fn open(&self, _: &str) -> Result<Box<dyn Opened>, Unavailable> {
        match self.0 {
            "crasher-on-open" => crash(),
            "hanger-on-open" => hang(),
            "absentee" => Err(Unavailable("it is not here".into())),
            name => Ok(Box::new(Library(name, None))),
        }
    }
}

/// A kind of library with several names.
pub(crate) struct Loaded;

impl Peer for Loaded {
    fn name(&self) -> &'static str {
        "loaded"
    }

    fn has(&self) -> &'static [&'static str] {
        &["sha256", "hmac-sha256"]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["/proc/nothing", "/proc/version", "/proc/../proc/version"]
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        match library {
            "/proc/version" | "/proc/../proc/version" | "/proc/stat" => {
                Ok(Box::new(Library("honest", Some(library.into()))))
            }
            _ => Err(Unavailable(format!("no such thing as {library}"))),
        }
    }
}

struct Library(&'static str, Option<String>);

impl Opened for Library {
    fn version(&self) -> String {
        format!("fake {}", std::env::var("FAKE_MASK").unwrap_or_default())
    }

    fn path(&self) -> Option<String> {
        self.1.clone()
    }

    fn backends(&self, _: &Task, _: usize) -> Vec<String> {
        match self.0 {
            "one-of-two" => vec!["good".into(), "bad".into()],
            _ => vec![String::new()],
        }
    }

    fn prepare(&self, cell: &Cell, backend: &str) -> Result<Box<dyn Job>, Unavailable> {
        match (cell.task.kind, self.0) {
            (_, "incapable") => Err(Unavailable("it never learnt this".into())),
            (_, "hanger-of-many") if cell.count > 1 => hang(),
            (Kind::Hash(Function::Sha256), "one-of-two") if backend == "bad" => {
                Ok(jobs::hash(cell, Hasher("crasher")))
            }
            (Kind::Hash(Function::Sha256), "crasher-at-64") if cell.bytes == 64 => {
                Ok(jobs::hash(cell, Hasher("crasher")))
            }
            (Kind::Hash(Function::Sha256), "crasher-later") => {
                Ok(jobs::hash_calls(cell, Later { answered: false }))
            }
            (Kind::Hash(Function::Sha256), name) => Ok(jobs::hash(cell, Hasher(name))),
            (Kind::Mac(Mac::Hmac(Function::Sha256)), name) => jobs::mac(cell, move |key| {
                Ok(Keyed { key: hmac::Key::new(key), keeps: name == "keeper" })
            }),
            _ => Err(Unavailable("not this".into())),
        }
    }
}

struct Hasher(&'static str);

impl jobs::Hash for Hasher {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        digest.copy_from_slice(&ropewalk::sha256::digest(text));
        match self.0 {
            "liar" => digest[31] ^= 1,
            "crasher" => crash(),
            "hanger" => hang(),
            "leaver" => std::process::exit(0),
            "panicker" => panic!("something is rotten"),
            "sleeper" => std::thread::sleep(Duration::from_micros(200)),
            "spinner" => spin(),
            "caller" => call(),
            "delegator" => std::thread::spawn(spin).join().unwrap(),
            "talker" => println!("{{\"opened\": \"sesame\"}}"),
            _ => {}
        }
    }
}

/// Dies in the second call, after a right result.
struct Later {
    answered: bool,
}

impl jobs::HashCalls for Later {
    fn messages(&mut self, _: usize, _: &mut jobs::Turn, texts: &[jobs::Text], digests: &mut [u8]) {
        if std::mem::replace(&mut self.answered, true) {
            crash();
        }
        for (text, digest) in texts.iter().zip(digests.chunks_exact_mut(32)) {
            digest.copy_from_slice(&ropewalk::sha256::digest(text));
        }
    }
}

/// Sets another key, or only claims to.
struct Keyed {
    key: hmac::Key<Sha256>,
    keeps: bool,
}

impl jobs::Hash for Keyed {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        digest.copy_from_slice(&self.key.mac(text));
    }
    fn rekey(&mut self, key: &[u8]) -> bool {
        if !self.keeps {
            self.key = hmac::Key::new(key);
        }
        true
    }
}

fn crash() -> ! {
    kill_process(getpid(), Signal::ILL).unwrap();
    hang()
}

/// Computes for some time, without a result.
fn spin() {
    (0..200_000).for_each(|i| _ = std::hint::black_box(i));
}

/// Spends time in the kernel, without a result.
fn call() {
    let mut zeros = [0; 1 << 16];
    let mut file = fs::File::open("/dev/zero").unwrap();
    (0..25).for_each(|_| Read::read_exact(&mut file, &mut zeros).unwrap());
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(60));
    }
}
