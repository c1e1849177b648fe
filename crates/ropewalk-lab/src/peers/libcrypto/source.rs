//! The source of algorithms: the library's own choice, one of its providers, or an engine.

use std::ffi::{CStr, CString, c_char};

use libloading::os::unix::Library;

use super::{
    api::{ENGINE, OSSL_PROVIDER},
    engine, errors, provider,
};
use crate::peers::Unavailable;

/// The kinds of parts that can be selected by name.
pub(super) const KINDS: &[&str] = &[PROVIDER, ENGINE_WORD];

const PROVIDER: &str = "provider";
const ENGINE_WORD: &str = "engine";

/// A library, and its selected part. It lives until the process ends.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) library: &'static Library,
    by: By,
}

#[derive(Clone, Copy)]
enum By {
    /// The library's own choice.
    Choice,
    /// Only a provider.
    Provider { provider: *mut OSSL_PROVIDER, name: &'static str, query: &'static CStr },
    /// Only an engine.
    Engine { engine: *mut ENGINE, name: &'static str },
}

impl Source {
    /// The library without a selection.
    pub(super) fn of(library: &'static Library) -> Self {
        Self { library, by: By::Choice }
    }

    /// Parses `provider=NAME` or `engine=NAME`, where a name may be a path.
    ///
    /// # Errors
    /// If it cannot be loaded.
    pub(super) fn by(library: &'static Library, words: &str) -> Result<Self, Unavailable> {
        let unknown = || Unavailable(format!("nothing of it is called `{words}`"));
        let (kind, name) = words.split_once('=').ok_or_else(unknown)?;
        let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
        let by = match kind {
            PROVIDER => {
                let provider = provider::load(library, name)?;
                let query = provider::query(library, provider, name)?;
                let query: &'static CStr = Box::leak(query.into_boxed_c_str());
                By::Provider { provider, name: kept, query }
            }
            ENGINE_WORD => By::Engine { engine: engine::load(library, name)?, name: kept },
            _ => return Err(unknown()),
        };
        Ok(Self { library, by })
    }

    /// Whether it is the library's own choice.
    pub(super) fn is_choice(self) -> bool {
        matches!(self.by, By::Choice)
    }

    /// Whether algorithms are fetched, if the library supports it: an engine has others.
    pub(super) fn fetches(self) -> bool {
        !matches!(self.by, By::Engine { .. })
    }

    /// Whether only a provider serves.
    pub(super) fn is_provider(self) -> bool {
        matches!(self.by, By::Provider { .. })
    }

    /// The engine, or null.
    pub(super) fn engine(self) -> *mut ENGINE {
        match self.by {
            By::Engine { engine, .. } => engine,
            _ => std::ptr::null_mut(),
        }
    }

    /// The property query for fetched algorithms, unless it is the library's own choice.
    pub(super) fn properties(self) -> Option<&'static CStr> {
        match self.by {
            By::Provider { query, .. } => Some(query),
            _ => None,
        }
    }

    /// The same; null for the default.
    pub(super) fn query(self) -> *const c_char {
        self.properties().map_or(std::ptr::null(), CStr::as_ptr)
    }

    /// Fetches an algorithm. Fails if there is none, or if it is from another provider. `from` returns its
    /// provider.
    ///
    /// # Errors
    /// If the selected part has none.
    pub(super) fn fetch<T>(
        self,
        name: &CStr,
        fetch: impl FnOnce(*const c_char, *const c_char) -> *mut T,
        from: &str,
    ) -> Result<*mut T, Unavailable> {
        errors::clear(self.library);
        let found = fetch(name.as_ptr(), self.query());
        let By::Provider { provider, .. } = self.by else {
            return super::made(found, &from.replace("get0_provider", "fetch"));
        };
        let is_its_own = !found.is_null()
            // SAFETY: what was fetched is alive.
            && unsafe { provider::of(self.library, from, found.cast()) }? == provider;
        if is_its_own { Ok(found) } else { Err(self.lacks(&name.to_string_lossy())) }
    }

    /// The error that the selected part has no such algorithm, with the library's message.
    pub(super) fn lacks(self, algorithm: &str) -> Unavailable {
        let what = match self.by {
            By::Choice => format!("has no {algorithm}"),
            By::Provider { name, .. } => format!("its provider {name} has no {algorithm}"),
            By::Engine { name, .. } => format!("its engine {name} has no {algorithm}"),
        };
        errors::with(self.library, &what)
    }
}

/// A name as a C string.
pub(super) fn c_string(name: &str) -> Result<CString, Unavailable> {
    CString::new(name).map_err(|error| Unavailable(error.to_string()))
}
