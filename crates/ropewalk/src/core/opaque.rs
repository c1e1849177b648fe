//! Values that are opaque to the compiler. Each prevents a rewriting that is slower, or that makes a branch.

/// Makes the compiler assume that the values may have changed: they are read from memory again.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn touched<T: ?Sized>(x: &mut T) {
    // Miri has no assembly.
    if cfg!(miri) {
        return;
    }
    // SAFETY: there is no instruction in it.
    unsafe {
        core::arch::asm!("/* {} */", in(reg) core::ptr::from_mut(x).cast::<u8>(), options(nostack, preserves_flags));
    }
}

/// The same place; but the compiler reads it again, because it cannot know that it is the same. `black_box` would send the
/// reference through the stack.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline]
#[allow(unsafe_code)]
pub(crate) fn unseen<T>(x: &T) -> &T {
    if cfg!(miri) {
        return x;
    }
    let mut place: *const T = x;
    // SAFETY: there is no instruction in it.
    unsafe {
        core::arch::asm!("/* {} */", inout(reg) place, options(pure, readonly, nostack, preserves_flags));
    }
    // SAFETY: this is `x`.
    let x = unsafe { &*place };
    // SAFETY: a reference is aligned, which the compiler can no longer see.
    unsafe {
        core::hint::assert_unchecked(core::ptr::from_ref(x).is_aligned());
    }
    x
}

/// The same word, which the compiler cannot know to be the same after memory has been written.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code, dead_code)]
pub(crate) fn unseen_word(mut word: u64) -> u64 {
    // As in `keep_order`; and MemorySanitizer takes operands of assembly for used.
    if cfg!(ropewalk_ct = "msan") {
        return word;
    }
    // SAFETY: there is no instruction in it.
    unsafe {
        core::arch::asm!("/* {} */", inout(reg) word, options(pure, readonly, nostack, preserves_flags));
    }
    word
}

/// Makes the function that this is inlined into align its stack to 256 bits. LLVM does so only where it sees such a variable
/// before register allocation; elsewhere every other vector that it spills may cross a cache line.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub(crate) fn align_stack() {
    #[repr(align(32))]
    struct Vector {
        _bytes: [u8; 32],
    }
    core::hint::black_box(&mut core::mem::MaybeUninit::<Vector>::uninit());
}

/// The same sum; the compiler does not reassociate it with other sums.
#[cfg(feature = "md5")]
#[inline(always)]
pub(crate) fn added_first(sum: u32) -> u32 {
    unknown(sum.into()) as u32
}

/// The same word, of which the compiler does not know how it was computed.
#[inline(always)]
#[allow(unsafe_code, dead_code)]
pub(crate) fn unknown(word: u64) -> u64 {
    #[cfg(all(
        any(target_arch = "x86_64", target_arch = "aarch64"),
        not(any(ropewalk_ct = "msan", miri))
    ))]
    let word = {
        let mut word = word;
        // SAFETY: there is no instruction in it.
        unsafe {
            core::arch::asm!("/* {} */", inout(reg) word, options(pure, nomem, nostack, preserves_flags));
        }
        word
    };
    word
}
