//! `provider status`: whether programs run on ropewalk, as OpenSSL itself says, and if not, why.

use std::{
    env,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::{
    check,
    files::{self, Place},
    in_use::{APPLICATIONS, InUse},
    reason,
    view::{Answer, Query, Served, With},
};
use crate::{
    commands::Exit,
    filename::{shown, text_shown},
    stdio::write_json,
};

/// What is said.
#[derive(Debug, Serialize)]
struct Status {
    config: PathBuf,
    installed: bool,
    /// Whether programs that are started here take it.
    set: bool,
    /// The user that OpenSSL was queried as, if not this one.
    user: Option<String>,
    version: String,
    /// Why programs do not run on ropewalk.
    reason: Option<String>,
    algorithms: Vec<Served>,
    counts: Vec<String>,
    /// What a program prints that cannot load the module.
    complaint: Option<String>,
    /// What is not as it is without ropewalk: a configuration has changed since.
    changed: Vec<String>,
    /// The backends that compute wrong answers here. Others serve in their place.
    wrong_backends: Vec<String>,
}

pub(super) fn status(
    place: &Place,
    user: Option<&str>,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    let config = place.config()?;
    let installed = config.symlink_metadata().is_ok();
    let set = env::var_os("OPENSSL_CONF").is_some_and(|set| Path::new(&set) == config);
    let libcrypto = place.libcrypto.as_deref();
    let with = if installed { With::File(config.clone()) } else { With::Environment };
    let query = Query { user, ..Query::new(with, libcrypto) };
    let Answer { view, counts, complaint, wrong_backends } = query.run(&[])?;
    let reason = match installed {
        false => Some(format!("{} is not there", shown(&config))),
        true => reason::of(&view),
    };
    let mut changed = Vec::new();
    if installed
        && user.is_none()
        && let Ok(Some(text)) = files::ours(&config)
    {
        let compare = || {
            let in_use = InUse::below(&text, libcrypto)?;
            let node = query.clone().of(APPLICATIONS[1]).view()?;
            check::all_differences(&in_use, &[view.clone(), node], libcrypto)
        };
        changed = compare().unwrap_or_else(|error| vec![format!("{error:#}")]);
    }
    let right = reason.is_none() && changed.is_empty() && !counts.is_empty();
    let status = Status {
        config,
        installed,
        set,
        user: user.map(str::to_owned),
        version: view.version,
        reason,
        algorithms: view.served,
        counts,
        complaint,
        changed,
        wrong_backends,
    };
    if json {
        write_json(&status, out)?;
    } else {
        print(&status, place, out)?;
    }
    Ok(if right { Exit::Fine } else { Exit::Wrong })
}

fn print(status: &Status, place: &Place, out: &mut impl Write) -> io::Result<()> {
    let (good, bad) = (AnsiColor::Green.on_default(), AnsiColor::Red.on_default());
    let config = shown(&status.config);
    let algorithms = &status.algorithms;
    writeln!(out, "{}", status.version)?;
    if !status.installed {
        let option = if place.system { " --system" } else { "" };
        writeln!(out, "{bad}{config} is not there{bad:#}: ropewalk provider install{option}")?;
        return Ok(());
    }
    let ours = algorithms.iter().filter(|served| served.by.as_deref() == Some("ropewalk"));
    let (ours, all) = (ours.count(), algorithms.len());
    let to_user = status.user.as_ref().map(|user| format!(" to {user}")).unwrap_or_default();
    match &status.reason {
        Some(reason) if ours == 0 => {
            let reason = text_shown(reason);
            writeln!(
                out,
                "{bad}nothing is served by ropewalk{to_user}{bad:#} with {config}: {reason}"
            )?;
        }
        Some(reason) => writeln!(
            out,
            "{bad}ropewalk does not serve{to_user} as it should{bad:#} with {config}: {reason}"
        )?,
        None => writeln!(
            out,
            "{good}{ours} of {all} algorithms are served by ropewalk{to_user}{good:#} with {config}"
        )?,
    }
    if let Some(complaint) = &status.complaint {
        writeln!(out, "programs say: {complaint}")?;
    }
    if !status.wrong_backends.is_empty() {
        let names = status.wrong_backends.join(", ");
        writeln!(
            out,
            "{bad}wrong answers on this processor or emulator{bad:#}, so that others serve: {names}"
        )?;
    }
    for change in &status.changed {
        writeln!(out, "{bad}OpenSSL does not do what it does without ropewalk{bad:#}: {change}")?;
    }
    if !status.changed.is_empty() {
        writeln!(out, "a configuration has changed: ropewalk provider install writes it again")?;
    }
    if status.set {
        writeln!(out, "programs that are started here take it")?;
    } else if place.system {
        writeln!(out, "services take it that have Environment=OPENSSL_CONF={config}")?;
    } else {
        writeln!(
            out,
            "programs that are started here do not take it: export OPENSSL_CONF={config}"
        )?;
    }
    let width = algorithms.iter().map(|served| served.name.len()).max().unwrap_or(0);
    for Served { kind, name, by, right } in algorithms {
        let by = by.as_deref().unwrap_or("refused");
        let (style, word) = match right {
            Some(true) => (good, "right"),
            Some(false) => (bad.bold(), "WRONG"),
            None => (Style::new().dimmed(), "not tried"),
        };
        writeln!(out, "  {kind:7} {name:width$}  {by:9}  {style}{word}{style:#}")?;
    }
    for line in &status.counts {
        writeln!(out, "  counted: {line}")?;
    }
    Ok(())
}
