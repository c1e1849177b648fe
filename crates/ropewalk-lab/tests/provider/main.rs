//! `ropewalk provider`, and unmodified programs that use the installed provider: Debian's `openssl` and others.

#[path = "../common/mod.rs"]
mod common;

mod configurations;
mod installed;
mod loader;
mod reasons;
mod running;
mod services;
mod status;
