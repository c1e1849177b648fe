//! `OSSL_PARAM`: named values, to be read or to be written.

use core::{
    ffi::{CStr, c_char, c_uint, c_void},
    marker::PhantomData,
    ptr, slice,
};

use crate::{error::Reason, version::Version};

/// An entry of a list, which ends with a null name.
#[repr(C)]
pub(crate) struct Param {
    key: *const c_char,
    kind: c_uint,
    data: *mut c_void,
    size: usize,
    return_size: usize,
}

// SAFETY: the parameters of this provider are constants; those of OpenSSL do not outlive their call.
unsafe impl Sync for Param {}

const INTEGER: c_uint = 1;
const UNSIGNED: c_uint = 2;
const UTF8: c_uint = 4;
const OCTETS: c_uint = 5;
const UTF8_PTR: c_uint = 6;
const OCTETS_PTR: c_uint = 7;

/// OpenSSL's value for an unknown size, or for a value that was not written.
const UNMODIFIED: usize = usize::MAX;

impl Param {
    /// Ends a list.
    pub(crate) const END: Self = Self::described(ptr::null(), 0);

    const fn described(key: *const c_char, kind: c_uint) -> Self {
        Self { key, kind, data: ptr::null_mut(), size: 0, return_size: UNMODIFIED }
    }

    /// Describes an unsigned number of that name.
    pub(crate) const fn number(key: &'static CStr) -> Self {
        Self { size: size_of::<u64>(), ..Self::described(key.as_ptr(), UNSIGNED) }
    }
    /// Describes a signed number of that name.
    pub(crate) const fn integer(key: &'static CStr) -> Self {
        Self { size: size_of::<i32>(), ..Self::described(key.as_ptr(), INTEGER) }
    }
    /// Describes a byte string of that name.
    pub(crate) const fn octets(key: &'static CStr) -> Self {
        Self::described(key.as_ptr(), OCTETS)
    }
    /// Describes a text of that name.
    pub(crate) const fn text(key: &'static CStr) -> Self {
        Self::described(key.as_ptr(), UTF8)
    }
    /// Describes a pointer to a text of that name.
    pub(crate) const fn text_pointer(key: &'static CStr) -> Self {
        Self::described(key.as_ptr(), UTF8_PTR)
    }
    /// Describes a pointer to a byte string of that name.
    pub(crate) const fn octets_pointer(key: &'static CStr) -> Self {
        Self::described(key.as_ptr(), OCTETS_PTR)
    }

    /// Its name. Names are short: a call of `strlen` would take longer than this loop.
    #[inline]
    pub(crate) fn name(&self) -> &[u8] {
        const SHORT: usize = 24;
        for len in 0..SHORT {
            let letter = self.key.wrapping_add(len);
            // SAFETY: the name of a parameter is a string that outlives it, and its end has not been reached.
            if unsafe { *letter } == 0 {
                // SAFETY: likewise.
                return unsafe { slice::from_raw_parts(self.key.cast(), len) };
            }
        }
        // SAFETY: likewise.
        unsafe { CStr::from_ptr(self.key) }.to_bytes()
    }

    /// The bytes of a number or a text, if there are any.
    fn bytes(&self) -> &[u8] {
        if self.data.is_null() || self.size > isize::MAX as usize {
            return &[];
        }
        // SAFETY: `data` has `size` bytes.
        unsafe { slice::from_raw_parts(self.data.cast(), self.size) }
    }

    /// The number. A negative one is an error.
    pub(crate) fn as_number(&self) -> Result<u64, Reason> {
        u64::try_from(self.as_integer()?).map_err(|_| Reason::FailedToGetParameter)
    }

