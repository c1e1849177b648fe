//! `OSSL_PARAM`: values by their names, to be read or to be written.

use core::{
    ffi::{CStr, c_char, c_uint, c_void},
    marker::PhantomData,
    ptr, slice,
};

use crate::{error::Reason, version::Version};

/// One of a list, which a name that is null ends.
#[repr(C)]
pub(crate) struct Param {
    key: *const c_char,
    kind: c_uint,
    data: *mut c_void,
    size: usize,
    return_size: usize,
}

// SAFETY: those of this provider are never changed; those of OpenSSL stay with the call that they came with.
unsafe impl Sync for Param {}

const INTEGER: c_uint = 1;
const UNSIGNED: c_uint = 2;
const UTF8: c_uint = 4;
const OCTETS: c_uint = 5;
const UTF8_PTR: c_uint = 6;
const OCTETS_PTR: c_uint = 7;

/// What OpenSSL expects where a size is not known, or a value not written.
const UNMODIFIED: usize = usize::MAX;

impl Param {
    /// Ends a list.
    pub(crate) const END: Self = Self::described(ptr::null(), 0);

    const fn described(key: *const c_char, kind: c_uint) -> Self {
        Self { key, kind, data: ptr::null_mut(), size: 0, return_size: UNMODIFIED }
    }

    /// Says that there is an unsigned number of that name.
    pub(crate) const fn number(key: &'static CStr) -> Self {
        Self { size: size_of::<u64>(), ..Self::described(key.as_ptr(), UNSIGNED) }
    }
    /// Says that there is a number of that name, which has a sign.
    pub(crate) const fn integer(key: &'static CStr) -> Self {
        Self { size: size_of::<i32>(), ..Self::described(key.as_ptr(), INTEGER) }
    }
    /// Says that there are bytes of that name.
    pub(crate) const fn octets(key: &'static CStr) -> Self {
        Self::described(key.as_ptr(), OCTETS)
    }
    /// Says that there are words of that name.
    pub(crate) const fn text(key: &'static CStr) -> Self {
        Self::described(key.as_ptr(), UTF8)
    }
    /// Says that there is a pointer to words of that name.
    pub(crate) const fn text_pointer(key: &'static CStr) -> Self {
        Self::described(key.as_ptr(), UTF8_PTR)
    }
    /// Says that there is a pointer to bytes of that name.
    pub(crate) const fn octets_pointer(key: &'static CStr) -> Self {
        Self::described(key.as_ptr(), OCTETS_PTR)
    }

    /// Its name. Names are short: a call of `strlen` would take longer than this loop.
    #[inline]
    pub(crate) fn name(&self) -> &[u8] {
        const SHORT: usize = 24;
        for len in 0..SHORT {
            let letter = self.key.wrapping_add(len);
            // SAFETY: the name of a parameter is a string that outlives it, and it has not ended before.
            if unsafe { *letter } == 0 {
                // SAFETY: likewise.
                return unsafe { slice::from_raw_parts(self.key.cast(), len) };
            }
        }
        // SAFETY: likewise.
        unsafe { CStr::from_ptr(self.key) }.to_bytes()
    }

    /// Bytes of the number or the words, where there are any.
    fn bytes(&self) -> &[u8] {
        if self.data.is_null() || self.size > isize::MAX as usize {
            return &[];
        }
        // SAFETY: `data` has so many bytes.
        unsafe { slice::from_raw_parts(self.data.cast(), self.size) }
    }

    /// The number that was handed in. None below zero.
    pub(crate) fn as_number(&self) -> Result<u64, Reason> {
        u64::try_from(self.as_integer()?).map_err(|_| Reason::FailedToGetParameter)
    }

    /// The number that was handed in, of as many bytes as it takes: what is made of words has no more.
    pub(crate) fn as_integer(&self) -> Result<i128, Reason> {
        let given = self.bytes();
        let len = given.len();
        let mut bytes = [0; 16];
        if !matches!(self.kind, INTEGER | UNSIGNED) || len == 0 || len >= bytes.len() {
            return Err(Reason::FailedToGetParameter);
        }
        let unused = 8 * (bytes.len() - len) as u32;
        // The number is in the highest bytes, and goes down with its sign.
        let number = if cfg!(target_endian = "little") {
            bytes[16 - len..].copy_from_slice(given);
            i128::from_le_bytes(bytes)
        } else {
            bytes[..len].copy_from_slice(given);
            i128::from_be_bytes(bytes)
        };
        let unsigned = (number as u128 >> unused) as i128;
        Ok(if self.kind == INTEGER { number >> unused } else { unsigned })
    }

