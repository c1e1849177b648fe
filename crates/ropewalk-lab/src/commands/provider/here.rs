//! Whether ropewalk's provider is installed here, and serves programs that are started here: for `doctor`.

use std::{
    env,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{
    files::Place,
    reason,
    view::{Query, View, With},
};
use crate::filename::{self, shown};

/// The state of the provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(in crate::commands) struct Here {
    /// The version of the OpenSSL that programs find.
    pub(in crate::commands) version: String,
    /// The configuration that names ropewalk, or the file where it would be written.
    #[serde(serialize_with = "filename::serialize")]
    pub(in crate::commands) config: PathBuf,
    /// Whether it exists.
    pub(in crate::commands) installed: bool,
    /// Whether programs that are started here use ropewalk.
    pub(in crate::commands) at_work: bool,
    /// The number of algorithms that it serves there.
    pub(in crate::commands) served: usize,
    pub(in crate::commands) algorithms: usize,
    /// Why it does not serve with the existing configuration.
    pub(in crate::commands) reason: Option<String>,
}

/// Determines the state. None without an OpenSSL of version 3 or later.
pub(in crate::commands) fn here() -> Option<Here> {
    let view = Query::new(With::Environment, None).view().ok()?;
    let user = Place::user().config().ok();
    let system = Place::system().config().ok();
    let in_use = env::var_os("OPENSSL_CONF").map(PathBuf::from);
    let is_there = |file: &PathBuf| file.symlink_metadata().is_ok();
    let at_work = view.ours() > 0;
    let found = match at_work {
        true => in_use.or_else(|| view.file().map(Path::to_owned)),
        false => [user.clone(), system].into_iter().flatten().find(is_there),
    };
    let installed = found.is_some();
    let config = found.or(user).unwrap_or_default();
    let mut here = Here { config, installed, at_work, ..Here::of(&view) };
    if installed && !at_work {
        let with = Query::new(With::File(here.config.clone()), None).view().ok()?;
        here = Here { reason: reason::of(&with), ..here };
    }
    Some(here)
}

impl Here {
    fn of(view: &View) -> Self {
        Self {
            version: view.version.clone(),
            served: view.ours(),
            algorithms: view.served.len(),
            ..Self::default()
        }
    }

    /// The state, in a sentence.
    pub(in crate::commands) fn words(&self) -> String {
        let config = shown(&self.config);
        match (self.at_work, self.installed, &self.reason) {
            (true, ..) => format!(
                "ropewalk serves {} of its {} algorithms in programs that use OpenSSL, by {config}",
                self.served, self.algorithms
            ),
            (_, true, Some(reason)) => format!("installed and does not serve: {reason}"),
            (_, true, None) => {
                format!("installed, and programs that are started here do not use it ({config})")
            }
            _ => "not installed".into(),
        }
    }

    /// The command that makes programs with OpenSSL use ropewalk.
    pub(in crate::commands) fn command(&self) -> String {
        match self.installed && self.reason.is_none() {
            true => format!("export OPENSSL_CONF={}", quoted(&shown(&self.config))),
            false => "ropewalk provider install".into(),
        }
    }
}

/// Quotes a word for a shell.
pub(in crate::commands) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    match word.chars().all(is_plain) && !word.is_empty() {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_pasted() {
        let config = PathBuf::from("/home/a b/openssl.cnf");
        let here = Here { config, installed: true, ..Here::default() };
        assert_eq!(here.command(), "export OPENSSL_CONF='/home/a b/openssl.cnf'");
        assert!(here.words().starts_with("installed, and programs"), "{}", here.words());
        let broken = Here { reason: Some("it is gone".into()), ..here.clone() };
        assert_eq!(broken.command(), "ropewalk provider install");
        assert!(broken.words().ends_with("does not serve: it is gone"));
        let none = Here { installed: false, ..here };
        assert_eq!(
            (&*none.command(), &*none.words()),
            ("ropewalk provider install", "not installed")
        );
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
