//! Queries OpenSSL with the configuration that this process was started with, in the separate process of
//! `provider`.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_long, c_ulong, c_void},
    fs, io,
    path::{Path, PathBuf},
    ptr::{null, null_mut},
};

use anyhow::{Context as _, bail};
use libloading::os::unix::Library;
use nix::unistd::{User, initgroups, setgid, setuid};

use super::{
    configuration,
    files::barred,
    view::{Algorithm, Options, Section, View, path},
};
use crate::{
    filename::shown,
    peers::{Unavailable, dl},
};

mod algorithms;
mod answers;
mod api;
mod tls;

/// Queries the OpenSSL that programs find, or the given one.
pub(super) fn prove(options: &Options) -> anyhow::Result<View> {
    let more: Vec<Algorithm> = serde_json::from_reader(io::stdin().lock()).unwrap_or_default();
    if let Some(name) = &options.user {
        become_user(name)?;
    }
    let (name, library) = libcrypto(options.libcrypto.as_deref())?;
    let openssl = api::Library::load(library).map_err(too_old)?;
    const NO_LOAD_CONFIG: u64 = 0x80;
    // SAFETY: null means no settings. The configuration is applied below, so that errors are reported.
    unsafe { (openssl.OPENSSL_init_crypto)(NO_LOAD_CONFIG, null()) };
    let mut view = View { version: said(&openssl, 0).unwrap_or_default(), ..View::default() };
    read(library, &openssl, &mut view)?;
    apply(library, &openssl, options.application.as_deref(), &mut view)?;
    providers(library, &mut view)?;
    let named = named(&view);
    let needed = view.file().map(Path::to_owned).into_iter().chain(named.iter().cloned());
    view.barred = needed.filter_map(|file| barred(&file)).collect();
    if !view.has("ropewalk") {
        // For a module that was loaded, only that fact is known.
        let why = |file: &PathBuf| {
            let Unavailable(why) = dl::open(&file.to_string_lossy()).err()?;
            Some(format!("{}: {why}", shown(file)))
        };
        view.unloadable = named.iter().filter_map(why).collect();
    }
    view.served = algorithms::served(&name, library)?;
    view.algorithms = algorithms::all(library, &more)?;
    view.tls = tls::context(&name, &openssl);
    Ok(view)
}

/// Changes the user of this process, with the groups of that user.
fn become_user(name: &str) -> anyhow::Result<()> {
    let user = User::from_name(name)?.with_context(|| format!("no user is called {name}"))?;
    let change = || {
        initgroups(&CString::new(name).unwrap_or_default(), user.gid)?;
        setgid(user.gid)?;
        setuid(user.uid)
    };
    change().with_context(|| format!("this process may not run as {name}: root may"))
}

fn libcrypto(file: Option<&Path>) -> anyhow::Result<(String, &'static Library)> {
    let names = match file {
        Some(file) => vec![file.to_string_lossy().into_owned()],
        None => ["libcrypto.so.3", "libcrypto.so.4"].map(str::to_owned).to_vec(),
    };
    let mut why = Vec::new();
    for name in names {
        match dl::open(&name) {
            Ok(library) => return Ok((name, library)),
            Err(Unavailable(reason)) => why.push(format!("{name}: {reason}")),
        }
    }
    let older = match dl::open("libcrypto.so.1.1") {
        Ok(_) => "; libcrypto.so.1.1 is here, which has no providers",
        Err(_) => "",
    };
    bail!("no OpenSSL of version 3 or later ({}){older}", why.join(", "))
}

fn too_old(Unavailable(why): Unavailable) -> anyhow::Error {
    anyhow::anyhow!("this is no OpenSSL of version 3 or later: {why}")
}

/// The string of `OpenSSL_version` for a number.
fn said(openssl: &api::Library, which: c_int) -> Option<String> {
    // SAFETY: it accepts any number, and returns a static string.
    text(unsafe { (openssl.OpenSSL_version)(which) })
}

/// A string of OpenSSL, if there is one.
fn text(string: *const c_char) -> Option<String> {
    bytes(string).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn bytes(string: *const c_char) -> Option<Vec<u8>> {
    // SAFETY: a pointer that is not null is a string, which is valid until OpenSSL is called again.
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_bytes().to_owned())
}