    /// The number, where it is a size.
    #[inline]
    pub(crate) fn as_size(&self) -> Result<usize, Reason> {
        // As nearly all of them come.
        if let (UNSIGNED, Ok(bytes)) = (self.kind, self.bytes().try_into()) {
            return Ok(usize::from_ne_bytes(bytes));
        }
        usize::try_from(self.as_number()?).map_err(|_| Reason::FailedToGetParameter)
    }

    /// The bytes that were handed in.
    pub(crate) fn as_octets(&self) -> Result<&[u8], Reason> {
        if self.kind == OCTETS { Ok(self.bytes()) } else { Err(Reason::FailedToGetParameter) }
    }

    /// How many bytes were handed in, or would be.
    pub(crate) fn octets_len(&self) -> Result<usize, Reason> {
        if self.kind == OCTETS { Ok(self.size) } else { Err(Reason::FailedToGetParameter) }
    }

    /// Whether nothing was handed in but a size.
    pub(crate) fn is_empty(&self) -> bool {
        self.data.is_null()
    }

    /// Whether the size is -1: some callers leave the length to the reader.
    pub(crate) fn is_endless(&self) -> bool {
        self.size == usize::MAX
    }

    /// The bytes of one that is endless.
    pub(crate) fn as_octets_of(&self, len: usize) -> Result<&[u8], Reason> {
        if self.kind != OCTETS || self.data.is_null() || self.size < len {
            return Err(Reason::FailedToGetParameter);
        }
        // SAFETY: the caller that passes -1 knows how many bytes are read.
        Ok(unsafe { slice::from_raw_parts(self.data.cast(), len) })
    }

    /// Where bytes are to be written, of which the size does not say how many there is room for.
    pub(crate) fn as_place(&self) -> Result<ptr::NonNull<u8>, Reason> {
        if self.kind != OCTETS {
            return Err(Reason::FailedToGetParameter);
        }
        ptr::NonNull::new(self.data.cast()).ok_or(Reason::FailedToGetParameter)
    }

    /// The i-th of the octets that an array of pointers points to.
    ///
    /// # Safety
    /// There are so many pointers, each to as many bytes as the size says.
    pub(crate) unsafe fn nth_octets(&self, i: usize) -> Result<&[u8], Reason> {
        if self.kind != OCTETS_PTR || self.data.is_null() {
            return Err(Reason::FailedToGetParameter);
        }
        let pointer = self.data.cast::<*const u8>().wrapping_add(i);
        // SAFETY: as the caller says.
        let pointer = unsafe { *pointer };
        // SAFETY: likewise.
        Ok(unsafe { view(pointer, self.size) })
    }

    /// Writes octets, of at most `longest` bytes, where each of an array of pointers points to.
    ///
    /// # Safety
    /// There are so many pointers, each to room for as many bytes as the size says.
    pub(crate) unsafe fn write_each<const N: usize>(
        &mut self,
        each: impl Iterator<Item = [u8; N]>,
        longest: usize,
    ) -> Result<(), Reason> {
        if self.kind != OCTETS_PTR || self.data.is_null() || self.size == 0 || self.size > longest {
            return Err(Reason::FailedToSetParameter);
        }
        for (i, octets) in each.enumerate() {
            let pointer = self.data.cast::<*mut u8>().wrapping_add(i);
            // SAFETY: as the caller says.
            let pointer = unsafe { *pointer };
            // SAFETY: likewise.
            unsafe { ptr::copy_nonoverlapping(octets.as_ptr(), pointer, self.size.min(N)) };
        }
        self.return_size = self.size;
        Ok(())
    }

    /// How many bytes may be written, where any may.
    pub(crate) fn room(&self) -> Option<usize> {
        (!self.data.is_null()).then_some(self.size)
    }

    /// Where bytes are to be written, and how many.
    pub(crate) fn as_room(&mut self) -> Result<&mut [u8], Reason> {
        if self.kind != OCTETS || self.data.is_null() || self.size > isize::MAX as usize {
            return Err(Reason::FailedToGetParameter);
        }
        // SAFETY: `data` has so many bytes, which are to be written.
        Ok(unsafe { slice::from_raw_parts_mut(self.data.cast(), self.size) })
    }

    /// The words that were handed in.
    pub(crate) fn as_text(&self) -> Result<&str, Reason> {
        let bytes = match self.kind {
            UTF8 => self.bytes(),
            UTF8_PTR if !self.data.is_null() => {
                // SAFETY: `data` is a pointer to a pointer to a string.
                let pointer = unsafe { *self.data.cast::<*const c_char>() };
                if pointer.is_null() {
                    return Err(Reason::FailedToGetParameter);
                }
                // SAFETY: likewise.
                unsafe { CStr::from_ptr(pointer) }.to_bytes()
            }
            _ => return Err(Reason::FailedToGetParameter),
        };
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        str::from_utf8(&bytes[..end]).map_err(|_| Reason::FailedToGetParameter)
    }

