//! Cases of a target: those that follow from seeds, or those of files.

use std::{
    fs::{self, OpenOptions},
    path::PathBuf,
    process::ExitCode,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use clap::Parser;
use ropewalk_fuzz::{
    TARGETS, Target, c_header,
    run::{self, Until},
};

/// Sequences of calls that no test lists. Ends with 1 where a case fails, after its seed has been printed.
#[derive(Parser)]
#[command(name = "ropewalk-fuzz")]
struct Arguments {
    /// What takes the cases; each that there is, where none is named.
    target: Option<String>,
    /// Files of which each is a case.
    files: Vec<PathBuf>,
    /// The first case; the clock's where it is not given.
    #[arg(long)]
    seed: Option<u64>,
    /// Cases, which run in this process, for a debugger to see them.
    #[arg(long, conflicts_with = "seconds")]
    cases: Option<u64>,
    /// How long cases go on, in a process of their own.
    #[arg(long)]
    seconds: Option<f64>,
    /// Writes the case of the seed to a file, and runs nothing.
    #[arg(long, value_name = "FILE", requires = "seed")]
    keep: Option<PathBuf>,
    /// The file that has the seed of a case while it runs.
    #[arg(long, hide = true)]
    progress: Option<PathBuf>,
}

/// What is wrong with a case, as an exit status; 2 is a command that cannot be run.
const FAILED: u8 = 1;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(name) = &arguments.target else {
        TARGETS.iter().for_each(|target| println!("{}", target.name));
        return ExitCode::SUCCESS;
    };
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!("there is no target {name}, but {}", names.join(", "));
        return ExitCode::from(2);
    };
    if let Some(library) = std::env::var_os("ROPEWALK_C_LIBRARY")
        && let Err(error) = c_header::load(library.as_ref())
    {
        eprintln!("{}: {error}", library.display());
        return ExitCode::from(2);
    }
    match run(target, &arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(target: &Target, arguments: &Arguments) -> std::io::Result<ExitCode> {
    let Arguments { files, cases, seconds, .. } = arguments;
    if !files.is_empty() {
        return files.iter().try_fold(ExitCode::SUCCESS, |code, file| {
            println!("{}: {}", target.name, file.display());
            run::one(target, &fs::read(file)?);
            Ok(code)
        });
    }
    let seed = arguments.seed.unwrap_or_else(of_the_clock);
    if let Some(file) = &arguments.keep {
        run::keep(seed, file)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(cases) = cases {
        run::seeds(target, seed, Until::Cases(*cases), None)?;
        return Ok(ExitCode::SUCCESS);
    }
    let time = Duration::from_secs_f64(seconds.unwrap_or(10.0));
    if let Some(progress) = &arguments.progress {
        let progress = OpenOptions::new().write(true).open(progress)?;
        let done = run::seeds(target, seed, Until::Time(time), Some(&progress))?;
        println!("{}: {done} cases from seed {seed} on", target.name);
        return Ok(ExitCode::SUCCESS);
    }
    in_a_process(target, seed, time)
}

fn in_a_process(target: &Target, first: u64, time: Duration) -> std::io::Result<ExitCode> {
    let Some(failure) = run::in_a_process(target, first, time)? else {
        return Ok(ExitCode::SUCCESS);
    };
    let (name, seed) = (target.name, failure.seed);
    let (why, after) = (failure.why(), failure.after.as_secs_f64());
    eprintln!("{name}: seed {seed} fails after {after:.1} s: {why}");
    eprintln!("to replay: ropewalk-fuzz {name} --seed {seed} --cases 1");
    eprintln!("to keep: ropewalk-fuzz {name} --seed {seed} --keep FILE");
    Ok(ExitCode::from(FAILED))
}

/// A seed that no run had before. Those of a run follow each other; its last digits leave room for them.
fn of_the_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() * 1_000_000_000
}
