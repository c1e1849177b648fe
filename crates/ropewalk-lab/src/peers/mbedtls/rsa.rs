//! RSA, with keys of the module `pk`, whose padding is PKCS #1 v1.5 by default.

use libloading::os::unix::Library;

use super::nist::{Signing, Verifying};
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::{Cell, SignatureOp},
};

/// A job of signatures.
pub(super) fn job(
    cell: &Cell,
    library: &'static Library,
    major: u8,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        SignatureOp::Sign => {
            jobs::rsa::signing(cell, move |key| Signing::new(library, major, &key.pkcs1))
        }
        SignatureOp::Verify => {
            jobs::rsa::verifying(cell, move |key| Verifying::new(library, major, &key.spki))
        }
    }
}
