//! MACs and key derivations of other providers, for underlying algorithms that this provider lacks: a program
//! fetches HMAC before it selects the hash function. Nothing here is linked to libcrypto; the libcrypto that
//! has loaded this module is found by the address of a function that it passed.

use core::{
    ffi::{CStr, c_char, c_int, c_void},
    mem, ptr,
};

use crate::{
    abi::{LibContext, Success},
    error::Reason,
    params::{List, Param, Params},
};

/// The property query for all providers but this one.
const OTHERS: &CStr = c"provider!=ropewalk";

enum EvpMac {}
enum EvpMacContext {}
enum EvpKdf {}
enum EvpKdfContext {}

/// `Dl_info`.
#[repr(C)]
struct Place {
    path: *const c_char,
    base: *mut c_void,
    symbol: *const c_char,
    address: *mut c_void,
}

unsafe extern "C" {
    fn dladdr(address: *const c_void, place: *mut Place) -> c_int;
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlclose(library: *mut c_void) -> c_int;
}

const RTLD_LAZY: c_int = 1;
/// Loads nothing, but finds libraries that are loaded.
const RTLD_NOLOAD: c_int = if cfg!(target_os = "linux") {
    4
} else if cfg!(target_vendor = "apple") {
    0x10
} else {
    0x2000
};

macro_rules! functions {
    ($( $name:ident = $symbol:literal: ($($arg:ty),* $(,)?) $(-> $out:ty)?; )+) => {
        /// Functions of the libcrypto that has loaded this module.
        pub(crate) struct Theirs {
            context: *mut LibContext,
            $( $name: unsafe extern "C" fn($($arg),*) $(-> $out)?, )+
        }

        impl Theirs {
            /// The functions that `symbol` finds.
            fn of(context: *mut LibContext, symbol: impl Fn(&CStr) -> Option<*mut c_void>) -> Option<Self> {
                Some(Self {
                    context,
                    $(
                        // SAFETY: the function of that name has this type.
                        $name: unsafe {
                            mem::transmute::<*mut c_void, unsafe extern "C" fn($($arg),*) $(-> $out)?>(symbol($symbol)?)
                        },
                    )+
                })
            }
        }
    };
}

functions! {
    mac_fetch = c"EVP_MAC_fetch": (*mut LibContext, *const c_char, *const c_char) -> *mut EvpMac;
    mac_free = c"EVP_MAC_free": (*mut EvpMac);
    mac_context = c"EVP_MAC_CTX_new": (*mut EvpMac) -> *mut EvpMacContext;
    mac_context_free = c"EVP_MAC_CTX_free": (*mut EvpMacContext);
    mac_context_dup = c"EVP_MAC_CTX_dup": (*const EvpMacContext) -> *mut EvpMacContext;
    mac_set = c"EVP_MAC_CTX_set_params": (*mut EvpMacContext, *const Param) -> Success;
    mac_get = c"EVP_MAC_CTX_get_params": (*mut EvpMacContext, *mut Param) -> Success;
    mac_init = c"EVP_MAC_init": (*mut EvpMacContext, *const u8, usize, *const Param) -> Success;
    mac_update = c"EVP_MAC_update": (*mut EvpMacContext, *const u8, usize) -> Success;
    mac_final = c"EVP_MAC_final": (*mut EvpMacContext, *mut u8, *mut usize, usize) -> Success;
    kdf_fetch = c"EVP_KDF_fetch": (*mut LibContext, *const c_char, *const c_char) -> *mut EvpKdf;
    kdf_free = c"EVP_KDF_free": (*mut EvpKdf);
    kdf_context = c"EVP_KDF_CTX_new": (*mut EvpKdf) -> *mut EvpKdfContext;
    kdf_context_free = c"EVP_KDF_CTX_free": (*mut EvpKdfContext);
    kdf_set = c"EVP_KDF_CTX_set_params": (*mut EvpKdfContext, *const Param) -> Success;
    kdf_get = c"EVP_KDF_CTX_get_params": (*mut EvpKdfContext, *mut Param) -> Success;
    kdf_derive = c"EVP_KDF_derive": (*mut EvpKdfContext, *mut u8, usize, *const Param) -> Success;
}

