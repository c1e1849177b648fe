//! Single steps of a child process, by the trap flag and a signal handler in it: twice as fast as by another process.
#![allow(unsafe_code)]

use std::{
    arch::{asm, x86_64::__cpuid_count},
    io,
    mem::MaybeUninit,
    ptr::{self, NonNull},
    slice,
    sync::atomic::{AtomicPtr, Ordering::Relaxed},
};

use iced_x86::{Decoder, DecoderError, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use nix::libc;

use super::Parting;
use crate::operations::Outcome;

/// Steps of a case, at most.
const MOST: usize = 1 << 24;
/// A power of two, and twice as many instructions as there may be in a case.
const CACHE: usize = 1 << 17;
const TRAP_FLAG: i64 = 1 << 8;
/// How a child ends that has followed all of its case.
const WELL: i32 = 0;
const FAILED: i32 = 3;
const TOO_LONG: i32 = 4;
const TOO_MUCH_CODE: i32 = 5;
const UNKNOWN: i32 = 6;

/// One step.
#[derive(Clone, Copy, PartialEq)]
#[repr(C)]
struct Step {
    instruction: u64,
    /// Of the addresses that it touches, and of what it divides.
    data: u64,
}

/// What parent and children share. Children write it.
#[repr(C)]
struct Shared {
    /// Steps of this child.
    steps: usize,
    /// Steps of the first, which are in the log.
    logged: usize,
    /// The first step that differs.
    differs: Option<(Step, Step)>,
    log: [Step; MOST],
}

/// Follows several runs of one case.
pub(super) struct Stepper {
    shared: NonNull<Shared>,
    /// For a child. It is made once, since children must find the same memory.
    tracer: Box<Tracer>,
}

impl Stepper {
    pub(super) fn new() -> Result<Self, String> {
        // SAFETY: a new mapping, which nothing else uses.
        let place = unsafe {
            let writable = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            libc::mmap(ptr::null_mut(), size_of::<Shared>(), writable, flags, -1, 0)
        };
        if place == libc::MAP_FAILED {
            return Err(io::Error::last_os_error().to_string());
        }
        let shared = NonNull::new(place.cast()).ok_or("a mapping at address 0")?;
        Ok(Self { shared, tracer: Box::new(Tracer::new(shared)) })
    }

    fn shared(&mut self) -> &mut Shared {
        // SAFETY: a mapping of that size; zeros are steps, and no difference. No child is running.
        unsafe { self.shared.as_mut() }
    }

    pub(super) fn steps(&self) -> usize {
        // SAFETY: as above.
        unsafe { self.shared.as_ref() }.steps
    }

    /// Follows a run in a child process, and says where it parts from the first.
    pub(super) fn follow(&mut self, run: &dyn Fn() -> Outcome) -> Result<Option<Parting>, String> {
        self.shared().steps = 0;
        // SAFETY: this process has one thread.
        let child = unsafe { libc::fork() };
        if child == 0 {
            TRACER.store(&raw mut *self.tracer, Relaxed);
            catch_traps();
            trap();
            let outcome = run();
            untrap();
            // SAFETY: it ends the process.
            unsafe { libc::_exit(self.tracer.ended(outcome.is_ok())) }
        }
        if child < 0 {
            return Err(io::Error::last_os_error().to_string());
        }
        let mut status = 0;
        // SAFETY: the child is this process's own.
        while unsafe { libc::waitpid(child, &mut status, 0) } < 0 {}
        match libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)) {
            Some(WELL) => {}
            Some(FAILED) => return Err("it fails with some class of secrets".into()),
            Some(TOO_LONG) => return Err(format!("more than {MOST} steps")),
            Some(TOO_MUCH_CODE) => return Err(format!("more than {CACHE} / 2 instructions")),
            Some(UNKNOWN) => return Err("an address in a register that is not known here".into()),
            _ => return Err(format!("the child ends with status {status:#x}")),
        }
        let shared = self.shared();
        if shared.logged == 0 {
            shared.logged = shared.steps;
        }
        let Some((was, is)) = shared.differs else { return Ok(None) };
        let step = shared.steps;
        Ok(Some(match was.instruction == is.instruction {
            true => Parting { at: is.instruction, what: "an address or a dividend", step },
            false => {
                let at = shared.log[step.saturating_sub(1)].instruction;
                Parting { at, what: "a branch", step }
            }
        }))
    }
}

