//! `provider install` and `uninstall`.
//!
//! The new configuration includes the one in use. OpenSSL is queried before and after for other differences;
//! if there are any, everything is undone.

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
};

use anstyle::AnsiColor;
use anyhow::{Context as _, bail};

use super::{
    check,
    configuration::{self, Modules, Way},
    files::{self, Place, Written, closed_to_others},
    in_use::{APPLICATIONS, InUse},
    loader::{self, Loader},
    reason,
    view::{Query, View, With},
};
use crate::{
    commands::{Exit, Usage},
    filename::shown,
};

/// Writes the configuration, unless another program has written the file.
pub(super) fn install(
    module: Option<&Path>,
    place: &Place,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    let module = match module {
        Some(file) => std::path::absolute(file)?,
        None => beside_this_command()?,
    };
    let about = fs::metadata(&module).with_context(|| format!("no module {}", shown(&module)))?;
    if !about.is_file() {
        return Err(Usage(format!("{} is no file", shown(&module))).into());
    }
    let bytes = fs::read(&module).with_context(|| format!("reading {}", shown(&module)))?;
    if loader::is(&bytes) {
        return Err(Usage(format!("{} loads ropewalk.so, and is not it", shown(&module))).into());
    }
    let config = place.config()?;
    files::ours(&config)?;
    let in_use = InUse::find(place)?;

    let mut written = Written::new(place.system);
    let folder = config.parent().context("a configuration lies in a folder")?;
    written.folder(folder)?;
    let modules = modules(&module, &bytes, folder, place, &mut written)?;
    let tried = tried(&modules, &in_use, &config, place)?;
    written.file(&config, &tried.text)?;
    written.keep();

    print(&modules, &config, place, out)?;
    warn_of_closed_folders(&config, &modules, place, out)?;
    let [view, node] = &tried.views;
    if node.ours() == 0 && view.ours() > 0 {
        let why = reason::of(node).unwrap_or_default();
        writeln!(out, "\nNode.js stays as it is: {why}")?;
    }
    if let Some(why) = view.unloadable.first() {
        writeln!(out, "\nthe module cannot be loaded here: {why}")?;
        return Ok(Exit::Wrong);
    }
    Ok(Exit::Fine)
}

/// Copies the modules to where the configuration names them, and returns the paths.
fn modules(
    module: &Path,
    bytes: &[u8],
    folder: &Path,
    place: &Place,
    written: &mut Written,
) -> anyhow::Result<Modules> {
    let found = Loader::next_to(module);
    let (mut module, mut folder) = (module.to_owned(), folder.to_owned());
    if let Some(shared) = place.modules()? {
        written.folder(&shared)?;
        if closed_to_others(&module).is_some() {
            module = shared.join("ropewalk.so");
            written.file(&module, bytes)?;
        }
        folder = shared;
    }
    let Some(found) = found else { return Ok(Modules { module, loader: None }) };
    let loader = found.in_folder(&folder)?;
    written.file(&loader, &found.bytes)?;
    Ok(Modules { module, loader: Some(loader) })
}

/// The result of a new configuration.
struct Tried {
    text: Vec<u8>,
    views: [View; 2],
}

/// Tests a new configuration with OpenSSL, and the next one if it would change something else.
fn tried(modules: &Modules, in_use: &InUse, config: &Path, place: &Place) -> anyhow::Result<Tried> {
    let mut reasons = Vec::new();
    for last in [false, true] {
        let tried = tried_so(modules, in_use, config, place, last)?;
        let mut found = check::all_differences(in_use, &tried.views, place.libcrypto.as_deref())?;
        found.extend(why_not(in_use, &tried).filter(|_| found.is_empty()));
        if found.is_empty() {
            return Ok(tried);
        }
        reasons = found;
    }
    refuse(in_use, &reasons)
}

/// The same for one order, first without OpenSSL's own provider, and then with it if it would be lost.
fn tried_so(
    modules: &Modules,
    in_use: &InUse,
    config: &Path,
    place: &Place,
    last: bool,
) -> anyhow::Result<Tried> {
    let mut way = Way { last, defaults: [false; 2] };
    loop {
        let [before, _] = &in_use.views;
        let text = configuration::write(modules, in_use.file.as_deref(), before, way);
        let text = text.or_else(|why| refuse(in_use, &[why]))?;
        let file = files::temporary(config, &text)
            .with_context(|| format!("writing in the folder of {}", shown(config)))?;
        let query = Query::new(With::File(file.path().to_owned()), place.libcrypto.as_deref());
        let [entry, node] = APPLICATIONS;
        let views = [query.clone().of(entry).view()?, query.of(node).view()?];
        let lost = |at: usize| in_use.views[at].has("default") && !views[at].has("default");
        let defaults = [0, 1].map(|at| way.defaults[at] || lost(at));
        if defaults == way.defaults {
            return Ok(Tried { text, views });
        }
        way.defaults = defaults;
    }
}

/// Why it would not be useful.
fn why_not(in_use: &InUse, tried: &Tried) -> Option<String> {
    let [before, _] = &in_use.views;
    let [after, _] = &tried.views;
    match after.unloadable.first() {
        // The algorithms that it would serve cannot be tested here. If all of them are already served by
        // another provider, there is nothing to refuse.
        Some(why) if !before.has("default") => Some(format!(
            "the module cannot be tried here ({why}), and OpenSSL's own provider is not active"
        )),
        Some(_) => None,
        None => reason::of(after),
    }
}

