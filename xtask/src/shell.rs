//! The texts that the command prints about itself: completions for shells, and manual pages.

use std::{collections::BTreeMap, fs, process::Command, time::Duration};

use anyhow::{Context, Result, ensure};

use crate::process;

/// The folder of a shell's completions, below a prefix, and its name.
const SHELLS: [(&str, &str); 3] = [
    ("share/bash-completion/completions/ropewalk", "bash"),
    ("share/zsh/site-functions/_ropewalk", "zsh"),
    ("share/fish/vendor_completions.d/ropewalk.fish", "fish"),
];

/// The folder of the manual pages, below a prefix.
pub(crate) const PAGES: &str = "share/man/man1";

/// The folders of these files, innermost first.
pub(crate) const FOLDERS: [&str; 8] = [
    "share/bash-completion/completions",
    "share/bash-completion",
    "share/zsh/site-functions",
    "share/zsh",
    "share/fish/vendor_completions.d",
    "share/fish",
    PAGES,
    "share/man",
];

/// Long enough for an emulator on a slow machine.
const LIMIT: Duration = Duration::from_secs(60);

/// The files by their paths below a prefix. `command` starts ropewalk, without arguments.
///
/// # Errors
/// Fails if it does not print them.
pub(crate) fn files(command: impl Fn() -> Command) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for (path, shell) in SHELLS {
        let text = process::output(command().args(["completions", shell]), LIMIT)?;
        ensure!(text.contains("ropewalk"), "nothing is completed in {shell}");
        files.insert(path.to_owned(), text.into_bytes());
    }
    let folder = tempfile::tempdir()?;
    process::output(command().arg("man").arg(folder.path()), LIMIT)?;
    for page in fs::read_dir(folder.path())? {
        let page = page?;
        let name = page.file_name().into_string().ok().context("a page whose name is text")?;
        files.insert(format!("{PAGES}/{name}"), fs::read(page.path())?);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell script in place of the command: it prints its arguments, or writes a page.
    fn stand_in(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script, "ropewalk"]);
        command
    }

    #[test]
    fn every_shell_has_its_file_and_every_page() {
        let script =
            r#"case $1 in man) echo page > "$2/ropewalk-speed.1";; *) echo "$0 $2";; esac"#;
        let files = files(|| stand_in(script)).unwrap();
        let text = |path: &str| String::from_utf8(files[path].clone()).unwrap();
        for (path, shell) in SHELLS {
            assert_eq!(text(path), format!("ropewalk {shell}\n"));
        }
        assert_eq!(text("share/man/man1/ropewalk-speed.1"), "page\n");
        assert_eq!(files.len(), SHELLS.len() + 1);
        // Each folder is in the list of folders to remove, after those inside it.
        for path in files.keys() {
            let folder = path.rsplit_once('/').unwrap().0;
            let at = |folder| FOLDERS.iter().position(|known| *known == folder).unwrap();
            assert!(at(folder) < at(folder.rsplit_once('/').unwrap().0), "{folder}");
        }
    }

    #[test]
    fn a_command_that_fails_is_an_error() {
        assert!(files(|| stand_in("exit 2")).is_err());
        assert!(files(|| stand_in("true")).is_err());
    }
}