impl Drop for Stepper {
    fn drop(&mut self) {
        // SAFETY: the mapping that `new` made, and nothing borrows it.
        unsafe { libc::munmap(self.shared.as_ptr().cast(), size_of::<Shared>()) };
    }
}

/// What the signal handler of a child works with.
struct Tracer {
    shared: NonNull<Shared>,
    /// Instructions by their addresses.
    cache: Vec<(u64, Instruction)>,
    cached: usize,
    ended: Option<i32>,
}

static TRACER: AtomicPtr<Tracer> = AtomicPtr::new(ptr::null_mut());

impl Tracer {
    fn new(shared: NonNull<Shared>) -> Self {
        // The decoder makes tables when it is used first, which must not be while `malloc` is followed.
        let _ = Decoder::with_ip(64, &[0x90], 0, DecoderOptions::NONE).decode();
        Self { shared, cache: vec![(0, Instruction::default()); CACHE], cached: 0, ended: None }
    }

    fn ended(&mut self, well: bool) -> i32 {
        // SAFETY: as in `step`.
        let shared = unsafe { self.shared.as_mut() };
        let fewer = shared.logged > 0 && shared.differs.is_none() && shared.steps < shared.logged;
        if fewer && self.ended.is_none() {
            let at = shared.log[shared.steps];
            shared.differs = Some((at, Step { instruction: 0, data: 0 }));
        }
        self.ended.unwrap_or(if well { WELL } else { FAILED })
    }

    /// Takes the next step, and says whether there is more to follow.
    fn step(&mut self, registers: &Registers) -> bool {
        let address = registers.general(libc::REG_RIP);
        let Some(instruction) = self.instruction(address) else {
            self.ended = Some(TOO_MUCH_CODE);
            return false;
        };
        let Some(data) = data(&instruction, registers) else {
            self.ended = Some(UNKNOWN);
            return false;
        };
        // SAFETY: the parent waits, and only this handler uses the mapping.
        let shared = unsafe { self.shared.as_mut() };
        let (step, at) = (Step { instruction: address, data }, shared.steps);
        if at == MOST {
            self.ended = Some(TOO_LONG);
            return false;
        }
        if shared.logged == 0 {
            shared.log[at] = step;
        } else if at >= shared.logged || shared.log[at] != step {
            shared.differs = Some((shared.log[at], step));
            return false;
        }
        shared.steps += 1;
        true
    }

    fn instruction(&mut self, address: u64) -> Option<Instruction> {
        let mut at = (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % CACHE;
        loop {
            match self.cache[at] {
                (0, _) if self.cached < CACHE / 2 => break,
                (0, _) => return None,
                (cached, instruction) if cached == address => return Some(instruction),
                _ => at = (at + 1) % CACHE,
            }
        }
        let instruction = decoded(address);
        self.cache[at] = (address, instruction);
        self.cached += 1;
        Some(instruction)
    }
}

/// The instruction that the processor is about to execute. The page after it is read only where it reaches into it.
fn decoded(address: u64) -> Instruction {
    const LONGEST: usize = 15;
    const PAGE: usize = 4096;
    let first = ptr::with_exposed_provenance::<u8>(address as usize);
    let in_page = LONGEST.min(PAGE - address as usize % PAGE);
    // SAFETY: the rest of a page that has an instruction.
    let bytes = unsafe { slice::from_raw_parts(first, in_page) };
    let mut decoder = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE);
    let instruction = decoder.decode();
    if decoder.last_error() != DecoderError::NoMoreBytes {
        return instruction;
    }
    // SAFETY: the instruction goes on in the next page.
    let bytes = unsafe { slice::from_raw_parts(first, LONGEST) };
    Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode()
}

