//! What the tools are told: which bytes are secret. To them a secret is memory that was never
//! written: it may be moved and calculated with, and nothing may depend on it.
#![allow(unsafe_code)]

/// Marks bytes that are secret.
pub(crate) fn mark(bytes: &mut [u8]) {
    tool::mark(bytes);
}

/// Marks bytes that are secret no more.
pub(crate) fn unmark(bytes: &mut [u8]) {
    tool::unmark(bytes);
}

/// Whether something in each byte depends on a secret.
pub(crate) fn all_marked(bytes: &[u8]) -> bool {
    bytes.iter().all(tool::is_marked)
}

/// What the tool has reported so far.
pub(crate) fn reports() -> usize {
    tool::reports()
}

/// Ends the program.
pub(crate) fn end(well: bool) -> ! {
    tool::end(i32::from(!well))
}

pub(crate) use tool::NAME as TOOL;

/// Valgrind's memcheck, which looks at the machine code. It is spoken to by instructions that do
/// nothing outside of it.
#[cfg(ropewalk_ct = "memcheck")]
mod tool {
    use std::arch::asm;

    pub(crate) const NAME: &str = "memcheck";

    const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
    const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
    const GET_VBITS: usize = MEMCHECK + 8;
    const COUNT_ERRORS: usize = 0x1201;
    const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;

    pub(crate) fn mark(bytes: &mut [u8]) {
        request([MAKE_MEM_UNDEFINED, bytes.as_mut_ptr().expose_provenance(), bytes.len(), 0]);
    }

    pub(crate) fn unmark(bytes: &mut [u8]) {
        request([MAKE_MEM_DEFINED, bytes.as_mut_ptr().expose_provenance(), bytes.len(), 0]);
    }

    pub(crate) fn is_marked(byte: &u8) -> bool {
        let mut undefined = 0_u8;
        let from = (&raw const *byte).expose_provenance();
        let to = (&raw mut undefined).expose_provenance();
        request([GET_VBITS, from, to, 1]) == 1 && undefined != 0
    }

    pub(crate) fn reports() -> usize {
        request([COUNT_ERRORS, 0, 0, 0])
    }

    pub(crate) fn end(code: i32) -> ! {
        std::process::exit(code)
    }

    /// A client request, which gives 0 outside of Valgrind.
    #[cfg(target_arch = "x86_64")]
    fn request([what, a, b, c]: [usize; 4]) -> usize {
        let words = [what, a, b, c, 0, 0];
        let mut result = 0;
        // SAFETY: rotations that add up to nothing, and an exchange of a register with itself;
        // Valgrind reads the words, and writes what the callers above have borrowed for it.
        unsafe {
            asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") &words, inout("rdx") result, options(nostack),
            );
        }
        result
    }
}

/// MemorySanitizer, which looks at what LLVM makes machine code of.
#[cfg(ropewalk_ct = "msan")]
mod tool {
    use std::{
        ffi::{CStr, c_char, c_int, c_void},
        sync::atomic::{AtomicUsize, Ordering::Relaxed},
    };

    pub(crate) const NAME: &str = "msan";

    unsafe extern "C" {
        fn __msan_poison(from: *const c_void, len: usize);
        fn __msan_unpoison(from: *const c_void, len: usize);
        fn __msan_test_shadow(from: *const c_void, len: usize) -> isize;
        fn _exit(code: c_int) -> !;
    }

    /// What is more is printed again and again.
    const MOST: usize = 20;

    static REPORTS: AtomicUsize = AtomicUsize::new(0);

    pub(crate) fn mark(bytes: &mut [u8]) {
        // SAFETY: the bytes are borrowed, and only their shadow is written.
        unsafe { __msan_poison(bytes.as_ptr().cast(), bytes.len()) }
    }

    pub(crate) fn unmark(bytes: &mut [u8]) {
        // SAFETY: as above.
        unsafe { __msan_unpoison(bytes.as_ptr().cast(), bytes.len()) }
    }

    pub(crate) fn is_marked(byte: &u8) -> bool {
        // SAFETY: the byte is borrowed, and only its shadow is read.
        let first = unsafe { __msan_test_shadow((&raw const *byte).cast(), 1) };
        first == 0
    }

    pub(crate) fn reports() -> usize {
        REPORTS.load(Relaxed)
    }

    /// At once: what the sanitizer does at the end of a program would replace the code.
    pub(crate) fn end(code: i32) -> ! {
        // SAFETY: it takes any number, and does not come back.
        unsafe { _exit(code) }
    }

    /// The sanitizer's own of this name does nothing and gives way.
    #[unsafe(no_mangle)]
    extern "C" fn __sanitizer_report_error_summary(summary: *const c_char) {
        // SAFETY: the sanitizer passes a string.
        let summary = unsafe { CStr::from_ptr(summary) };
        eprintln!("{}", summary.to_string_lossy());
        if REPORTS.fetch_add(1, Relaxed) == MOST {
            println!("more than {MOST} reports");
            end(1);
        }
    }
}

/// Without a tool.
#[cfg(not(any(ropewalk_ct = "memcheck", ropewalk_ct = "msan")))]
mod tool {
    pub(crate) const NAME: &str = "";

    pub(crate) fn mark(_: &mut [u8]) {}
    pub(crate) fn unmark(_: &mut [u8]) {}
    pub(crate) fn is_marked(_: &u8) -> bool {
        true
    }
    pub(crate) fn reports() -> usize {
        0
    }
    pub(crate) fn end(code: i32) -> ! {
        std::process::exit(code)
    }
}
