//! Tables in documents that are generated from the sources.

use std::{fs, path::Path};

use anyhow::{Context, Result, anyhow};

use super::{modules, rules, unsafety};
use crate::{
    external::verdicts,
    sources::{self, LIBRARY},
};

/// A table between `<!-- name -->` and `<!-- /name -->`.
struct Table {
    document: &'static str,
    name: &'static str,
    text: fn(root: &Path) -> Result<String>,
}

const TABLES: &[Table] = &[
    Table { document: "ARCHITECTURE.md", name: "wings", text: wings },
    Table { document: "AUDITING.md", name: "unsafe", text: unsafes },
    Table { document: "SECURITY.md", name: "rules", text: rules::table },
    Table { document: "docs/backends.md", name: "backends", text: backends },
    Table { document: "docs/verdicts.md", name: "verdicts", text: |_| Ok(verdicts::table()) },
];

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for table in TABLES {
        let Table { document, name, .. } = table;
        match table.rewritten(root) {
            Ok((before, after)) if before == after => {}
            Ok(_) => complaints.push(format!(
                "{document}: the table `{name}` is not what the sources say: \
                 run `cargo xtask check --fix`"
            )),
            Err(error) => complaints.push(format!("{error:#}")),
        }
    }
    Ok(complaints)
}

/// Rewrites every table.
pub(super) fn fix(root: &Path) -> Result<()> {
    for table in TABLES {
        let (before, after) = table.rewritten(root)?;
        if before != after {
            fs::write(root.join(table.document), after)?;
            println!("{}: rewrote the table `{}`", table.document, table.name);
        }
    }
    Ok(())
}

impl Table {
    /// The document as it is, and with the current table.
    fn rewritten(&self, root: &Path) -> Result<(String, String)> {
        let Self { document, name, .. } = self;
        let before = fs::read_to_string(root.join(document))
            .with_context(|| format!("cannot read {document}"))?;
        let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
        let (head, rest) = before
            .split_once(&open)
            .with_context(|| format!("{document}: no line {}", open.trim()))?;
        let (_, tail) =
            rest.split_once(&close).with_context(|| format!("{document}: no line {close}"))?;
        let after = format!("{head}{open}{}{close}{tail}", (self.text)(root)?);
        Ok((before, after))
    }
}

/// The wings of the library, the public modules of each, and its arrows.
fn wings(root: &Path) -> Result<String> {
    let mut text =
        "| module | public modules in it | may import |\n| --- | --- | --- |\n".to_string();
    for (wing, may) in modules::LIBRARY_ARROWS {
        let has = public_modules(root, wing)?;
        text += &format!("| `{wing}` | {} | {} |\n", in_code(&has), in_code(may));
    }
    Ok(text)
}

/// The public modules of a module of the library, except those of other builds.
fn public_modules(root: &Path, module: &str) -> Result<Vec<String>> {
    let folder = root.join(LIBRARY);
    let mut file = folder.join(module).join("mod.rs");
    if !file.is_file() {
        file = folder.join(format!("{module}.rs"));
    }
    let text = fs::read_to_string(&file).with_context(|| format!("{module} has no file"))?;
    let parsed = syn::parse_file(&text).map_err(|e| anyhow!("{module} is not Rust: {e}"))?;
    let of_checks = |attribute: &syn::Attribute| {
        let list = attribute.meta.require_list();
        list.is_ok_and(|list| list.tokens.to_string().contains("ropewalk_ct"))
    };
    let public = parsed.items.iter().filter_map(|item| match item {
        syn::Item::Mod(child) if matches!(child.vis, syn::Visibility::Public(_)) => Some(child),
        _ => None,
    });
    let ours = public.filter(|child| !child.attrs.iter().any(of_checks));
    Ok(ours.map(|child| child.ident.to_string()).collect())
}

fn in_code(names: &[impl AsRef<str>]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    if names.is_empty() { "–".into() } else { names.join(" ") }
}

fn backends(root: &Path) -> Result<String> {
    let mut text = "| backend | trait | needs | lanes |\n| --- | --- | --- | ---: |\n".to_string();
    for list in sources::lists(root)? {
        for backend in &list.backends {
            let sources::Backend { name, role, token, lanes, .. } = backend;
            text += &format!("| `{name}` | `{role}` | `{token}` | {lanes} |\n");
        }
    }
    Ok(text)
}

fn unsafes(root: &Path) -> Result<String> {
    let mut text = "| file | `unsafe` | why |\n| --- | ---: | --- |\n".to_string();
    for row in unsafety::rows(root)? {
        let why = row.why.unwrap_or("not allowed");
        text += &format!("| `{}` | {} | {why} |\n", row.file, row.lines.len());
    }
    Ok(text)
}