/// A number for the addresses that an instruction touches and for what it divides; nothing where one is not known.
fn data(instruction: &Instruction, registers: &Registers) -> Option<u64> {
    let mut data = 0_u64;
    let mut mix = |value: u64| {
        data = (data.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
    };
    let mnemonic = instruction.mnemonic();
    if matches!(mnemonic, Mnemonic::Lea | Mnemonic::Nop) {
        return Some(0);
    }
    let is_division = matches!(mnemonic, Mnemonic::Div | Mnemonic::Idiv);
    // These two take as long as the mask has bits on processors before Zen 3.
    let is_by_bits = matches!(mnemonic, Mnemonic::Pdep | Mnemonic::Pext);
    if is_division {
        mix(registers.general(libc::REG_RAX));
        mix(registers.general(libc::REG_RDX));
    }
    for operand in 0..instruction.op_count() {
        match instruction.op_kind(operand) {
            OpKind::Register if is_division || is_by_bits && operand == 2 => {
                mix(registers.value(instruction.op_register(operand))?);
            }
            OpKind::Memory
            | OpKind::MemorySegSI
            | OpKind::MemorySegESI
            | OpKind::MemorySegRSI
            | OpKind::MemorySegDI
            | OpKind::MemorySegEDI
            | OpKind::MemorySegRDI
            | OpKind::MemoryESDI
            | OpKind::MemoryESEDI
            | OpKind::MemoryESRDI => {
                // Of a gather, what is not in the vector.
                let of = |register: Register, _, _| match register.is_vector_register() {
                    true => Some(0),
                    false => registers.value(register),
                };
                let address = instruction.virtual_address(operand, 0, of)?;
                mix(address);
                if instruction.is_vsib() {
                    registers.vector(instruction.memory_index()).for_each(&mut mix);
                }
                if instruction.has_op_mask() {
                    mix(registers.mask(instruction.op_mask()) & used_mask(instruction));
                }
                if is_division || is_by_bits {
                    mix(read(address, instruction.memory_size().size().min(8)));
                }
            }
            _ => {}
        }
    }
    Some(data)
}

/// The bits of its mask register that an instruction uses: one for each element. The others may be of anything.
fn used_mask(instruction: &Instruction) -> u64 {
    let (memory, to) = (instruction.memory_size(), instruction.op_register(0));
    let bytes = match to.is_vector_register() {
        true => to.size(),
        false if instruction.is_broadcast() => return !0,
        false => memory.size(),
    };
    let elements = bytes / memory.element_size().max(1);
    u64::MAX >> (64 - elements.clamp(1, 64))
}

/// What an instruction is about to read.
fn read(address: u64, size: usize) -> u64 {
    let mut bytes = [0; 8];
    let from = ptr::with_exposed_provenance::<u8>(address as usize);
    // SAFETY: the processor is about to read as much there.
    unsafe { ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), size) };
    u64::from_le_bytes(bytes)
}

/// The registers of what was interrupted.
struct Registers<'a> {
    general: &'a [i64],
    /// What XSAVE has stored, in its standard form.
    saved: *const u8,
}

/// Components of XSAVE: the upper halves of registers of 256 bits and of 512, the upper registers of 512 bits, and masks.
const UPPER_256: u32 = 2;
const MASKS: u32 = 5;
const UPPER_512: u32 = 6;
const REGISTERS_16_UP: u32 = 7;