impl Theirs {
    /// The functions of the library that contains the function `own`. None if that is a program without
    /// exported symbols.
    pub(crate) fn find(own: *const c_void, context: *mut LibContext) -> Option<Self> {
        let place = place_of(own)?;
        // SAFETY: `dladdr` returned the path, a string.
        let library = unsafe { dlopen(place.path, RTLD_LAZY | RTLD_NOLOAD) };
        let library = if library.is_null() {
            // A program is not a library, and has no path.
            // SAFETY: a null path opens the program itself.
            unsafe { dlopen(ptr::null(), RTLD_LAZY) }
        } else {
            library
        };
        if library.is_null() {
            return None;
        }
        let theirs = Self::of(context, |name| {
            // SAFETY: `dlopen` returned it.
            let symbol = unsafe { dlsym(library, name.as_ptr()) };
            // Another libcrypto may be loaded too.
            let found = place_of(symbol).filter(|found| found.base == place.base);
            found.map(|_| symbol)
        });
        // The library that has loaded this module stays loaded.
        // SAFETY: likewise.
        unsafe { dlclose(library) };
        theirs
    }

    /// Fetches a MAC.
    pub(crate) fn mac(&self, name: &CStr) -> Result<Mac, Reason> {
        // SAFETY: the context is OpenSSL's, and both are strings.
        let mac = unsafe { (self.mac_fetch)(self.context, name.as_ptr(), OTHERS.as_ptr()) };
        if mac.is_null() {
            return Err(Reason::Said);
        }
        // SAFETY: it is not null.
        let context = unsafe { (self.mac_context)(mac) };
        // SAFETY: likewise; a context holds its own reference.
        unsafe { (self.mac_free)(mac) };
        if context.is_null() { Err(Reason::Said) } else { Ok(Mac { theirs: self, context }) }
    }

    /// Fetches a key derivation, and sets the parameters of the list.
    pub(crate) fn kdf(&self, name: &CStr, list: &mut List<'_>) -> Result<Kdf<'_>, Reason> {
        // SAFETY: the context is OpenSSL's, and both are strings.
        let kdf = unsafe { (self.kdf_fetch)(self.context, name.as_ptr(), OTHERS.as_ptr()) };
        if kdf.is_null() {
            return Err(Reason::Said);
        }
        // SAFETY: it is not null.
        let context = unsafe { (self.kdf_context)(kdf) };
        // SAFETY: likewise; a context holds its own reference.
        unsafe { (self.kdf_free)(kdf) };
        if context.is_null() {
            return Err(Reason::Said);
        }
        let kdf = Kdf { theirs: self, context };
        // SAFETY: both are valid: the context is not null, and the list has an end.
        said(unsafe { (self.kdf_set)(context, list.as_mut_ptr()) })?;
        Ok(kdf)
    }
}

/// The library that contains an address.
fn place_of(address: *const c_void) -> Option<Place> {
    let none = ptr::null_mut();
    let mut place = Place { path: ptr::null(), base: none, symbol: ptr::null(), address: none };
    // SAFETY: `place` has space for the result.
    let found = unsafe { dladdr(address, &raw mut place) };
    (found != 0 && !place.path.is_null()).then_some(place)
}

fn said(success: Success) -> Result<(), Reason> {
    if success == 1 { Ok(()) } else { Err(Reason::Said) }
}

/// A MAC of another provider.
pub(crate) struct Mac {
    /// It belongs to the provider of this module, which outlives its contexts.
    theirs: *const Theirs,
    /// Null if there was no memory for a duplicate.
    context: *mut EvpMacContext,
}

impl Mac {
    fn parts(&self) -> Result<(&Theirs, *mut EvpMacContext), Reason> {
        // SAFETY: the provider outlives its contexts.
        let theirs = unsafe { self.theirs.as_ref() }.ok_or(Reason::Internal)?;
        if self.context.is_null() { Err(Reason::Internal) } else { Ok((theirs, self.context)) }
    }