/// Reads the configuration, without applying it.
fn read(library: &'static Library, openssl: &api::Library, view: &mut View) -> anyhow::Result<()> {
    let api = api::Configuration::load(library).map_err(too_old)?;
    // SAFETY: it takes no arguments, and returns a string that is not freed.
    let file = unsafe { (api.CONF_get1_default_config_file)() };
    let Some(named) = bytes(file).filter(|name| !name.is_empty()) else { return Ok(()) };
    match fs::metadata(path(&named)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        // Programs are started with the null device to have no configuration.
        Ok(about) if !about.is_file() && !about.is_dir() => return Ok(()),
        _ => view.file = Some(named),
    }
    // SAFETY: null means the default method.
    let configuration = unsafe { (api.NCONF_new)(null()) };
    let mut line: c_long = 0;
    // SAFETY: OpenSSL has made both, and there is space for a number.
    let read = unsafe { (api.NCONF_load)(configuration, file, &mut line) };
    if read <= 0 {
        let errors = openssl.errors().join(", ");
        view.unread = Some(if line > 0 { format!("line {line}: {errors}") } else { errors });
        return Ok(());
    }
    // SAFETY: it was read.
    let names = unsafe { (api.NCONF_get_section_names)(configuration) };
    for name in openssl.values(names) {
        // SAFETY: the stack is one of names.
        let stack = unsafe { (api.NCONF_get_section)(configuration, name.cast()) };
        let values = openssl.values(stack).into_iter().filter_map(|value| {
            // SAFETY: the stack is one of these.
            let value = unsafe { value.cast::<api::Value>().as_ref() }?;
            Some((bytes(value.name)?, bytes(value.value)?))
        });
        let values = values.collect();
        view.sections.push(Section { name: bytes(name.cast()).unwrap_or_default(), values });
    }
    view.sections.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(())
}

/// Applies it, as programs do when they start, but with errors reported.
fn apply(
    library: &'static Library,
    openssl: &api::Library,
    application: Option<&str>,
    view: &mut View,
) -> anyhow::Result<()> {
    const IGNORE_MISSING_FILE: c_ulong = 0x10;
    const DEFAULT_SECTION: c_ulong = 0x20;
    let api = api::Configuration::load(library).map_err(too_old)?;
    let name = application.map(CString::new).transpose()?;
    let (name, flags) = match &name {
        Some(name) => (name.as_ptr(), IGNORE_MISSING_FILE),
        None => (null(), IGNORE_MISSING_FILE | DEFAULT_SECTION),
    };
    // SAFETY: it takes no arguments.
    unsafe { (openssl.ERR_clear_error)() };
    // SAFETY: null means the file that was read above, and the name is a string or null.
    let applied = unsafe { (api.CONF_modules_load_file)(null(), name, flags) };
    if applied <= 0 && view.unread.is_none() {
        view.failed = openssl.errors();
    }
    Ok(())
}

fn providers(library: &'static Library, view: &mut View) -> anyhow::Result<()> {
    unsafe extern "C" fn each(provider: *mut c_void, to: *mut c_void) -> c_int {
        // SAFETY: it is the list below, which nothing else uses meanwhile.
        if let Some(to) = unsafe { to.cast::<Vec<*mut c_void>>().as_mut() } {
            to.push(provider);
        }
        1
    }
    let api = api::Providers::load(library).map_err(too_old)?;
    let mut active = Vec::<*mut c_void>::new();
    // SAFETY: null means the default context.
    unsafe { (api.OSSL_PROVIDER_do_all)(null_mut(), each, (&raw mut active).cast()) };
    for provider in active {
        // SAFETY: the provider is active, and stays so.
        let name = text(unsafe { (api.OSSL_PROVIDER_get0_name)(provider) }).unwrap_or_default();
        if name == "ropewalk" {
            // SAFETY: as above.
            view.sound = Some(unsafe { (api.OSSL_PROVIDER_self_test)(provider) } == 1);
        }
        view.providers.push(name);
    }
    view.providers.sort();
    // SAFETY: null means the default context.
    view.fips = unsafe { (api.EVP_default_properties_is_fips_enabled)(null_mut()) } == 1;
    Ok(())
}

/// The files of ropewalk that the configuration names: the loader, and the module.
fn named(view: &View) -> Vec<PathBuf> {
    let values = configuration::KEYS.iter();
    let values =
        values.filter_map(|key| view.value(configuration::SECTION.as_bytes(), key.as_bytes()));
    values.map(path).collect()
}