    /// The number, of up to 15 bytes: no parameter that is made from a text has more.
    pub(crate) fn as_integer(&self) -> Result<i128, Reason> {
        let given = self.bytes();
        let len = given.len();
        let mut bytes = [0; 16];
        if !matches!(self.kind, INTEGER | UNSIGNED) || len == 0 || len >= bytes.len() {
            return Err(Reason::FailedToGetParameter);
        }
        let unused = 8 * (bytes.len() - len) as u32;
        // The number is placed in the highest bytes, and shifted down with its sign.
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

    /// The number, if it is a size.
    #[inline]
    pub(crate) fn as_size(&self) -> Result<usize, Reason> {
        // The most common type.
        if let (UNSIGNED, Ok(bytes)) = (self.kind, self.bytes().try_into()) {
            return Ok(usize::from_ne_bytes(bytes));
        }
        usize::try_from(self.as_number()?).map_err(|_| Reason::FailedToGetParameter)
    }

    /// The byte string.
    pub(crate) fn as_octets(&self) -> Result<&[u8], Reason> {
        if self.kind == OCTETS { Ok(self.bytes()) } else { Err(Reason::FailedToGetParameter) }
    }

    /// The length of the byte string, even if there is no pointer.
    pub(crate) fn octets_len(&self) -> Result<usize, Reason> {
        if self.kind == OCTETS { Ok(self.size) } else { Err(Reason::FailedToGetParameter) }
    }

    /// Whether there is a size but no pointer.
    pub(crate) fn is_empty(&self) -> bool {
        self.data.is_null()
    }

    /// Whether the size is -1: some callers leave the length to the reader.
    pub(crate) fn is_endless(&self) -> bool {
        self.size == usize::MAX
    }

    /// The first `len` bytes of a byte string, whose size may be -1.
    pub(crate) fn as_octets_of(&self, len: usize) -> Result<&[u8], Reason> {
        if self.kind != OCTETS || self.data.is_null() || self.size < len {
            return Err(Reason::FailedToGetParameter);
        }
        // SAFETY: the caller that passes -1 knows how many bytes are read.
        Ok(unsafe { slice::from_raw_parts(self.data.cast(), len) })
    }

    /// The address to write bytes to, if the size does not state how much space there is.
    pub(crate) fn as_place(&self) -> Result<ptr::NonNull<u8>, Reason> {
        if self.kind != OCTETS {
            return Err(Reason::FailedToGetParameter);
        }
        ptr::NonNull::new(self.data.cast()).ok_or(Reason::FailedToGetParameter)
    }

    /// Byte string `i` of an array of pointers.
    ///
    /// # Safety
    /// The array has more than `i` pointers, each to as many bytes as the size states.
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

    /// Writes byte strings, of at most `longest` bytes each, to the targets of an array of pointers.
    ///
    /// # Safety
    /// The array has as many pointers, each to space for as many bytes as the size states.
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

    /// The space for an output, if there is a pointer.
    pub(crate) fn room(&self) -> Option<usize> {
        (!self.data.is_null()).then_some(self.size)
    }

    /// The output buffer.
    pub(crate) fn as_room(&mut self) -> Result<&mut [u8], Reason> {
        if self.kind != OCTETS || self.data.is_null() || self.size > isize::MAX as usize {
            return Err(Reason::FailedToGetParameter);
        }
        // SAFETY: `data` has `size` bytes for output.
        Ok(unsafe { slice::from_raw_parts_mut(self.data.cast(), self.size) })
    }

    /// The text.
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

    /// Writes a number.
    #[inline]
    pub(crate) fn set_number(&mut self, number: u64) -> Result<(), Reason> {
        // The most common type.
        if self.kind == UNSIGNED && self.size == size_of::<u64>() && !self.data.is_null() {
            // SAFETY: `data` has `size` bytes for output.
            unsafe { self.data.cast::<u64>().write_unaligned(number) };
            self.return_size = size_of::<u64>();
            return Ok(());
        }
        self.set_odd_number(number)
    }

    #[inline(never)]
    fn set_odd_number(&mut self, number: u64) -> Result<(), Reason> {
        // The sign takes a bit.
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
        // SAFETY: `data` has `size` bytes for output.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.data.cast(), self.size) };
        self.return_size = self.size;
        Ok(())
    }

    /// Writes a byte string, or a pointer to it. The bytes must stay valid for as long as the caller may read
    /// them.
    pub(crate) fn set_octets(&mut self, octets: &[u8]) -> Result<(), Reason> {
        self.return_size = octets.len();
        match self.kind {
            _ if self.data.is_null() => Ok(()),
            OCTETS if self.size >= octets.len() => {
                // SAFETY: there is space for the bytes.
                unsafe {
                    ptr::copy_nonoverlapping(octets.as_ptr(), self.data.cast(), octets.len())
                };
                Ok(())
            }
            OCTETS_PTR => {
                // SAFETY: `data` has space for a pointer.
                unsafe { self.data.cast::<*const u8>().write(octets.as_ptr()) };
                Ok(())
            }
            _ => Err(Reason::FailedToSetParameter),
        }
    }

    /// Writes a text that does not stay valid.
    pub(crate) fn set_words(&mut self, text: &str) -> Result<(), Reason> {
        self.return_size = text.len();
        if self.data.is_null() {
            return Ok(());
        }
        if self.kind != UTF8 || self.size <= text.len() {
            return Err(Reason::FailedToSetParameter);
        }
        // SAFETY: there is space for the text and a zero.
        let room = unsafe { slice::from_raw_parts_mut(self.data.cast::<u8>(), text.len() + 1) };
        room[..text.len()].copy_from_slice(text.as_bytes());
        room[text.len()] = 0;
        Ok(())
    }

    /// Whether it is a text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.kind, UTF8 | UTF8_PTR)
    }

