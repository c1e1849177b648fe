//! `ropewalk provider`: has programs that go through OpenSSL run on ropewalk, says whether they do, and undoes it.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process,
};

use anstyle::{AnsiColor, Style};
use anyhow::{Context as _, bail};
use clap::{ArgMatches, FromArgMatches as _, Subcommand};
use serde::{Deserialize, Serialize};

use super::{Command, Exit, Usage, World};
use crate::{filename, stdio::write_json};

mod configuration;
mod loader;
mod prove;

use configuration::Modules;
use loader::Loader;

/// What can be asked for.
#[derive(Debug, Subcommand)]
enum Args {
    /// Writes a configuration of its own, and prints what to set for programs to take it
    Install {
        /// The module: `ropewalk.so`. Without it, the one that was installed with this command
        #[arg(long, value_name = "FILE")]
        module: Option<PathBuf>,
        #[command(flatten)]
        place: Place,
    },
    /// Says whether programs run on ropewalk, by having OpenSSL do so
    Status {
        #[command(flatten)]
        place: Place,
        /// Writes a JSON object, for programs
        #[arg(long)]
        json: bool,
    },
    /// Removes what `install` has written
    Uninstall {
        #[command(flatten)]
        place: Place,
    },
    /// What `status` runs.
    #[command(hide = true)]
    Prove {
        #[arg(long, value_name = "FILE")]
        libcrypto: Option<PathBuf>,
    },
}

#[derive(Debug, clap::Args)]
struct Place {
    /// The configuration. Without it, `ropewalk/openssl.cnf` where your programs keep theirs
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The OpenSSL, if not the one that programs find: `libcrypto.so.3`
    #[arg(long, value_name = "FILE")]
    libcrypto: Option<PathBuf>,
}

impl Place {
    fn config(&self) -> anyhow::Result<PathBuf> {
        if let Some(file) = &self.config {
            return Ok(std::path::absolute(file)?);
        }
        let home = env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        let folder = env::var_os("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty());
        let folder = folder.map(PathBuf::from).or_else(|| Some(home?.join(".config")));
        let folder = folder.context("no home folder is known here: say --config FILE")?;
        Ok(std::path::absolute(folder.join("ropewalk/openssl.cnf"))?)
    }
}

/// `provider`.
pub(super) struct Provider;

impl Command for Provider {
    fn words(&self) -> clap::Command {
        let words = clap::Command::new("provider")
            .about(
                "Has programs that go through OpenSSL run on ropewalk, says whether they do, and undoes it; \
                 exit status 4 where they do not",
            )
            .subcommand_required(true)
            .arg_required_else_help(true)
            .after_help(
                "Examples:\n  ropewalk provider install\n  ropewalk provider status\n  ropewalk provider \
                 uninstall",
            );
        Args::augment_subcommands(words)
    }

