//! `provider status`: whether programs use ropewalk, according to OpenSSL itself, and if not, why.

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

/// The report.
#[derive(Debug, Serialize)]
struct Status {
    config: PathBuf,
    installed: bool,
    /// Whether programs that are started here use it.
    set: bool,
    /// The user that OpenSSL was queried as, if not this one.
    user: Option<String>,
    version: String,
    /// Why programs do not use ropewalk.
    reason: Option<String>,
    /// Whether the module passes its self-test; none if it is not active.
    self_test: Option<bool>,
    algorithms: Vec<Served>,
    counts: Vec<String>,
    /// The line that programs print that cannot load the module.
    complaint: Option<String>,
    /// Differences to the state without ropewalk: a configuration has changed since.
    changed: Vec<String>,
    /// The backends that compute wrong answers here. Others are used instead.
    wrong_backends: Vec<String>,
}

pub(super) fn status(
    place: &Place,
    user: Option<&str>,
    (json, all): (bool, bool),
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
        self_test: view.sound,
        algorithms: view.served,
        counts,
        complaint,
        changed,
        wrong_backends,
    };
    if json {
        write_json(&status, out)?;
    } else {
        print(&status, place, all, out)?;
    }
    Ok(if right { Exit::Fine } else { Exit::Wrong })
}

/// Five lines, and one more for each fault; with `all`, one for each algorithm too.
fn print(status: &Status, place: &Place, all: bool, out: &mut impl Write) -> io::Result<()> {
    let config = shown(&status.config);
    writeln!(out, "{}", status.version)?;
    if !status.installed {
        let option = if place.system { " --system" } else { "" };
        writeln!(out, "{BAD}{config} is not there{BAD:#}: ropewalk provider install{option}")?;
        return Ok(());
    }
    print_served(status, out)?;
    let (style, said) = status.answers();
    line(out, "self-test", style, &said)?;
    let taken = match (status.set, place.system) {
        (true, _) => "programs that are started here take it".into(),
        (_, true) => format!("services take it that have Environment=OPENSSL_CONF={config}"),
        _ => format!("programs that are started here do not take it: export OPENSSL_CONF={config}"),
    };
    let whose = if place.system { "for services" } else { "of this user" };
    line(out, "configuration", Style::new(), &format!("{config}, {whose}; {taken}"))?;
    if let Some(complaint) = &status.complaint {
        writeln!(out, "programs say: {complaint}")?;
    }
    if !status.wrong_backends.is_empty() {
        let names = status.wrong_backends.join(", ");
        writeln!(
            out,
            "{BAD}wrong answers on this processor or emulator{BAD:#}, so that others serve: {names}"
        )?;
    }
    for change in &status.changed {
        writeln!(out, "{BAD}OpenSSL does not do what it does without ropewalk{BAD:#}: {change}")?;
    }
    if !status.changed.is_empty() {
        writeln!(out, "a configuration has changed: ropewalk provider install writes it again")?;
    }
    if all { print_algorithms(status, out) } else { Ok(()) }
}

/// The served algorithms, and those that are not served, with the reason.
fn print_served(status: &Status, out: &mut impl Write) -> io::Result<()> {
    let (ours, all) = (status.ours(), status.algorithms.len());
    let to_user = status.user.as_ref().map(|user| format!(" to {user}")).unwrap_or_default();
    let reason = status.reason.as_deref().map(text_shown);
    let (style, said) = match &reason {
        Some(_) if ours == 0 => (BAD, format!("nothing is served by ropewalk{to_user}")),
        Some(_) => (BAD, format!("ropewalk does not serve{to_user} as it should")),
        None => (GOOD, format!("{ours} of {all} algorithms are served by ropewalk{to_user}")),
    };
    line(out, "served", style, &said)?;
    let others = status.algorithms.iter().filter(|served| !served.is_ours());
    let others: Vec<String> = others
        .map(|served| match &served.by {
            Some(by) => format!("{} (by {by})", served.name),
            None => format!("{} (refused)", served.name),
        })
        .collect();
    let said = match (reason, &others[..]) {
        (Some(reason), _) => reason.into_owned(),
        (None, []) => "nothing of what ropewalk has".into(),
        (None, others) => format!("{}: other providers are preferred", others.join(", ")),
    };
    line(out, "not served", Style::new(), &said)
}

fn print_algorithms(status: &Status, out: &mut impl Write) -> io::Result<()> {
    let width = status.algorithms.iter().map(|served| served.name.len()).max().unwrap_or(0);
    for Served { kind, name, by, right } in &status.algorithms {
        let by = by.as_deref().unwrap_or("refused");
        let (style, word) = match right {
            Some(true) => (GOOD, "right"),
            Some(false) => (BAD.bold(), "WRONG"),
            None => (Style::new().dimmed(), "not tried"),
        };
        writeln!(out, "  {kind:7} {name:width$}  {by:9}  {style}{word}{style:#}")?;
    }
    for line in &status.counts {
        writeln!(out, "  counted: {line}")?;
    }
    Ok(())
}

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();

fn line(out: &mut impl Write, name: &str, style: Style, text: &str) -> io::Result<()> {
    writeln!(out, "{name:15}{style}{text}{style:#}")
}

impl Status {
    fn ours(&self) -> usize {
        self.algorithms.iter().filter(|served| served.is_ours()).count()
    }

    /// Whether the module passes its self-test, and how many known answers are right.
    fn answers(&self) -> (Style, String) {
        let tried: Vec<bool> = self.algorithms.iter().filter_map(|served| served.right).collect();
        let right = tried.iter().filter(|right| **right).count();
        let answers = format!("{right} of {} known answers are right", tried.len());
        match (self.self_test, right == tried.len()) {
            (Some(true), true) => (GOOD, format!("passed; {answers}")),
            (Some(true), false) => (BAD, format!("passed; {answers}")),
            (Some(false), _) => (BAD, format!("FAILED; {answers}")),
            (None, _) => (BAD, format!("not run, since ropewalk is not active; {answers}")),
        }
    }
}