    /// Writes a text, or a pointer to it.
    pub(crate) fn set_text(&mut self, text: &'static CStr) -> Result<(), Reason> {
        self.return_size = text.count_bytes();
        match self.kind {
            _ if self.data.is_null() => Ok(()),
            UTF8_PTR => {
                // SAFETY: `data` has space for a pointer.
                unsafe { self.data.cast::<*const c_char>().write(text.as_ptr()) };
                Ok(())
            }
            UTF8 if self.size > text.count_bytes() => {
                let bytes = text.to_bytes_with_nul();
                // SAFETY: there is space for the bytes.
                unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.data.cast(), bytes.len()) };
                Ok(())
            }
            _ => Err(Reason::FailedToSetParameter),
        }
    }
}

/// A list of parameters to read.
#[derive(Clone, Copy)]
pub(crate) struct Params<'a> {
    next: *const Param,
    life: PhantomData<&'a Param>,
}

impl<'a> Params<'a> {
    /// All parameters of that name, in order.
    pub(crate) fn all(self, name: &'static [u8]) -> impl Iterator<Item = &'a Param> {
        self.filter(move |param| param.name() == name)
    }

    /// The first of that name.
    pub(crate) fn named(self, name: &'static [u8]) -> Option<&'a Param> {
        self.all(name).next()
    }

    /// Since 3.6 OpenSSL's own provider refuses known parameters that occur twice, except those whose values
    /// are concatenated.
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

    /// Whether the pointer to the list is null.
    pub(crate) fn is_null(self) -> bool {
        self.next.is_null()
    }

    /// The pointer to the list.
    pub(crate) fn as_ptr(self) -> *const Param {
        self.next
    }

    /// Whether the properties require the underlying algorithm from another provider.
    pub(crate) fn go_elsewhere(self) -> Result<bool, Reason> {
        let Some(properties) = self.named(b"properties") else { return Ok(false) };
        let properties = properties.as_text()?;
        Ok(!properties.is_empty() && !properties.contains("ropewalk"))
    }
}

impl<'a> Iterator for Params<'a> {
    type Item = &'a Param;

    fn next(&mut self) -> Option<&'a Param> {
        // SAFETY: null, or not past the end, as [`each`] requires.
        let param = unsafe { self.next.as_ref() }?;
        if param.key.is_null() {
            return None;
        }
        // SAFETY: this was not the last one.
        self.next = unsafe { self.next.add(1) };
        Some(param)
    }
}

/// Iterates over parameters to read.
///
/// # Safety
/// `params` is null, or a list that ends with a null name and is not changed during `'a`.
pub(crate) unsafe fn each<'a>(params: *const Param) -> Params<'a> {
    Params { next: params, life: PhantomData }
}

/// A list of parameters for OpenSSL.
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
    /// Adds a byte string.
    pub(crate) fn octets(&mut self, key: &'static CStr, octets: &'a [u8]) {
        self.add(key, OCTETS, octets.as_ptr(), octets.len());
    }
    /// Adds a byte string, if there is one.
    pub(crate) fn some_octets(&mut self, key: &'static CStr, octets: Option<&'a [u8]>) {
        if let Some(octets) = octets {
            self.octets(key, octets);
        }
    }
    /// Adds a text.
    pub(crate) fn text(&mut self, key: &'static CStr, text: &'a CStr) {
        self.add(key, UTF8, text.as_ptr().cast(), text.count_bytes());
    }
    /// Adds a number.
    pub(crate) fn number(&mut self, key: &'static CStr, number: &'a u64) {
        self.add(key, UNSIGNED, (&raw const *number).cast(), size_of::<u64>());
    }
    /// Adds a signed number.
    pub(crate) fn integer(&mut self, key: &'static CStr, number: &'a i32) {
        self.add(key, INTEGER, (&raw const *number).cast(), size_of::<i32>());
    }
    /// Adds space for a pointer to a text.
    pub(crate) fn text_place(&mut self, key: &'static CStr, text: &'a mut *const c_char) {
        self.add(key, UTF8_PTR, (&raw mut *text).cast(), 0);
    }
    /// Adds space for a size.
    pub(crate) fn room(&mut self, key: &'static CStr, number: &'a mut usize) {
        self.add(key, UNSIGNED, (&raw mut *number).cast(), size_of::<usize>());
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut Param {
        self.0.as_mut_ptr()
    }
}

/// Iterates over parameters to write.
///
/// # Safety
/// As [`each`], and nothing else accesses them during `'a`.
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

/// `len` values; none if the pointer is null.
///
/// # Safety
/// `pointer` is null, or has `len` values, which are not changed during `'a`.
pub(crate) unsafe fn view<'a, T>(pointer: *const T, len: usize) -> &'a [T] {
    if pointer.is_null() {
        return &[];
    }
    // SAFETY: as the caller says.
    unsafe { slice::from_raw_parts(pointer, len) }
}
