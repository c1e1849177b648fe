//! The machine and the participants of a session, in words.

use std::path::Path;

use crate::{
    filename::text_shown,
    here::Here,
    measure::{
        entrant::Entrant,
        field::Row,
        reference::{OURS, is_ours},
    },
    report::{output::width, short, table::Line, words},
};

/// The processor, its cores, and the hypervisor.
pub(super) fn machine(here: &Here) -> String {
    let mut parts = vec![short::brand(&here.processor)];
    if let Some(cores) = here.cores {
        parts.push(format!("{cores} {}", if cores == 1 { "processor" } else { "processors" }));
    }
    parts.extend(here.hypervisor.clone());
    text_shown(&parts.join(", ")).into_owned()
}

/// The libraries that take part, a line each.
pub(super) fn libraries(entrants: &[Entrant]) -> String {
    let mut lines = Vec::new();
    for entrant in entrants {
        let Ok(library) = &entrant.opened else { continue };
        let more = library.path.iter().chain([&entrant.library.by]);
        let more: Vec<&str> = more.map(String::as_str).filter(|more| !more.is_empty()).collect();
        let line = named(entrant.peer, &library.version, &more);
        // Each mask opens its libraries again.
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.concat()
}

/// The version of a library, and its file, in lines that fit the screen.
pub fn named(peer: &str, version: &str, more: &[&str]) -> String {
    // Versions of several crates do not name the library.
    let whose = if version.contains(", ") { format!("{peer}: ") } else { String::new() };
    let text = [&[format!("{whose}{version}").as_str()], more].concat().join(", ");
    words::indented(&text_shown(&text), width())
}

/// The environment variables that were removed for libraries, in a line; nothing if none is set.
pub(super) fn not_given(here: &Here) -> String {
    let names: Vec<&str> = here.not_given.iter().map(|it| it.name.as_str()).collect();
    match names.is_empty() {
        true => String::new(),
        false => {
            let names = names.join(", ");
            text_shown(&format!("set here, and not given to any library: {names}\n")).into_owned()
        }
    }
}

/// The processor, and the libraries on it.
pub fn head(here: &Here, entrants: &[Entrant]) -> String {
    let ghz = entrants.iter().filter_map(|entrant| entrant.opened.as_ref().ok()?.ghz).next();
    let ghz = ghz.map(|ghz| format!(", at {ghz:.2} GHz")).unwrap_or_default();
    format!("{}{ghz}\n{}{}", machine(here), libraries(entrants), not_given(here))
}

/// The line of a row, without figures. Libraries under the mask `rivals` are those that ropewalk is compared
/// with.
pub fn line(entrant: &Entrant, row: &Row, rivals: &str) -> Line {
    let ours = entrant.peer == OURS;
    let name = match (ours, row.backend.as_str()) {
        (_, "") => peer(entrant),
        (true, backend) => backend.to_owned(),
        (false, backend) => format!("{} {backend}", peer(entrant)),
    };
    let version = match &entrant.opened {
        _ if ours => String::new(),
        Ok(opened) => short::version(&opened.version),
        Err(_) => entrant.library.name.clone(),
    };
    Line {
        name,
        version,
        mask: entrant.mask.clone(),
        rival: !is_ours(entrant.peer) && entrant.mask == rivals,
        chosen: row.chosen && ours,
        records: Vec::new(),
    }
}

/// The kind of a library, and the selected part of it, by its file name.
fn peer(entrant: &Entrant) -> String {
    match entrant.library.by.split_once('=') {
        Some((kind, name)) => {
            let file = Path::new(name).file_name().unwrap_or(name.as_ref());
            format!("{}:{kind}={}", entrant.peer, file.to_string_lossy())
        }
        None => entrant.peer.into(),
    }
}
