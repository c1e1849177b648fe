//! The name of a backend is its path.
//!
//! A file in a folder of an instruction set is a backend if it implements a trait of some list, or any trait
//! with a method from `kernel!`; it must then be in a list. Any other file is a helper, and needs no line.

use std::{collections::BTreeSet, path::Path};

use anyhow::Result;

use crate::{
    expect,
    sources::{self, ISAS, LIBRARY},
};

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    let lists = sources::lists(root)?;
    let mut complaints = Vec::new();
    for list in &lists {
        let folder = list.file.rsplit_once('/').map_or("", |(folder, _)| folder);
        if !folder.starts_with(LIBRARY) || !folder.ends_with(&format!("/{}", list.folder)) {
            complaints.push(format!("{}: its list says it is in {}", list.file, list.folder));
        }
        for backend in &list.backends {
            let name = &backend.name;
            if !root.join(backend.file()).is_file() {
                complaints.push(format!("{}: {name} has no file {}", list.file, backend.file()));
            }
            if *name != format!("{}/{}", list.folder, backend.modules) {
                complaints.push(format!("{}: {name} is made of {}", list.file, backend.modules));
            }
            if expect::needs(&backend.token).is_none() {
                let table = "TOKENS of xtask/src/expect.rs";
                complaints.push(format!(
                    "{name}: {table} does not say which flags {} needs",
                    backend.token
                ));
            }
        }
    }

    let listed: BTreeSet<_> =
        lists.iter().flat_map(|list| &list.backends).map(sources::Backend::file).collect();
    let roles: BTreeSet<_> =
        lists.iter().flat_map(|list| &list.roles).map(String::as_str).collect();
    for file in sources::rust_files(root, LIBRARY)? {
        let isa = Path::new(&file).parent().and_then(Path::file_name);
        if !isa.is_some_and(|isa| ISAS.iter().any(|known| isa == *known)) || listed.contains(&file)
        {
            continue;
        }
        let implemented = sources::implemented(root, &file)?;
        let role = implemented.iter().find(|(role, kernel)| *kernel || roles.contains(&**role));
        if let Some((role, _)) = role {
            complaints.push(format!("{file}: implements {role} and is in no list"));
        }
    }
    complaints.sort();
    complaints.dedup();
    Ok(complaints)
}
