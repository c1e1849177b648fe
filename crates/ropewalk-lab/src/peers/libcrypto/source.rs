//! What algorithms are taken from: the library as it chooses itself, a provider of it, or an engine.

use std::ffi::{CStr, CString, c_char};

use libloading::os::unix::Library;

use super::{
    api::{ENGINE, OSSL_PROVIDER},
    engine, errors, provider,
};
use crate::peers::Unavailable;

/// What may be asked for by name, as words before the name.
pub(super) const KINDS: &[&str] = &[PROVIDER, ENGINE_WORD];

const PROVIDER: &str = "provider";
const ENGINE_WORD: &str = "engine";

/// A library, and what of it serves. It lives until the process ends.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) library: &'static Library,
    by: By,
}

#[derive(Clone, Copy)]
enum By {
    /// What the library chooses.
    Choice,
    /// A provider alone.
    Provider { provider: *mut OSSL_PROVIDER, name: &'static str, query: &'static CStr },
    /// An engine alone.
    Engine { engine: *mut ENGINE, name: &'static str },
}

impl Source {
    /// The library as it is.
    pub(super) fn of(library: &'static Library) -> Self {
        Self { library, by: By::Choice }
    }

    /// What is asked for: `provider=NAME` or `engine=NAME`, where a name may be a path.
    ///
    /// # Errors
    /// Where it cannot be loaded.
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

    /// Whether the library chooses itself.
    pub(super) fn is_choice(self) -> bool {
        matches!(self.by, By::Choice)
    }

    /// Whether algorithms are fetched, where the library can: an engine has others.
    pub(super) fn fetches(self) -> bool {
        !matches!(self.by, By::Engine { .. })
    }

    /// Whether a provider serves alone.
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

    /// What must be true of an algorithm that is fetched, unless it is whatever the library chooses.
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

    /// Fetches an algorithm. Fails where there is none, or where it comes from another provider. `from` gives
    /// its provider.
    ///
    /// # Errors
    /// Where what serves has none.
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

    /// That what serves has no such algorithm, and what the library says of it.
    pub(super) fn lacks(self, algorithm: &str) -> Unavailable {
        let what = match self.by {
            By::Choice => format!("has no {algorithm}"),
            By::Provider { name, .. } => format!("its provider {name} has no {algorithm}"),
            By::Engine { name, .. } => format!("its engine {name} has no {algorithm}"),
        };
        errors::with(self.library, &what)
    }
}

/// A name as C has it.
pub(super) fn c_string(name: &str) -> Result<CString, Unavailable> {
    CString::new(name).map_err(|error| Unavailable(error.to_string()))
}
