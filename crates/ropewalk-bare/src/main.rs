//! AES-GCM and SHA-256 in a program without the standard library. It is started by C's, and exits with zero
//! where every backend of this processor gives what its standard says.
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
}

/// Called by the start-up code.
// SAFETY: nothing else here is called that.
#[unsafe(no_mangle)]
extern "C" fn main(_: c_int, _: *const *const u8) -> c_int {
    let backends = ropewalk::PRIMITIVES.iter().flat_map(|primitive| {
        let here = primitive.backends.iter().filter(|backend| (backend.available)());
        here.map(|backend| (primitive.self_test)(backend.name))
    });
    c_int::from(!backends.map(|right| right == Ok(true)).fold(true, core::ops::BitAnd::bitand))
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    abort()
}

/// What core and alloc would unwind with, as they are compiled: nobody unwinds here.
// SAFETY: nothing else here is called that.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() -> ! {
    abort()
}