fn refuse<T>(in_use: &InUse, why: &[String]) -> anyhow::Result<T> {
    let now = match &in_use.file {
        Some(file) => format!("with {}", shown(file)),
        None => "without a configuration".into(),
    };
    bail!(
        "nothing is written: OpenSSL, which runs {now}, would not go on as it does and be served by ropewalk:\n  {}",
        why.join("\n  ")
    )
}

fn print(
    modules: &Modules,
    config: &Path,
    place: &Place,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let config = shown(config);
    writeln!(out, "{config} is written. Programs that go through OpenSSL run on ropewalk after\n")?;
    writeln!(out, "  export OPENSSL_CONF={config}\n")?;
    if place.system {
        writeln!(
            out,
            "and services after `systemctl edit SERVICE` and `systemctl restart SERVICE` with\n"
        )?;
        writeln!(out, "  [Service]\n  Environment=OPENSSL_CONF={config}\n")?;
    }
    writeln!(out, "and with this too say at their end what was asked of it:\n")?;
    writeln!(out, "  export ROPEWALK_STATS=1\n")?;
    let words = place.words();
    writeln!(
        out,
        "`ropewalk provider status{words}` tries it, and `ropewalk provider uninstall{words}` undoes it."
    )?;
    if modules.loader.is_none() {
        let module = shown(&modules.module);
        writeln!(
            out,
            "\nno {} lies next to {module}: where that cannot be loaded, programs go on with OpenSSL's own provider and \
             say nothing",
            loader::NAME
        )?;
    }
    Ok(())
}

/// Services run as other users, and would not use it.
fn warn_of_closed_folders(
    config: &Path,
    modules: &Modules,
    place: &Place,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if !place.system && !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let files = [Some(config), Some(&*modules.module), modules.loader.as_deref()];
    for file in files.into_iter().flatten() {
        let Some((at, mode)) = closed_to_others(file) else { continue };
        let bad = AnsiColor::Red.on_default();
        let (file, at) = (shown(file), shown(&at));
        let advice = if place.system {
            ""
        } else {
            ": `ropewalk provider install --system` writes where they can"
        };
        writeln!(
            out,
            "\n{bad}other users cannot read {file}{bad:#}, for {at} has mode {mode:04o}. Services that run as other users \
             stay on OpenSSL's own provider{advice}"
        )?;
        return Ok(());
    }
    Ok(())
}

/// The module that was installed with this command, or built with it.
fn beside_this_command() -> anyhow::Result<PathBuf> {
    let exe = env::current_exe()?;
    let folder = exe.parent().context("this command lies in no folder")?;
    let places = [
        folder.join("../lib/ossl-modules/ropewalk.so"),
        folder.join("../lib/ropewalk/ropewalk.so"),
        folder.join("ropewalk.so"),
        folder.join("libropewalk_openssl.so"),
    ];
    for place in &places {
        if let Ok(place) = place.canonicalize() {
            return Ok(place);
        }
    }
    let places = places.map(|place| format!("\n  {}", shown(&place))).concat();
    Err(Usage(format!("no module is at any of{places}\nsay which with --module FILE")).into())
}

/// Removes what `install` has written.
pub(super) fn uninstall(place: &Place, out: &mut impl Write) -> anyhow::Result<Exit> {
    let config = place.config()?;
    let Some(text) = files::ours(&config)? else {
        writeln!(out, "{} is not there: nothing to undo", shown(&config))?;
        return Ok(Exit::Fine);
    };
    fs::remove_file(&config).with_context(|| format!("removing {}", shown(&config)))?;
    let folder = config.parent().unwrap_or(Path::new("/"));
    let shared = place.modules()?;
    if let Some(Modules { module, loader: Some(loader) }) = Modules::of(&text) {
        loader::remove(shared.as_deref().unwrap_or(folder), &loader, &module)?;
    }
    if let Some(shared) = &shared {
        remove_shared(shared, &text)?;
    }
    if place.is_own_folder() {
        // The folder belongs to ropewalk; it stays if it has other files.
        _ = fs::remove_dir(folder);
    }
    writeln!(
        out,
        "{} is removed. In shells that have it set:\n\n  unset OPENSSL_CONF",
        shown(&config)
    )?;
    if place.system {
        writeln!(out, "\nand in services that have it: `systemctl revert SERVICE`")?;
    }
    Ok(Exit::Fine)
}

/// Removes the copy of the module that was made for services, and its folders.
fn remove_shared(shared: &Path, text: &[u8]) -> anyhow::Result<()> {
    let copies =
        Modules::of(text).into_iter().flat_map(|modules| [Some(modules.module), modules.loader]);
    for copy in copies.flatten().filter(|copy| copy.parent() == Some(shared)) {
        match fs::remove_file(&copy) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("removing {}", shown(&copy)));
            }
            _ => {}
        }
    }
    // Folders with other files stay.
    for folder in [Some(shared), shared.parent()].into_iter().flatten() {
        _ = fs::remove_dir(folder);
    }
    Ok(())
}
