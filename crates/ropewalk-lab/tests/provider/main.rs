//! `ropewalk provider`, and what programs do with what it has installed: Debian's `openssl` and others, unchanged.

#[path = "../common/mod.rs"]
mod common;

mod configurations;
mod installed;
mod loader;
mod reasons;
mod running;
mod services;
mod status;