    pub(crate) fn set(&mut self, params: Params<'_>) -> Result<(), Reason> {
        let (theirs, context) = self.parts()?;
        // SAFETY: the context is not null, and the list has an end.
        said(unsafe { (theirs.mac_set)(context, params.as_ptr()) })
    }

    /// # Safety
    /// `params` is a list of parameters to write.
    pub(crate) unsafe fn get(&mut self, params: *mut Param) -> Result<(), Reason> {
        let (theirs, context) = self.parts()?;
        // SAFETY: as the caller says.
        said(unsafe { (theirs.mac_get)(context, params) })
    }

    pub(crate) fn begin(&mut self, key: Option<&[u8]>) -> Result<(), Reason> {
        let (theirs, context) = self.parts()?;
        let (key, len) = key.map_or((ptr::null(), 0), |key| (key.as_ptr(), key.len()));
        // SAFETY: the context is not null; the key has `len` bytes, or is null.
        said(unsafe { (theirs.mac_init)(context, key, len, ptr::null()) })
    }

    /// # Safety
    /// `text` has as many bytes as that MAC reads.
    pub(crate) unsafe fn update(&mut self, text: *const u8, len: usize) -> Result<(), Reason> {
        let (theirs, context) = self.parts()?;
        // SAFETY: as the caller says.
        said(unsafe { (theirs.mac_update)(context, text, len) })
    }

    /// # Safety
    /// `out` has `room` bytes, and `written` has space for a number.
    pub(crate) unsafe fn finish(
        &mut self,
        out: *mut u8,
        written: *mut usize,
        room: usize,
    ) -> Result<(), Reason> {
        let (theirs, context) = self.parts()?;
        // SAFETY: as the caller says.
        said(unsafe { (theirs.mac_final)(context, out, written, room) })
    }
}

impl Clone for Mac {
    fn clone(&self) -> Self {
        let duplicate = self.parts().map(|(theirs, context)| {
            // SAFETY: the context is not null.
            unsafe { (theirs.mac_context_dup)(context) }
        });
        Self { theirs: self.theirs, context: duplicate.unwrap_or(ptr::null_mut()) }
    }
}

impl Drop for Mac {
    fn drop(&mut self) {
        if let Ok((theirs, context)) = self.parts() {
            // SAFETY: it is not used again.
            unsafe { (theirs.mac_context_free)(context) };
        }
    }
}

/// A key derivation of another provider.
pub(crate) struct Kdf<'a> {
    theirs: &'a Theirs,
    context: *mut EvpKdfContext,
}

impl Kdf<'_> {
    pub(crate) fn derive(&self, out: &mut [u8]) -> Result<(), Reason> {
        let (pointer, len) = (out.as_mut_ptr(), out.len());
        // SAFETY: the context is not null, and the output has `len` bytes.
        said(unsafe { (self.theirs.kdf_derive)(self.context, pointer, len, ptr::null()) })
    }

    /// The length of its output.
    pub(crate) fn size(&self) -> Result<usize, Reason> {
        let mut size = 0;
        let mut list = List::new();
        list.room(c"size", &mut size);
        // SAFETY: the context is not null, and the list has space for a number.
        said(unsafe { (self.theirs.kdf_get)(self.context, list.as_mut_ptr()) })?;
        Ok(size)
    }
}

impl Drop for Kdf<'_> {
    fn drop(&mut self) {
        // SAFETY: it is not used again.
        unsafe { (self.theirs.kdf_context_free)(self.context) };
    }
}
