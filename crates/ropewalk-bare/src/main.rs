//! AES-GCM and SHA-256 in a program without the standard library. It is started by C's, says which backends this
//! processor has, and exits with zero where every one of them gives what its standard says.
#![no_std]
#![no_main]

use core::{ffi::c_int, panic::PanicInfo};

use dlmalloc::GlobalDlmalloc;

/// Keys have tables elsewhere where there are no AES instructions.
#[global_allocator]
static ALLOCATOR: GlobalDlmalloc = GlobalDlmalloc;

#[link(name = "c")]
unsafe extern "C" {
    safe fn abort() -> !;
    safe fn putchar(byte: c_int) -> c_int;
}

/// Called by the start-up code.
// SAFETY: nothing else here is called that.
#[unsafe(no_mangle)]
extern "C" fn main(_: c_int, _: *const *const u8) -> c_int {
    let mut right = true;
    for primitive in ropewalk::PRIMITIVES {
        for backend in primitive.backends.iter().filter(|backend| (backend.available)()) {
            right &= (primitive.self_test)(backend.name) == Ok(true);
            for byte in backend.name.bytes().chain(*b"\n") {
                putchar(byte.into());
            }
        }
    }
    c_int::from(!right)
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    abort()
}

/// What core and alloc would unwind with, as they are compiled: nothing unwinds here.
// SAFETY: nothing else here is called that.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() -> ! {
    abort()
}
