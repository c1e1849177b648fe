//! The library's names as C strings, which end with a zero: made at compile time, without allocation.

use std::ffi::{CStr, c_char};

use ropewalk::{PRIMITIVES, cpu};

/// Names, concatenated, each followed by a zero.
pub(crate) struct Names {
    names: &'static [&'static str],
    text: &'static [u8],
}

impl Names {
    /// All of them.
    pub(crate) fn all(&self) -> &'static [&'static str] {
        self.names
    }

    /// The name at that index, or NULL.
    pub(crate) fn at(&self, index: usize) -> *const c_char {
        if index >= self.names.len() {
            return std::ptr::null();
        }
        let from = self.names[..index].iter().map(|name| name.len() + 1).sum();
        CStr::from_bytes_until_nul(&self.text[from..]).map_or(std::ptr::null(), CStr::as_ptr)
    }

    /// The equal name, or NULL.
    pub(crate) fn same(&self, name: &str) -> *const c_char {
        let index = self.names.iter().position(|known| *known == name);
        self.at(index.unwrap_or(usize::MAX))
    }
}

/// Makes `Names` of a constant list.
macro_rules! names {
    ($names:expr) => {{
        const NAMES: &[&str] = &$names;
        const TEXT: [u8; $crate::names::len(NAMES)] = $crate::names::joined(NAMES);
        $crate::names::Names::new(NAMES, &TEXT)
    }};
}
pub(crate) use names;

impl Names {
    pub(crate) const fn new(names: &'static [&'static str], text: &'static [u8]) -> Self {
        Self { names, text }
    }
}

pub(crate) const FEATURES: Names = names!({
    let mut names = [""; cpu::FEATURES.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = cpu::FEATURES[i].name;
        i += 1;
    }
    names
});

pub(crate) const PRIMITIVE_NAMES: Names = names!({
    let mut names = [""; PRIMITIVES.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = PRIMITIVES[i].name;
        i += 1;
    }
    names
});

pub(crate) const BACKENDS: Names = names!({
    let mut names = [""; backends()];
    let (mut primitive, mut next) = (0, 0);
    while primitive < PRIMITIVES.len() {
        let backends = PRIMITIVES[primitive].backends;
        let mut i = 0;
        while i < backends.len() {
            names[next] = backends[i].name;
            (i, next) = (i + 1, next + 1);
        }
        primitive += 1;
    }
    names
});

/// Backends of all primitives.
const fn backends() -> usize {
    let (mut count, mut i) = (0, 0);
    while i < PRIMITIVES.len() {
        count += PRIMITIVES[i].backends.len();
        i += 1;
    }
    count
}

pub(crate) const fn len(names: &[&str]) -> usize {
    let (mut len, mut i) = (0, 0);
    while i < names.len() {
        len += names[i].len() + 1;
        i += 1;
    }
    len
}

pub(crate) const fn joined<const LEN: usize>(names: &[&str]) -> [u8; LEN] {
    let mut text = [0; LEN];
    let (mut at, mut i) = (0, 0);
    while i < names.len() {
        let name = names[i].as_bytes();
        let mut j = 0;
        while j < name.len() {
            text[at + j] = name[j];
            j += 1;
        }
        (at, i) = (at + name.len() + 1, i + 1);
    }
    text
}
