//! The environment that hides processor features from a library.
use super::Unavailable;
pub(super) fn libcrypto(_v: &str, _f: &[&'static str]) -> Result<(String, String), Unavailable> {
    Err(Unavailable("cannot be masked".into()))
}
