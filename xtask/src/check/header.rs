//! The header of the C library, which is generated from its functions.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use cbindgen::{Builder, Config};

const CRATE: &str = "crates/ropewalk-c";
const HEADER: &str = "crates/ropewalk-c/include/ropewalk.h";

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    let is = fs::read_to_string(root.join(HEADER)).unwrap_or_default();
    Ok(match is == text(root)? {
        true => Vec::new(),
        false => {
            vec![format!("{HEADER} is not what its sources say: run `cargo xtask check --fix`")]
        }
    })
}

/// Writes the header.
pub(super) fn fix(root: &Path) -> Result<()> {
    let (path, text) = (root.join(HEADER), text(root)?);
    if fs::read_to_string(&path).is_ok_and(|is| is == text) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().context("a header is in a folder")?)?;
    fs::write(path, text)?;
    println!("{HEADER}: rewritten");
    Ok(())
}

/// The text that the header must have.
fn text(root: &Path) -> Result<String> {
    let crate_ = root.join(CRATE);
    let config = Config::from_file(crate_.join("cbindgen.toml"))
        .map_err(|error| anyhow::anyhow!("cbindgen.toml: {error}"))?;
    let bindings = Builder::new().with_crate(&crate_).with_config(config).generate()?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    // A heading of Rust's documentation is not a heading in C.
    Ok(String::from_utf8(text)?.replace("# Safety\n *", "The caller promises:\n *"))
}
