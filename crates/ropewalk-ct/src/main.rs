//! Runs every operation that touches a secret, on every backend, for a tool that follows secrets
//! and reports each branch and address they decide. `cargo xtask ct` builds it for the tool, with
//! `--cfg ropewalk_ct`, and runs it twice: `ropewalk-ct planted`, where the tool must report, and
//! `ropewalk-ct operations whole` or `sample`, where it must not. `ROPEWALK_TUNING` names a row of tuning.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod aes_options;
mod marks;
mod operations;
mod planted;
mod residue;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod trace;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use operations::{Case, Operation};
use planted::LEAKS;
use ropewalk::PRIMITIVES;

/// Bytes of text: none, ends of blocks on both sides, every step of the widest kernels and each
/// shorter one after it.
const LENGTHS: &[usize] =
    &[0, 1, 15, 16, 17, 31, 55, 56, 64, 65, 128, 255, 256, 272, 448, 511, 640, 1023, 1350, 4096];

/// A sample: an end of a block, an end of the padding of a hash function, and steps of wide kernels with rests.
const SAMPLED: &[usize] = &[0, 16, 55, 65, 255, 640, 1350];

fn main() -> ! {
    #[cfg(ropewalk_ct)]
    {
        ropewalk::ct::ON_TOLD.set(on_told).expect("nobody else sets it");
        ropewalk::ct::ON_KNOWN.set(on_known).expect("nobody else sets it");
    }
    if let Ok(name) = std::env::var("ROPEWALK_TUNING") {
        ropewalk::tuning::force(&name).expect("ROPEWALK_TUNING names a row");
    }
    let complaints = match std::env::args().nth(1).as_deref() {
        Some("planted") => planted(),
        Some("operations") => match std::env::args().nth(2).as_deref() {
            Some("sample") => operations(&expected(), SAMPLED),
            _ => operations(&expected(), LENGTHS),
        },
        Some("residue") => {
            let c_library = std::env::var("ROPEWALK_C_LIBRARY").ok();
            let only = std::env::args().nth(2).unwrap_or_default();
            residue::run(&expected(), c_library.as_deref(), &only)
        }
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        Some("trace") => trace::run(&expected(), &std::env::args().skip(2).collect::<Vec<_>>()),
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        Some("aes-options") => aes_options::run(),
        _ => vec!["ropewalk-ct planted|operations|residue|trace|aes-options".into()],
    };
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    marks::end(complaints.is_empty())
}

/// Leaks that the tool must report.
fn planted() -> Vec<String> {
    let mut missed = Vec::new();
    let here = || LEAKS.iter().filter(|leak| (leak.available)());
    for leak in here().filter(|leak| leak.tools.contains(&marks::TOOL)) {
        let before = marks::reports();
        (leak.run)();
        if marks::reports() == before {
            missed.push(format!("{} does not report a leak: {}", marks::TOOL, leak.name));
        } else {
            println!("{} reports {}", marks::TOOL, leak.name);
        }
    }
    if !here().any(|leak| leak.tools.contains(&marks::TOOL)) {
        missed.push("built for no tool: run `cargo xtask ct`".into());
    }
    missed
}

/// Runs every operation on every backend that can run here, with texts of these lengths, and says what is wrong.
fn operations(expected: &[String], lengths: &'static [usize]) -> Vec<String> {
    // Known answers are public. They are computed before the first use of a backend, and are not to be counted in it.
    let wrong = ropewalk::backend::wrong().map(|info| format!("{} gives wrong answers", info.name));
    let (mut ran, mut complaints) = (Vec::new(), wrong.collect::<Vec<_>>());
    for primitive in PRIMITIVES {
        let operations = || operations::operations().filter(|of| of.primitive == primitive.name);
        if operations().next().is_none() {
            complaints.push(format!("{}: no line in OPERATIONS", primitive.name));
            continue;
        }
        for info in primitive.backends.iter().filter(|info| (info.available)()) {
            let mut cases = 0;
            for operation in operations() {
                let before = marks::reports();
                let all = operation.cases(info.name, lengths);
                let outcomes: Vec<_> = all.map(|case| complaint(operation, &case)).collect();
                if marks::reports() > before {
                    complaints.push(format!("{}, {}: leaks", info.name, operation.name));
                }
                cases += outcomes.len();
                // One says it all.
                complaints.extend(outcomes.into_iter().flatten().next());
            }
            let count = operations().count();
            println!("{} ran {count} operations of {}, {cases} cases", info.name, primitive.name);
            ran.push(info.name);
        }
    }
    let absent = expected.iter().filter(|name| !ran.contains(&name.as_str()));
    complaints.extend(absent.map(|name| format!("\"{name}\" was expected and did not run")));
    complaints
}

/// Runs one case, and says what is wrong with it besides what the tool reports.
fn complaint(operation: &Operation, case: &Case) -> Option<String> {
    TOLD.store(0, Relaxed);
    let what = match (operation.run)(case) {
        Err(error) => error.to_string(),
        Ok(()) if TOLD.load(Relaxed) == operation.tells || marks::TOOL.is_empty() => {
            return None;
        }
        Ok(()) => format!("tells {} bytes, not {}", TOLD.load(Relaxed), operation.tells),
    };
    Some(format!("{}, {}: {case:?}: {what}", case.backend, operation.name))
}

/// Bytes that the library has told since this was zero.
static TOLD: AtomicUsize = AtomicUsize::new(0);

#[cfg(ropewalk_ct)]
fn on_told(mut byte: u8) -> u8 {
    TOLD.fetch_add(1, Relaxed);
    marks::unmark(std::slice::from_mut(&mut byte));
    byte
}

#[cfg(ropewalk_ct)]
fn on_known(mut byte: u8) -> u8 {
    marks::unmark(std::slice::from_mut(&mut byte));
    byte
}

/// The backends that must have run, by what the operating system says of the processor.
fn expected() -> Vec<String> {
    let expected = std::env::var("ROPEWALK_EXPECT").unwrap_or_default();
    expected.split(',').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_of_every_primitive_runs_on_every_backend() {
        assert_eq!(operations(&[], LENGTHS), [""; 0]);
    }

    /// Nothing expected is an empty name.
    #[test]
    fn backend_that_does_not_run_is_missed() {
        for name in ["sha256/vax/sha", ""] {
            let want = format!("\"{name}\" was expected and did not run");
            assert_eq!(operations(&[name.into()], LENGTHS), [want]);
        }
    }

    #[test]
    fn leaks_are_not_taken_for_seen_without_a_tool() {
        assert!(!planted().is_empty());
    }
}
