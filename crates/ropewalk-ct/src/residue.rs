//! `ropewalk-ct residue`: what is left of secrets on the stack and in registers after an operation has made keys, used them and
//! dropped them.
//!
//! An operation runs twice with one set of secrets and twice with another, each time on the same part of a stack, which was
//! overwritten before. A byte that is the same in both runs with one set, and another one with the other set, depends on the
//! secrets: none may be left. So no list of round keys, powers of H or chaining values is needed, and none can be forgotten.
//!
//! The frame of the operation itself is left out: a value that is moved leaves a copy where it was, and that is the test's own.
#![allow(unsafe_code)]

mod c;

use std::{
    sync::{Mutex, atomic::Ordering::Relaxed},
    thread,
};

use ropewalk::PRIMITIVES;

use crate::operations::{self, Case, Class, Operation};

/// Bytes of a stack that are looked at: more than any operation takes.
const LOOKED_AT: usize = 400 << 10;
const STACK: usize = 1 << 20;
/// What is below the frame of the function that looks, where the processor and the system may write.
const NEAR: usize = 256;
const PATTERN: u8 = 0xa5;

/// Lengths of texts: blocks that are whole and not, and steps of the widest kernels.
const LENGTHS: &[usize] = &[17, 300, 640, 1350];

/// Two sets of secrets, which differ in almost every byte.
const SETS: [Class; 2] = [Class::Random(1), Class::Random(2)];

/// Bytes that are reported. Fewer are in a register of the operation's own that a function saved.
const LEAST: usize = 16;

/// Its key is for one message, and no message is swept after.
const OF_ONE_MESSAGE: &str = "poly1305";

/// Instead of a part of a name: the C library only.
const ONLY_C: &str = "C";

/// What was on the stack below the operation, from the deepest byte up, and in registers.
struct Seen {
    bytes: Vec<u8>,
    /// Bytes from the deepest one that the operation wrote to its frame.
    depth: usize,
    registers: Vec<u8>,
}

/// Runs every operation that has keys on every backend that can run here, and those of the C library of a file, and says where
/// something is left.
pub(crate) fn run(expected: &[String], c_library: Option<&str>, only: &str) -> Vec<String> {
    let (mut ran, mut complaints) = (Vec::new(), Vec::new());
    complaints.extend(c_library.into_iter().flat_map(c::run));
    if only == ONLY_C {
        return complaints;
    }
    match left(&PLANTED, &Case { backend: "planted", key: 32, len: 300 }) {
        Ok((left, _)) if left.is_empty() => {
            complaints.push("what is left on purpose is not found".into());
        }
        Ok((left, _)) => println!("found what is left on purpose: {left}"),
        Err(error) => complaints.push(error),
    }
    // One message first: after a call for many, every key that is dropped overwrites as much as such a call takes.
    for (primitive, many) in
        [false, true].into_iter().flat_map(|many| PRIMITIVES.iter().map(move |p| (p, many)))
    {
        let backends = primitive.backends.iter().filter(|info| (info.lanes > 1) == many);
        for info in backends.filter(|info| (info.available)()) {
            let with_keys = |of: &&Operation| {
                of.primitive == primitive.name && of.keys != [0] && of.primitive != OF_ONE_MESSAGE
            };
            let (mut count, mut deepest) = (0, (0, ""));
            for operation in operations::operations().filter(with_keys) {
                if !format!("{}, {}", info.name, operation.name).contains(only) {
                    continue;
                }
                for case in operation.cases(info.name, LENGTHS) {
                    count += 1;
                    match left(operation, &case) {
                        Ok((left, depth)) => {
                            deepest = deepest.max((depth, operation.name));
                            if !left.is_empty() {
                                let name = operation.name;
                                complaints.push(format!("{}, {name}, {case:?}: {left}", info.name));
                            }
                        }
                        Err(error) => {
                            complaints.push(format!("{}, {}: {error}", info.name, operation.name));
                        }
                    }
                }
            }
            if count > 0 {
                let (bytes, name) = deepest;
                println!(
                    "{}: {count} cases of {}, {bytes} bytes of stack at most, in {name}",
                    info.name, primitive.name
                );
            }
            ran.push(info.name);
        }
    }
    let absent = expected.iter().filter(|name| !ran.contains(&name.as_str()));
    complaints.extend(absent.map(|name| format!("\"{name}\" was expected and did not run")));
    complaints
}

/// Leaves a secret on the stack.
const PLANTED: Operation = Operation {
    primitive: "planted",
    name: "planted",
    keys: &[32],
    tells: 0,
    run: operations::plant,
};

