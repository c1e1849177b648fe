//! How `speed` shows what it has measured.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::super::Usage;
use crate::{
    names,
    report::{outlets::Format, ranking::is_meant, screen::View, unit::Unit},
};

/// The options of the screen and of files.
#[derive(Debug, clap::Args)]
#[group(id = "shown")]
pub(super) struct Shown {
    /// Shows a run that was kept, and measures nothing: its name, a file of --json, or a folder of `compare --export`
    #[arg(long, value_name = "RUN", conflicts_with_all = ["save", "on_off", "expect", "cold", "latency", "neighbour", "bytes", "count", "mix", "keys",
        "stride", "peers", "lib", "mask", "tuning", "backend", "seconds", "mode"])]
    pub(super) from: Option<OsString>,
    /// Every backend and every size, with cycles, ratios, shares of the limit, and what a call and a byte cost
    #[arg(long)]
    pub(super) wide: bool,
    /// Which libraries were measured, why others were not, and every warning
    #[arg(long)]
    pub(super) why: bool,
    /// The unit of the figures
    #[arg(long, value_enum, default_value = "speed", conflicts_with = "wide")]
    unit: Unit,
    /// The library that ratios are to, such as openssl or ring; the fastest other one unless given
    #[arg(long, value_name = "NAME", conflicts_with = "wide")]
    against: Option<String>,
    /// Writes the measurements to a file as comma-separated values; `-`: to standard output, without the tables
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Writes the tables to a file as Markdown; `-`: to standard output, without the other tables
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Bytes a second of ropewalk on standard output, as `openssl speed -mr` writes them, without the tables
    #[arg(long, hide = true)]
    mr: bool,
}

impl Shown {
    pub(super) fn view(&self, headline: bool, quiet: bool) -> View {
        View {
            headline,
            wide: self.wide,
            why: self.why,
            quiet,
            unit: self.unit,
            against: self.against.clone(),
        }
    }

    /// Whether `--against` selects one of these libraries, by their names and kinds.
    pub(super) fn known<'a>(
        &self,
        libraries: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    ) -> anyhow::Result<()> {
        let Some(against) = &self.against else { return Ok(()) };
        let name = against.to_lowercase();
        // Words beyond the name are a version, or a mask.
        let is = |(known, kind): (&str, &str)| {
            is_meant(&name, known, kind) || name.starts_with(&known.to_lowercase())
        };
        if libraries.clone().any(is) {
            return Ok(());
        }
        let known = libraries.map(|(known, _)| known);
        let why = names::unknown("library here", against, known);
        Err(Usage(format!("--against: {why}")).into())
    }

    /// The files that are to be written.
    pub(super) fn files<'a>(
        &'a self,
        json: Option<&'a Path>,
        keep: Option<&'a Path>,
    ) -> Result<Vec<(Format, &'a Path)>, Usage> {
        let named = [(Format::Json, json), (Format::Json, keep)];
        let ours = [(Format::Csv, &self.csv), (Format::Markdown, &self.markdown)];
        let ours = ours.into_iter().map(|(format, path)| (format, path.as_deref()));
        let files: Vec<(Format, &Path)> = named
            .into_iter()
            .chain(ours)
            .filter_map(|(format, path)| Some((format, path?)))
            .collect();
        let mr = self.mr.then_some((Format::OpensslMr, Path::new("-")));
        let files: Vec<(Format, &Path)> = files.into_iter().chain(mr).collect();
        let outputs = files.iter().filter(|(_, path)| *path == Path::new("-")).count();
        match outputs > 1 {
            true => Err(Usage(
                "--json, --csv, --markdown and -mr: one of them writes to standard output".into(),
            )),
            false => Ok(files),
        }
    }
}