    fn run(&self, given: &ArgMatches, _: &World) -> anyhow::Result<Exit> {
        let mut out = anstream::stdout().lock();
        let exit = match Args::from_arg_matches(given)? {
            Args::Install { module, place } => install(module.as_deref(), &place, &mut out)?,
            Args::Status { place, json } => status(&place, json, &mut out)?,
            Args::Uninstall { place } => uninstall(&place, &mut out)?,
            Args::Prove { libcrypto } => {
                serde_json::to_writer(&mut out, &prove::prove(libcrypto.as_deref())?)?;
                Exit::Fine
            }
        };
        out.flush()?;
        Ok(exit)
    }
}

/// Writes the configuration, unless a file is there that is somebody else's.
fn install(module: Option<&Path>, place: &Place, out: &mut impl Write) -> anyhow::Result<Exit> {
    let module = match module {
        Some(file) => std::path::absolute(file)?,
        None => beside_this_command()?,
    };
    let about = fs::metadata(&module).with_context(|| format!("no module {}", module.display()))?;
    if !about.is_file() {
        return Err(Usage(format!("{} is no file", module.display())).into());
    }
    if loader::is(&fs::read(&module).with_context(|| format!("reading {}", module.display()))?) {
        return Err(Usage(format!("{} loads ropewalk.so, and is not it", module.display())).into());
    }
    let config = place.config()?;
    ours_or_none(&config)?;
    let found = Loader::beside(&module);
    let loader = found.as_ref().map(|loader| loader.named_by(&config)).transpose()?;
    let asked = ask(None, place)?.proof;
    let system = asked.folder.as_deref().map(|folder| Path::new(folder).join("openssl.cnf"));
    let system = system.filter(|file| file.is_file());
    let text = match &system {
        Some(file) => {
            let text = fs::read_to_string(file);
            text.with_context(|| format!("reading {}", file.display()))?
        }
        None => String::new(),
    };
    let modules = Modules { module, loader };
    let text = configuration::write(&modules, system.as_deref(), &text).map_err(Usage)?;
    if let Some(folder) = config.parent() {
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    }
    if let (Some(found), Some(to)) = (&found, &modules.loader) {
        found.copy(to)?;
    }
    fs::write(&config, text).with_context(|| format!("writing {}", config.display()))?;
    let config = filename::shown(config);
    writeln!(out, "{config} is written. Programs that go through OpenSSL run on ropewalk after\n")?;
    writeln!(out, "  export OPENSSL_CONF={config}\n")?;
    writeln!(out, "and with this too say at their end what was asked of it:\n")?;
    writeln!(out, "  export ROPEWALK_STATS=1\n")?;
    writeln!(
        out,
        "`ropewalk provider status` tries it, and `ropewalk provider uninstall` undoes it."
    )?;
    if modules.loader.is_none() {
        let module = modules.module.display();
        writeln!(
            out,
            "\nno {} lies beside {module}: where that cannot be loaded, programs go on with OpenSSL's own provider and \
             say nothing",
            loader::NAME
        )?;
    }
    Ok(Exit::Fine)
}

/// What was installed with this command, or built with it.
fn beside_this_command() -> anyhow::Result<PathBuf> {
    let exe = env::current_exe()?;
    let folder = exe.parent().context("this command lies in no folder")?;
    let places = [
        folder.join("../lib/ossl-modules/ropewalk.so"),
        folder.join("../lib/ropewalk/ropewalk.so"),
        folder.join("ropewalk.so"),
        folder.join("libropewalk_openssl.so"),
    ];
    for place in &places {
        if let Ok(place) = place.canonicalize() {
            return Ok(place);
        }
    }
    let places = places.map(|place| format!("\n  {}", place.display())).concat();
    Err(Usage(format!("no module is at any of{places}\nsay which with --module FILE")).into())
}

/// Nobody's file is overwritten, nor removed.
fn ours_or_none(config: &Path) -> anyhow::Result<()> {
    match fs::read_to_string(config) {
        Ok(text) if text.starts_with(configuration::MARK) => Ok(()),
        Ok(_) => bail!(
            "{} was not written by this command, and is left as it is: say --config FILE",
            config.display()
        ),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| format!("reading {}", config.display())),
    }
}

fn uninstall(place: &Place, out: &mut impl Write) -> anyhow::Result<Exit> {
    let config = place.config()?;
    if !config.exists() {
        writeln!(out, "{} is not there: nothing to undo", filename::shown(&config))?;
        return Ok(Exit::Fine);
    }
    ours_or_none(&config)?;
    let text = fs::read_to_string(&config)?;
    fs::remove_file(&config).with_context(|| format!("removing {}", config.display()))?;
    if let Some(Modules { module, loader: Some(loader) }) = Modules::of(&text) {
        loader::remove(&config, &loader, &module)?;
    }
    if place.config.is_none() {
        // The folder is ropewalk's; where something else is in it, it stays.
        _ = config.parent().map(fs::remove_dir);
    }
    writeln!(
        out,
        "{} is removed. In shells that have it set:\n\n  unset OPENSSL_CONF",
        filename::shown(&config)
    )?;
    Ok(Exit::Fine)
}

/// What OpenSSL says of itself in a process of its own.
#[derive(Debug, Serialize, Deserialize)]
struct Proof {
    /// Its version.
    version: String,
    /// Where it looks for its configuration.
    folder: Option<String>,
    /// Who serves each algorithm that ropewalk offers.
    algorithms: Vec<Served>,
}

/// An algorithm, and who serves it.
#[derive(Debug, Serialize, Deserialize)]
struct Served {
    kind: String,
    name: String,
    /// The name of a provider; none where nobody has it.
    by: Option<String>,
    /// Whether a known answer was right, where there is one.
    right: Option<bool>,
}

/// What it says, and what ropewalk does meanwhile.
struct Answer {
    proof: Proof,
    /// What was counted.
    counts: Vec<String>,
    /// Why the module could not be loaded.
    complaint: Option<String>,
}