/// What tells secrets apart after an operation, in words, or nothing; and how deep it went.
fn left(operation: &Operation, case: &Case) -> Result<(String, usize), String> {
    // What is made once in a process is there, and the allocator has what it needs.
    operations::secrets_of(SETS[0]);
    (operation.run)(case).map_err(|error| error.to_string())?;
    let (mut stack, mut registers, mut depth) = (None, None, 0);
    // In several orders: addresses that the allocator gives may differ in one as secrets do.
    for order in [[1, 2, 1, 2], [1, 1, 2, 2], [2, 1, 1, 2], [1, 2, 2, 1]] {
        let (mut of_one, mut of_two) = (Vec::new(), Vec::new());
        for secrets in order {
            operations::secrets_of(SETS[secrets - 1]);
            let seen = seen(operation, case)?;
            if secrets == 1 { of_one.push(seen) } else { of_two.push(seen) }
        }
        let [[a, a_again], [b, b_again]] = [&of_one, &of_two].map(|seen| [&seen[0], &seen[1]]);
        let tells = |of: fn(&Seen) -> &[u8], before: &Option<Vec<usize>>| -> Vec<usize> {
            let ends = [of(a), of(a_again), of(b), of(b_again)];
            let len = ends.iter().map(|bytes| bytes.len()).min().unwrap_or(0);
            // From the frame of the operation down, as its depth may not be the same each time.
            let at = |i: usize| ends.map(|bytes| bytes[bytes.len() - 1 - i]);
            let tells =
                |i: &usize| matches!(at(*i), [a, a2, b, b2] if a == a2 && b == b2 && a != b);
            let known = |i: &usize| before.as_ref().is_none_or(|before| before.contains(i));
            (0..len).filter(tells).filter(known).collect()
        };
        stack = Some(tells(|seen| &seen.bytes, &stack));
        registers = Some(tells(|seen| &seen.registers, &registers));
        depth = a.depth.max(b.depth);
        if stack.iter().chain(&registers).all(|bytes| bytes.len() < LEAST) {
            break;
        }
    }
    let (stack, registers) = (stack.unwrap_or_default(), registers.unwrap_or_default());
    let mut words = Vec::new();
    if let [first, .., last] = &stack[..]
        && stack.len() >= LEAST
    {
        words.push(format!("{} bytes of the stack tell, {first} to {last} below", stack.len()));
    }
    if registers.len() >= LEAST {
        words.push(format!("{} bytes of registers tell", registers.len()));
    }
    Ok((words.join(", "), depth))
}

/// Runs an operation on a stack that has been overwritten, and takes what it left there.
fn seen(operation: &Operation, case: &Case) -> Result<Seen, String> {
    /// One at a time: the frame is found through a static variable.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().map_err(|error| error.to_string())?;
    let run = move || on_this_stack(operation, case).map_err(|error| error.to_string());
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.map_err(|error| error.to_string())?.join().map_err(|_| "it panics".to_owned())?
    })
}

#[inline(never)]
fn on_this_stack(operation: &Operation, case: &Case) -> Result<Seen, Box<dyn std::error::Error>> {
    let here = 0_u8;
    let top = (&raw const here).addr() - NEAR;
    let mut bytes = vec![0; LOOKED_AT];
    let mut registers = vec![0; registers::BYTES];
    let place = |i: usize| std::ptr::with_exposed_provenance_mut::<u8>(top - LOOKED_AT + i);
    for i in 0..LOOKED_AT {
        // SAFETY: the stack of this thread is longer, no function is called that may lie there, and no other thread knows of it.
        unsafe { place(i).write_volatile(PATTERN) };
    }
    operations::FRAME.store(0, Relaxed);
    let outcome = (operation.run)(case);
    registers::store(&mut registers);
    for (i, byte) in bytes.iter_mut().enumerate() {
        // SAFETY: as above; what was there has returned.
        *byte = unsafe { place(i).read_volatile() };
    }
    outcome?;
    // What lies above is the operation's own.
    let frame = operations::FRAME.load(Relaxed);
    bytes.truncate(frame.checked_sub(top - LOOKED_AT).ok_or("it made no secret")?);
    let touched = bytes.iter().position(|byte| *byte != PATTERN).unwrap_or(bytes.len());
    Ok(Seen { depth: bytes.len() - touched, bytes, registers })
}

mod registers {
    #[cfg(target_arch = "x86_64")]
    use std::arch::asm;

    pub(super) const BYTES: usize = 32 * 64;

    /// The vector registers.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn store(bytes: &mut [u8]) {
        let place = bytes[..BYTES].as_mut_ptr();
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: 32 registers of 64 bytes.
            unsafe {
                asm!(
                    ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
                    "vmovdqu64 [{place} + 64 * \\n], zmm\\n",
                    ".endr",
                    place = in(reg) place, options(nostack),
                );
            }
        } else if is_x86_feature_detected!("avx") {
            // SAFETY: 16 registers of 32 bytes, 64 apart.
            unsafe {
                asm!(
                    ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
                    "vmovdqu [{place} + 64 * \\n], ymm\\n",
                    ".endr",
                    place = in(reg) place, options(nostack),
                );
            }
        } else {
            // SAFETY: 16 registers of 16 bytes, 64 apart.
            unsafe {
                asm!(
                    ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
                    "movdqu [{place} + 64 * \\n], xmm\\n",
                    ".endr",
                    place = in(reg) place, options(nostack),
                );
            }
        }
    }

    /// The vector registers that a function need not keep: the others are the caller's.
    #[cfg(target_arch = "aarch64")]
    #[inline(always)]
    pub(super) fn store(bytes: &mut [u8]) {
        let place = bytes[..BYTES].as_mut_ptr();
        // SAFETY: 24 registers of 16 bytes.
        unsafe {
            std::arch::asm!(
                "st1 {{v0.16b, v1.16b, v2.16b, v3.16b}}, [{place}], #64",
                "st1 {{v4.16b, v5.16b, v6.16b, v7.16b}}, [{place}], #64",
                "st1 {{v16.16b, v17.16b, v18.16b, v19.16b}}, [{place}], #64",
                "st1 {{v20.16b, v21.16b, v22.16b, v23.16b}}, [{place}], #64",
                "st1 {{v24.16b, v25.16b, v26.16b, v27.16b}}, [{place}], #64",
                "st1 {{v28.16b, v29.16b, v30.16b, v31.16b}}, [{place}], #64",
                place = inout(reg) place => _, options(nostack),
            );
        }
    }

    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub(super) fn store(_: &mut [u8]) {}
}