    /// Answers with a number.
    #[inline]
    pub(crate) fn set_number(&mut self, number: u64) -> Result<(), Reason> {
        // As nearly all are asked for.
        if self.kind == UNSIGNED && self.size == size_of::<u64>() && !self.data.is_null() {
            // SAFETY: `data` has so many bytes, which are to be written.
            unsafe { self.data.cast::<u64>().write_unaligned(number) };
            self.return_size = size_of::<u64>();
            return Ok(());
        }
        self.set_odd_number(number)
    }

    #[inline(never)]
    fn set_odd_number(&mut self, number: u64) -> Result<(), Reason> {
        // A sign takes a bit.
        let bits = match self.kind {
            UNSIGNED => 8 * self.size.min(8),
            INTEGER => (8 * self.size.min(9)).saturating_sub(1),
            _ => return Err(Reason::FailedToSetParameter),
        };
        if self.data.is_null() {
            self.return_size = size_of::<u64>();
            return Ok(());
        }
        let mut bytes = u128::from(number).to_ne_bytes();
        if self.size > bytes.len() || (bits < 64 && number >> bits > 0) {
            return Err(Reason::FailedToSetParameter);
        }
        if cfg!(target_endian = "big") {
            bytes.rotate_left(16 - self.size);
        }
        // SAFETY: `data` has so many bytes, which are to be written.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.data.cast(), self.size) };
        self.return_size = self.size;
        Ok(())
    }

    /// Answers with bytes, or with a pointer to them. They must stay there for as long as the caller may read
    /// them.
    pub(crate) fn set_octets(&mut self, octets: &[u8]) -> Result<(), Reason> {
        self.return_size = octets.len();
        match self.kind {
            _ if self.data.is_null() => Ok(()),
            OCTETS if self.size >= octets.len() => {
                // SAFETY: there is room for so many bytes.
                unsafe {
                    ptr::copy_nonoverlapping(octets.as_ptr(), self.data.cast(), octets.len())
                };
                Ok(())
            }
            OCTETS_PTR => {
                // SAFETY: `data` has room for a pointer.
                unsafe { self.data.cast::<*const u8>().write(octets.as_ptr()) };
                Ok(())
            }
            _ => Err(Reason::FailedToSetParameter),
        }
    }

    /// Answers with words that do not stay.
    pub(crate) fn set_words(&mut self, text: &str) -> Result<(), Reason> {
        self.return_size = text.len();
        if self.data.is_null() {
            return Ok(());
        }
        if self.kind != UTF8 || self.size <= text.len() {
            return Err(Reason::FailedToSetParameter);
        }
        // SAFETY: there is room for so many bytes.
        let room = unsafe { slice::from_raw_parts_mut(self.data.cast::<u8>(), text.len() + 1) };
        room[..text.len()].copy_from_slice(text.as_bytes());
        room[text.len()] = 0;
        Ok(())
    }

    /// Whether it is of words.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.kind, UTF8 | UTF8_PTR)
    }

    /// Answers with words, or where they are.
    pub(crate) fn set_text(&mut self, text: &'static CStr) -> Result<(), Reason> {
        self.return_size = text.count_bytes();
        match self.kind {
            _ if self.data.is_null() => Ok(()),
            UTF8_PTR => {
                // SAFETY: `data` has room for a pointer.
                unsafe { self.data.cast::<*const c_char>().write(text.as_ptr()) };
                Ok(())
            }
            UTF8 if self.size > text.count_bytes() => {
                let bytes = text.to_bytes_with_nul();
                // SAFETY: there is room for so many bytes.
                unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.data.cast(), bytes.len()) };
                Ok(())
            }
            _ => Err(Reason::FailedToSetParameter),
        }
    }
}

/// Those that were handed in.
#[derive(Clone, Copy)]
pub(crate) struct Params<'a> {
    next: *const Param,
    life: PhantomData<&'a Param>,
}

