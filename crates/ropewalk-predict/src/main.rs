//! Runs one message through a kernel, or through the plain loop that it is compared with, between two
//! calls of a function that marks the trace. `cargo xtask predict` builds it for Arm64 and runs it under
//! an emulator: `list` prints all kernels, `check` tests all results, and `run TASK BACKEND SHORT LONG`
//! runs messages of these lengths.

#[cfg(target_arch = "aarch64")]
mod plain;
mod tasks;

use std::hint::black_box;

use tasks::{Message, TASKS, Task};

/// A length that is not a multiple of common steps, so that tails are checked too.
const CHECKED: usize = 1360;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => TASKS.iter().for_each(list),
        ["check"] => TASKS.iter().for_each(check),
        ["run", task, backend, short, long] => {
            let task = TASKS.iter().find(|known| known.name == task).expect("a task of the list");
            let [short, long] =
                [short, long].map(|bytes| bytes.parse().expect("a number of bytes"));
            println!("{:#x}", mark as fn() as usize);
            // Processor features are detected once per process.
            task.work(backend)(&mut (task.message)(short));
            run(task, backend, short);
            run(task, backend, long);
        }
        _ => panic!("ropewalk-predict list | check | run TASK BACKEND SHORT LONG"),
    }
}

/// Prints a line for each backend: the task, the backend, and the one it is compared with.
fn list(task: &Task) {
    for (backend, plain) in task.pairs() {
        println!("{} {backend} {}", task.name, plain.unwrap_or("-"));
    }
}

/// Checks that the results of the backends and of the plain loops equal those of the portable backend.
fn check(task: &Task) {
    let portable = format!("{}/portable", task.folder);
    let expected = result(task, &portable);
    for (backend, plain) in task.pairs() {
        for name in [Some(backend), plain].into_iter().flatten() {
            assert!(result(task, name) == expected, "{}: {name} is wrong", task.name);
        }
    }
}

fn result(task: &Task, backend: &str) -> Message {
    let mut message = (task.message)(CHECKED);
    task.work(backend)(&mut message);
    if task.name.ends_with("/open") {
        // The bytes after the text of a record are unspecified.
        message.text.truncate(message.len);
    }
    message
}

/// Passes the mark before and after the work.
fn run(task: &Task, backend: &str, bytes: usize) {
    let mut message = (task.message)(bytes);
    let work = task.work(backend);
    mark();
    work(black_box(&mut message));
    mark();
    black_box(&message);
}

#[inline(never)]
fn mark() {
    // A distinct side effect, so that the linker does not merge this function with other empty ones.
    black_box("mark");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_right() {
        TASKS.iter().for_each(check);
    }

    #[test]
    fn every_primitive_of_one_message_has_a_task() {
        for primitive in ropewalk::PRIMITIVES {
            let backends = || primitive.backends.iter().filter(|info| info.lanes == 1);
            let is_task = |task: &Task| {
                backends().any(|info| info.name.starts_with(&format!("{}/", task.folder)))
            };
            let of_one = primitive.name.trim_end_matches("-many");
            let left_out = ["md5", "random"].contains(&of_one) || of_one.starts_with("hmac");
            assert!(left_out || TASKS.iter().any(is_task), "{}", primitive.name);
        }
    }
}