/// Has OpenSSL tell it in another process, with that configuration.
fn ask(config: Option<&Path>, place: &Place) -> anyhow::Result<Answer> {
    let mut command = process::Command::new(env::current_exe()?);
    command.args(["provider", "prove"]);
    if let Some(file) = &place.libcrypto {
        command.arg("--libcrypto").arg(file);
    }
    match config {
        Some(config) => command.env("OPENSSL_CONF", config),
        None => command.env("OPENSSL_CONF", "/dev/null"),
    };
    let output = command.env("ROPEWALK_STATS", "1").output();
    let output = output.context("cannot start a process for OpenSSL")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("OpenSSL could not be asked: {}", said.trim());
    }
    let lines = said.lines().filter(|line| line.starts_with("ropewalk: "));
    let (complaints, counts): (Vec<_>, Vec<_>) =
        lines.partition(|line| line.ends_with(loader::SAYS));
    let complaint = complaints.first().map(ToString::to_string);
    let counts = counts.iter().filter_map(|line| line.strip_prefix("ropewalk: "));
    let counts = counts.map(str::to_owned).collect();
    Ok(Answer { proof: serde_json::from_slice(&output.stdout)?, counts, complaint })
}

/// What `status` says.
#[derive(Debug, Serialize)]
struct Status {
    #[serde(serialize_with = "filename::serialize")]
    config: PathBuf,
    installed: bool,
    /// Whether programs that are started here take it.
    set: bool,
    version: String,
    algorithms: Vec<Served>,
    counts: Vec<String>,
    /// What a program says that cannot load it.
    complaint: Option<String>,
}

fn status(place: &Place, json: bool, out: &mut impl Write) -> anyhow::Result<Exit> {
    let config = place.config()?;
    let installed = config.is_file();
    let set = env::var_os("OPENSSL_CONF").is_some_and(|set| Path::new(&set) == config);
    let Answer { proof, counts, complaint } = ask(installed.then_some(config.as_path()), place)?;
    let Proof { version, algorithms, .. } = proof;
    let status = Status { config, installed, set, version, algorithms, counts, complaint };
    if json {
        write_json(&status, out)?;
    } else {
        print(&status, out)?;
    }
    let serves = |served: &Served| served.by.as_deref() == Some("ropewalk");
    let right = status.algorithms.iter().any(serves)
        && status.algorithms.iter().all(|served| served.right != Some(false))
        && !status.counts.is_empty();
    Ok(if right { Exit::Fine } else { Exit::Wrong })
}

fn print(status: &Status, out: &mut impl Write) -> io::Result<()> {
    let Status { config, installed, set, version, algorithms, counts, complaint } = status;
    let config = filename::shown(config);
    let (good, bad) = (AnsiColor::Green.on_default(), AnsiColor::Red.on_default());
    writeln!(out, "{version}")?;
    if !installed {
        writeln!(out, "{bad}{config} is not there{bad:#}: ropewalk provider install")?;
        return Ok(());
    }
    let ours = algorithms.iter().filter(|served| served.by.as_deref() == Some("ropewalk"));
    let ours = ours.count();
    if ours == 0 {
        writeln!(
            out,
            "{bad}nothing is served by ropewalk{bad:#} with {config}: its module could not be loaded"
        )?;
        if let Some(complaint) = complaint {
            writeln!(out, "programs say: {complaint}")?;
        }
    } else {
        let all = algorithms.len();
        writeln!(
            out,
            "{good}{ours} of {all} algorithms are served by ropewalk{good:#} with {config}"
        )?;
    }
    if *set {
        writeln!(out, "programs that are started here take it")?;
    } else {
        writeln!(
            out,
            "programs that are started here do not take it: export OPENSSL_CONF={config}"
        )?;
    }
    let width = algorithms.iter().map(|served| served.name.len()).max().unwrap_or(0);
    for Served { kind, name, by, right } in algorithms {
        let by = by.as_deref().unwrap_or("nobody");
        let (style, word) = match right {
            Some(true) => (good, "right"),
            Some(false) => (bad.bold(), "WRONG"),
            None => (Style::new().dimmed(), "not tried"),
        };
        writeln!(out, "  {kind:7} {name:width$}  {by:9}  {style}{word}{style:#}")?;
    }
    for line in counts {
        writeln!(out, "  counted: {line}")?;
    }
    Ok(())
}
