//! `ropewalk tasks`: the tasks, and which libraries support them.

use std::{fmt::Write as _, io::Write as _, sync::atomic::AtomicBool, time::Duration};

use anyhow::{Result, anyhow};
use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::{Command, Exit, World, ending::stop_on_ctrl_c, plan};
use crate::{
    filename::text_shown,
    measure::{
        entrant::{Entrant, Failed},
        field,
        protocol::Request,
        reference::OURS,
    },
    report::{library::short_name, output::width, words::hanging},
    session::{Ended, Plan, enter_unpinned},
    stdio::{Drawn, write_json},
    tasks::{
        Cell, Keys, Mode, TASKS, Task,
        words::{GROUPS, Group, find},
    },
};

/// `tasks`.
pub(super) struct Tasks;

#[derive(Debug, Args)]
#[group(id = "tasks-options")]
struct Options {
    /// Tasks or groups; all unless given
    #[arg(value_name = "TASK")]
    tasks: Vec<String>,
    /// Prints the names of tasks, and then of groups, a line each; opens no library
    #[arg(long)]
    names: bool,
    /// Writes one JSON list, for programs
    #[arg(long, conflicts_with = "names")]
    json: bool,
}

impl Command for Tasks {
    fn words(&self) -> clap::Command {
        Options::augment_args(clap::Command::new("tasks"))
            .about("Lists what can be measured, and which libraries here can do it")
    }

    fn run(&self, given: &ArgMatches, world: &World) -> Result<Exit> {
        let options = Options::from_arg_matches(given)?;
        let tasks = plan::tasks_or(&options.tasks, TASKS.iter())?;
        let mut out = Drawn(anstream::stdout().lock());
        if options.names {
            let groups = if options.tasks.is_empty() { GROUPS } else { &[] };
            write!(out, "{}", names(&tasks, groups))?;
            return Ok(Exit::Fine);
        }
        let listed = match list(&tasks, world) {
            Ok(listed) => listed,
            Err(Ended::Interrupted) => return Ok(Exit::Interrupted),
            Err(Ended::Failed(why)) => return Err(anyhow!(why)),
        };
        match options.json {
            true => write_json(&listed, &mut out)?,
            false => write!(out, "{}", text(&listed, width()))?,
        }
        if !options.json && options.tasks.is_empty() {
            write!(out, "{}", groups())?;
        }
        Ok(Exit::Fine)
    }
}

/// A task by its name, with all of its operations.
#[derive(Debug, Serialize)]
struct Listed {
    task: &'static str,
    operations: Vec<&'static str>,
    /// Whether ropewalk supports it.
    ropewalk: bool,
    /// The other libraries that support one of the operations, by their names and versions.
    libraries: Vec<String>,
}

/// Queries each library.
fn list(tasks: &[&'static Task], world: &World) -> Result<Vec<Listed>, Ended> {
    let stop = stop_on_ctrl_c().map_err(|e| Ended::Failed(e.into()))?;
    let plan = Plan::of_all(world.peers, &world.mask);
    let mut entrants = enter_unpinned(&plan, &stop)?;
    let mut listed: Vec<Listed> = Vec::new();
    for task in tasks {
        let rows = field::rows(&mut entrants, task, 1, None, &stop)?;
        let known = listed.iter().position(|listed| listed.task == task.name);
        let at = known.unwrap_or_else(|| {
            let (operations, libraries) = (Vec::new(), Vec::new());
            listed.push(Listed { task: task.name, operations, ropewalk: false, libraries });
            listed.len() - 1
        });
        let listed = &mut listed[at];
        listed.operations.push(task.op);
        for row in rows.iter().filter(|row| row.absent.is_none()) {
            let entrant = &mut entrants[row.entrant];
            if !can(entrant, task, &row.backend, &stop)? {
                continue;
            }
            listed.ropewalk |= entrant.peer == OURS;
            let version = entrant.opened.as_ref().map_or("", |opened| opened.version.as_str());
            let name = short_name(entrant.peer, version);
            if entrant.peer != OURS && !listed.libraries.contains(&name) {
                listed.libraries.push(name);
            }
        }
    }
    Ok(listed)
}

/// Whether a library prepares a message of the task, or a batch if it does not support single ones.
fn can(
    entrant: &mut Entrant,
    task: &'static Task,
    backend: &str,
    stop: &AtomicBool,
) -> Result<bool, Ended> {
    const BYTES: usize = 64;
    /// The most that any library processes at once.
    const MANY: usize = 8;
    for count in [1, MANY] {
        let (bytes, mode, keys) = (task.kind.size(BYTES), Mode::Message, Keys::One);
        let cell = Cell { task, bytes, count, mode, mix: None, keys, stride: None };
        let request = Request::Prepare { job: 0, cell: (&cell).into(), backend: backend.into() };
        match entrant.ask(&request, Duration::ZERO, stop) {
            Ok(_) => {
                entrant.forget(stop);
                return Ok(true);
            }
            Err(Failed::Interrupted) => return Err(Ended::Interrupted),
            Err(_) => {}
        }
    }
    Ok(false)
}

fn text(listed: &[Listed], width: usize) -> String {
    let mut text = String::new();
    for Listed { task, operations, ropewalk, libraries } in listed {
        let ours = if *ropewalk { vec![OURS] } else { Vec::new() };
        let all = ours.into_iter().chain(libraries.iter().map(String::as_str));
        let all = all.collect::<Vec<_>>().join(", ");
        let all = if all.is_empty() { "no library here".into() } else { all };
        let operations = operations.join(" ");
        text += &hanging(&format!("{task:<COLUMN$}"), &format!("{operations}: {all}"), width);
    }
    text
}

/// The position of the second column.
const COLUMN: usize = 24;

/// A name on each line and nothing else, for programs.
fn names(tasks: &[&Task], groups: &[Group]) -> String {
    let tasks = tasks.iter().map(|task| task.full_name() + "\n");
    tasks.chain(groups.iter().map(|group| format!("{}\n", group.name))).collect()
}

fn groups() -> String {
    let mut text = String::from("\nGroups:\n");
    for group in GROUPS {
        let names: Vec<&str> =
            find(group.name).unwrap_or_default().iter().map(|t| t.name).collect();
        let mut unique = names.clone();
        unique.dedup();
        let (name, what) = (group.name, group.what);
        let _ = writeln!(text, "  {name:<10} {what} ({})", unique.len());
    }
    text_shown(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_a_line_with_its_libraries() {
        let listed = [
            Listed {
                task: "sha256",
                operations: vec!["digest"],
                ropewalk: true,
                libraries: vec!["OpenSSL 3.0.19".into(), "nettle".into()],
            },
            Listed { task: "rc4", operations: vec!["encrypt"], ropewalk: false, libraries: vec![] },
        ];
        let text = text(&listed, 60);
        let want = "\
sha256                  digest: ropewalk, OpenSSL 3.0.19,
                        nettle
rc4                     encrypt: no library here
";
        assert_eq!(text, want);
        assert!(groups().contains("  gcm        AES-GCM (3)\n"), "{}", groups());
    }

    #[test]
    fn names_can_be_searched() {
        let names = names(&[&TASKS[0]], GROUPS);
        assert!(names.starts_with("aes-128-ctr/encrypt\nall\nheadline\n"), "{names}");
        for name in names.lines() {
            assert!(find(name).is_ok(), "{name}");
        }
    }
}
