//! Checks the dependencies of the workspace: licences, sources, duplicate versions, and versions with a known
//! fault.

use std::{fs, path::Path};

use anyhow::{Result, ensure};

use crate::{process, tools::CargoDeny};

/// A crate of the workspace that the checker must refuse if it is banned.
const BANNED: &str = "    { crate = \"anyhow:<100\" },\n]\n";

/// Checks the dependencies against `deny.toml`, and that the checker detects a violation.
///
/// # Errors
/// Fails if they violate it, or the checker is missing.
pub fn run(root: &Path) -> Result<()> {
    let deny = CargoDeny::get(root)?;
    let config = root.join("deny.toml");
    process::run(deny.check(&config).current_dir(root))?;

    let text = fs::read_to_string(&config)?;
    let banned = tempfile::NamedTempFile::with_suffix(".toml")?;
    let rest = text.strip_suffix("]\n");
    ensure!(rest.is_some(), "deny.toml does not end with the list of versions with a known fault");
    fs::write(banned.path(), rest.unwrap_or_default().to_owned() + BANNED)?;
    let seen = deny.check(banned.path()).current_dir(root).output()?;
    let said = String::from_utf8_lossy(&seen.stderr);
    ensure!(
        !seen.status.success() && said.contains("explicitly banned"),
        "cargo-deny does not refuse a crate that is banned:\n{said}"
    );
    Ok(())
}
