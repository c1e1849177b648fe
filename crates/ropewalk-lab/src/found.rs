//! Libraries that were fetched to be measured.
//!
//! `cargo xtask peers` lists them in a file in the target folder, which also contains this program.
//! `ROPEWALK_PEERS` names another such file; an empty value means none.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::{
    filename::shown,
    measure::{entrant::Library, field::Found},
    warn::{Warning, warn},
};

/// The libraries of the list. If the list cannot be read, there are none, and a warning is printed.
pub fn look() -> Vec<Found> {
    let Some(list) = list(env::var_os("ROPEWALK_PEERS")) else { return Vec::new() };
    read(&list).unwrap_or_else(|why| {
        warn(&Warning::NotListed(format!("{why:#}")));
        Vec::new()
    })
}

fn list(asked: Option<OsString>) -> Option<PathBuf> {
    match asked {
        Some(asked) if asked.is_empty() => None,
        Some(asked) => Some(asked.into()),
        None => {
            // `target/release/ropewalk`, and deeper for another target or a test.
            const DEPTH: usize = 4;
            let program = env::current_exe().ok()?;
            let lists = program.ancestors().skip(2).take(DEPTH - 1);
            lists.map(|folder| folder.join("peers/peers.json")).find(|list| list.is_file())
        }
    }
}

/// A line of the list; paths start at its folder.
#[derive(Deserialize)]
struct Entry {
    peer: String,
    library: PathBuf,
    loader: Option<PathBuf>,
}

fn read(list: &Path) -> Result<Vec<Found>> {
    let said = || shown(list);
    let text = fs::read(list).with_context(said)?;
    let entries: Vec<Entry> = serde_json::from_slice(&text).with_context(said)?;
    let folder = fs::canonicalize(list).with_context(said)?;
    let folder = folder.parent().with_context(said)?;
    let found = |Entry { peer, library, loader }| Found {
        peer,
        library: Library {
            name: shown(folder.join(library)),
            loader: loader.map(|loader| folder.join(loader)),
            by: String::new(),
        },
    };
    Ok(entries.into_iter().map(found).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_at_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("peers.json");
        fs::write(
            &path,
            r#"[{"peer": "libcrypto", "library": "a/libcrypto.so.4", "loader": null},
                {"peer": "nettle", "library": "/b/libnettle.so", "loader": "b/ld.so"}]"#,
        )
        .unwrap();
        let found = read(&list(Some(path.clone().into())).unwrap()).unwrap();
        let at = |path| fs::canonicalize(folder.path()).unwrap().join(path);
        assert_eq!(found[0].peer, "libcrypto");
        assert_eq!(found[0].library.name, at("a/libcrypto.so.4").to_str().unwrap());
        assert_eq!(found[0].library.loader, None);
        assert_eq!(found[1].library.name, "/b/libnettle.so");
        assert_eq!(found[1].library.loader, Some(at("b/ld.so")));

        fs::write(&path, "[{}]").unwrap();
        let why = format!("{:#}", read(&path).unwrap_err());
        assert!(why.contains("peers.json") && why.contains("peer"), "{why}");
        assert_eq!(list(Some(OsString::new())), None);
    }
}
