//! `ropewalk-ct aes-options`: what a tool reports of each way to compute AES that the lab compares.
//!
//! The tool is memcheck in a build for it, and otherwise the trace. A line for each option: its name, the tool, and `leaks` or `clean`.

use std::hint::black_box;

#[cfg(any(ropewalk_ct = "memcheck", ropewalk_ct = "msan"))]
use crate::marks::{self, TOOL};
use crate::operations;
#[cfg(not(any(ropewalk_ct = "memcheck", ropewalk_ct = "msan")))]
use crate::trace::{self, TOOL};
use ciphers::{AesOption, Block, Code, OPTIONS};
use operations::Outcome;

// The same files as in the lab, which has dependencies that no tool can follow.
#[path = "../../ropewalk-lab/src/aes_options/ciphers/mod.rs"]
#[expect(dead_code, unreachable_pub, reason = "the lab has more use of them")]
mod ciphers;

/// Prints a line for each option that can run here, and returns what is wrong.
pub(crate) fn run() -> Vec<String> {
    let mut complaints = Vec::new();
    match leaks(&planted) {
        Ok(true) => println!("{TOOL} reports a planted lookup"),
        Ok(false) => complaints.push(format!("{TOOL} does not report a planted lookup")),
        Err(why) => complaints.push(format!("a planted lookup: {why}")),
    }
    for option in OPTIONS.iter().filter(|option| (option.key)(&[0; 16]).is_some()) {
        match leaks(&|| {
            counts(&option.code).iter().try_for_each(|blocks| encrypt(option, *blocks, |_| ()))
        }) {
            Ok(leaks) => {
                println!("{} {TOOL} {}", option.name, if leaks { "leaks" } else { "clean" });
            }
            Err(why) => complaints.push(format!("{}: {why}", option.name)),
        }
    }
    complaints
}

/// Blocks of the texts of an option. Its own loops take block by block; a backend has a step of several blocks, and a rest.
fn counts(code: &Code) -> [usize; 2] {
    match code {
        Code::At(_) => [1, 2],
        Code::Of(_) => [1, 21],
    }
}

/// Encrypts a secret text under a secret key, and looks at the result before it is public.
fn encrypt(option: &AesOption, blocks: usize, look: fn(&Block)) -> Outcome {
    let (secret, mut text) =
        (operations::secret(size_of::<Block>()), operations::secret(size_of::<Block>() * blocks));
    let secret: &Block = (&secret[..]).try_into()?;
    let key = (option.key)(secret).ok_or("it cannot run here")?;
    let (blocks, _) = text.as_chunks_mut();
    key.encrypt(blocks);
    blocks.iter().for_each(look);
    operations::tell(&mut text)
}

/// An option without tables, and a lookup by a byte of its ciphertext.
fn planted() -> Outcome {
    let option =
        OPTIONS.iter().find(|option| option.name == "bitsliced").ok_or("no such option")?;
    encrypt(option, 1, |block| {
        let table = black_box([1_u8; 256]);
        black_box(table[usize::from(block[0])]);
    })
}

/// Whether the tool that this program is built for reports anything.
#[cfg(any(ropewalk_ct = "memcheck", ropewalk_ct = "msan"))]
fn leaks(run: &dyn Fn() -> Outcome) -> Result<bool, String> {
    let before = marks::reports();
    run().map_err(|error| error.to_string())?;
    Ok(marks::reports() > before)
}

/// Whether two classes of secrets take different steps.
#[cfg(not(any(ropewalk_ct = "memcheck", ropewalk_ct = "msan")))]
fn leaks(run: &dyn Fn() -> Outcome) -> Result<bool, String> {
    Ok(trace::trace(run)?.1.is_some())
}