impl<'a> Params<'a> {
    /// All of that name, in their order.
    pub(crate) fn all(self, name: &'static [u8]) -> impl Iterator<Item = &'a Param> {
        self.filter(move |param| param.name() == name)
    }

    /// The first of that name.
    pub(crate) fn named(self, name: &'static [u8]) -> Option<&'a Param> {
        self.all(name).next()
    }

    /// Since 3.6 OpenSSL's own refuses what it knows and is told twice, but for what goes on where the last ended.
    pub(crate) fn check_repeated(
        self,
        version: Version,
        known: &[Param],
        goes_on: &[&[u8]],
    ) -> Result<(), Reason> {
        if version < Version::V3_6 {
            return Ok(());
        }
        let is_known = |name: &[u8]| {
            let mut named = known.iter().take_while(|param| !param.key.is_null());
            named.any(|param| param.name() == name)
        };
        let mut rest = self;
        while let Some(param) = rest.next() {
            let name = param.name();
            let again = rest.into_iter().any(|other| other.name() == name);
            if again && is_known(name) && !goes_on.contains(&name) {
                return Err(Reason::RepeatedParameter);
            }
        }
        Ok(())
    }

    /// Whether there is not even an empty list.
    pub(crate) fn is_null(self) -> bool {
        self.next.is_null()
    }

    /// As they were handed in.
    pub(crate) fn as_ptr(self) -> *const Param {
        self.next
    }

    /// Whether what is made of other algorithms is to take them elsewhere.
    pub(crate) fn go_elsewhere(self) -> Result<bool, Reason> {
        let Some(properties) = self.named(b"properties") else { return Ok(false) };
        let properties = properties.as_text()?;
        Ok(!properties.is_empty() && !properties.contains("ropewalk"))
    }
}

impl<'a> Iterator for Params<'a> {
    type Item = &'a Param;

    fn next(&mut self) -> Option<&'a Param> {
        // SAFETY: null, or not past the end, as `each` asks for.
        let param = unsafe { self.next.as_ref() }?;
        if param.key.is_null() {
            return None;
        }
        // SAFETY: this was not the last one.
        self.next = unsafe { self.next.add(1) };
        Some(param)
    }
}

/// Those that were handed in.
///
/// # Safety
/// `params` is null, or a list that a name that is null ends, and that is not changed as long as `'a`.
pub(crate) unsafe fn each<'a>(params: *const Param) -> Params<'a> {
    Params { next: params, life: PhantomData }
}

/// What is handed to OpenSSL.
pub(crate) struct List<'a>(Vec<Param>, PhantomData<&'a [u8]>);

impl<'a> List<'a> {
    pub(crate) fn new() -> Self {
        Self(vec![Param::END], PhantomData)
    }

    fn add(&mut self, key: &'static CStr, kind: c_uint, data: *const u8, size: usize) {
        let data = data.cast_mut().cast();
        let param = Param { data, size, ..Param::described(key.as_ptr(), kind) };
        self.0.insert(self.0.len() - 1, param);
    }
    /// With bytes.
    pub(crate) fn octets(&mut self, key: &'static CStr, octets: &'a [u8]) {
        self.add(key, OCTETS, octets.as_ptr(), octets.len());
    }
    /// With bytes, where there are any.
    pub(crate) fn some_octets(&mut self, key: &'static CStr, octets: Option<&'a [u8]>) {
        if let Some(octets) = octets {
            self.octets(key, octets);
        }
    }
    /// With words.
    pub(crate) fn text(&mut self, key: &'static CStr, text: &'a CStr) {
        self.add(key, UTF8, text.as_ptr().cast(), text.count_bytes());
    }
    /// With a number.
    pub(crate) fn number(&mut self, key: &'static CStr, number: &'a u64) {
        self.add(key, UNSIGNED, (&raw const *number).cast(), size_of::<u64>());
    }
    /// With a number that has a sign.
    pub(crate) fn integer(&mut self, key: &'static CStr, number: &'a i32) {
        self.add(key, INTEGER, (&raw const *number).cast(), size_of::<i32>());
    }
    /// With room for a pointer to words.
    pub(crate) fn text_place(&mut self, key: &'static CStr, text: &'a mut *const c_char) {
        self.add(key, UTF8_PTR, (&raw mut *text).cast(), 0);
    }
    /// With room for a size.
    pub(crate) fn room(&mut self, key: &'static CStr, number: &'a mut usize) {
        self.add(key, UNSIGNED, (&raw mut *number).cast(), size_of::<usize>());
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut Param {
        self.0.as_mut_ptr()
    }
}

/// Those that are to be answered.
///
/// # Safety
/// As [`each`], and nothing else accesses them for as long as `'a`.
pub(crate) unsafe fn each_mut<'a>(mut params: *mut Param) -> impl Iterator<Item = &'a mut Param> {
    core::iter::from_fn(move || {
        // SAFETY: null, or not past the end.
        let param = unsafe { params.as_mut() }?;
        if param.key.is_null() {
            return None;
        }
        // SAFETY: this was not the last one.
        params = unsafe { params.add(1) };
        Some(param)
    })
}

/// So many of something; none where there is no pointer.
///
/// # Safety
/// `pointer` is null, or has so many, which are not changed as long as `'a`.
pub(crate) unsafe fn view<'a, T>(pointer: *const T, len: usize) -> &'a [T] {
    if pointer.is_null() {
        return &[];
    }
    // SAFETY: as the caller says.
    unsafe { slice::from_raw_parts(pointer, len) }
}