impl Registers<'_> {
    fn general(&self, index: libc::c_int) -> u64 {
        self.general[index as usize] as u64
    }

    /// A general register. A segment of a thread begins at the same address in every child.
    fn value(&self, register: Register) -> Option<u64> {
        let index = match register.full_register() {
            Register::RAX => libc::REG_RAX,
            Register::RBX => libc::REG_RBX,
            Register::RCX => libc::REG_RCX,
            Register::RDX => libc::REG_RDX,
            Register::RSI => libc::REG_RSI,
            Register::RDI => libc::REG_RDI,
            Register::RBP => libc::REG_RBP,
            Register::RSP => libc::REG_RSP,
            Register::R8 => libc::REG_R8,
            Register::R9 => libc::REG_R9,
            Register::R10 => libc::REG_R10,
            Register::R11 => libc::REG_R11,
            Register::R12 => libc::REG_R12,
            Register::R13 => libc::REG_R13,
            Register::R14 => libc::REG_R14,
            Register::R15 => libc::REG_R15,
            _ if register.is_segment_register() => return Some(0),
            _ => return None,
        };
        let value = self.general(index);
        Some(if register.size() == 4 { value & 0xffff_ffff } else { value })
    }

    /// All words of a vector register.
    fn vector(&self, register: Register) -> impl Iterator<Item = u64> {
        let number = register.number();
        let parts = match number {
            0..16 => [
                self.legacy(number),
                self.component(UPPER_256, 16 * number, 2),
                self.component(UPPER_512, 32 * number, 4),
            ],
            _ => [self.component(REGISTERS_16_UP, 64 * (number - 16), 8), [0; 8], [0; 8]],
        };
        parts.into_iter().flatten()
    }

    fn mask(&self, register: Register) -> u64 {
        self.component(MASKS, 8 * register.number(), 1)[0]
    }

    /// The lower 128 bits of a vector register.
    fn legacy(&self, number: usize) -> [u64; 8] {
        let mut words = [0; 8];
        // SAFETY: the system stores all that FXSAVE does.
        words[..2].copy_from_slice(&unsafe {
            self.saved.wrapping_add(160 + 16 * number).cast::<[u64; 2]>().read_unaligned()
        });
        words
    }

    /// Words of a component; zeros where it is in its first state, as it is not stored then.
    fn component(&self, component: u32, offset: usize, count: usize) -> [u64; 8] {
        let mut words = [0; 8];
        // SAFETY: the header of XSAVE's area, which every processor with vectors of 256 bits has, tells which components are there.
        let stored = unsafe { self.saved.wrapping_add(512).cast::<u64>().read_unaligned() };
        if stored >> component & 1 == 1 {
            let start = __cpuid_count(0xd, component).ebx as usize + offset;
            for (i, word) in words[..count].iter_mut().enumerate() {
                // SAFETY: the processor has the component, and says where it is stored.
                *word = unsafe {
                    self.saved.wrapping_add(start + 8 * i).cast::<u64>().read_unaligned()
                };
            }
        }
        words
    }
}

/// A handler on a stack of its own, so that nothing is written below the stack that is followed.
fn catch_traps() {
    const STACK: usize = 1 << 16;
    let stack = Vec::leak(vec![0_u8; STACK]);
    let stack = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: STACK };
    // SAFETY: zeros are an empty mask and no flags.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    action.sa_sigaction = on_trap as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: the stack is never freed.
    unsafe { libc::sigaltstack(&stack, ptr::null_mut()) };
    // SAFETY: the handler takes what the system passes with SA_SIGINFO.
    unsafe { libc::sigaction(libc::SIGTRAP, &action, ptr::null_mut()) };
}

extern "C" fn on_trap(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the system passes the context of what was interrupted, which nothing else uses now.
    let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    // SAFETY: `follow` keeps it until the process ends, and leaves it to the handler.
    let tracer = unsafe { &mut *TRACER.load(Relaxed) };
    let general = &mut context.uc_mcontext.gregs;
    let registers = Registers { general, saved: context.uc_mcontext.fpregs.cast() };
    if !tracer.step(&registers) {
        general[libc::REG_EFL as usize] &= !TRAP_FLAG;
    }
}

/// From the next instruction on, each is followed by a signal.
#[inline(always)]
fn trap() {
    // SAFETY: the signal has a handler, which changes nothing.
    unsafe {
        asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq");
    }
}

/// Ends what [`trap`] began.
#[inline(always)]
fn untrap() {
    // SAFETY: the flag is this child's own.
    unsafe {
        asm!("pushfq", "and qword ptr [rsp], ~0x100", "popfq");
    }
}
