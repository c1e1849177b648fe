//! Extension modules with which Python loads cryptographic libraries when it runs: no file that it needs
//! names them.

use std::path::{Path, PathBuf};

use super::Tree;

/// The modules of the standard library that use OpenSSL.
const MODULES: [&str; 2] = ["_ssl", "_hashlib"];

/// The files of these modules, by their paths in the tree, if a program is Python:
/// `lib/python3.11/lib-dynload` relative to the parent of the program's folder.
pub(super) fn extensions(program: &Path, tree: &Tree) -> Vec<(&'static str, PathBuf)> {
    let inside = tree.inside(program);
    let Some(version) = inside.file_name().and_then(|name| name.to_str()?.strip_prefix("python"))
    else {
        return Vec::new();
    };
    if !version.chars().all(|c| c.is_ascii_digit() || ".dmtu".contains(c)) {
        return Vec::new();
    }
    let Some(prefix) = inside.parent().and_then(Path::parent) else { return Vec::new() };
    // A debug build, or one of another width, has letters after its number.
    let version = version.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    for lib in ["lib", "lib64"] {
        let lib = prefix.join(lib);
        // `python3` means the installed version, the newest last.
        let folders = tree.list(&lib).into_iter().rev().filter(|name| {
            name.to_str().and_then(|name| name.strip_prefix("python")).is_some_and(|of| {
                of == version
                    || !version.contains('.') && of.starts_with(version) && of.contains('.')
            })
        });
        for folder in folders {
            let folder = lib.join(folder).join("lib-dynload");
            let found: Vec<_> = tree
                .list(&folder)
                .into_iter()
                .filter_map(|name| {
                    let is_it = |module: &&&str| {
                        let rest = name.to_str().and_then(|name| name.strip_prefix(**module));
                        rest.is_some_and(|rest| rest.starts_with('.') && rest.ends_with(".so"))
                    };
                    MODULES.iter().find(is_it).map(|module| (*module, folder.join(&name)))
                })
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}
