//! The public names: paths of the library, functions of the C library, backends. Each name in `crates/ropewalk/public.txt`
//! must stay.

use std::{collections::BTreeSet, fs, path::Path};

use anyhow::{Context, Result, ensure};

use crate::{process, sources};

/// Every name, one per line.
const LIST: &str = "crates/ropewalk/public.txt";

/// Compares the current names with the list.
///
/// # Errors
/// Fails if a name of the list is missing, or a name is not in the list.
pub(crate) fn stays(root: &Path) -> Result<()> {
    let listed = fs::read_to_string(root.join(LIST)).with_context(|| format!("reading {LIST}"))?;
    let listed: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
    let names = names(root)?;
    let gone: Vec<_> = listed.difference(&names).map(String::as_str).collect();
    ensure!(gone.is_empty(), "names of {LIST} that are no more:\n{}", gone.join("\n"));
    let new: Vec<_> = names.difference(&listed).map(String::as_str).collect();
    ensure!(
        new.is_empty(),
        "names that {LIST} does not have; `cargo xtask check --fix` writes them:\n{}",
        new.join("\n")
    );
    Ok(())
}

/// Writes the list anew.
///
/// # Errors
/// Fails if the documentation cannot be built.
pub(crate) fn fix(root: &Path) -> Result<()> {
    let names: Vec<_> = names(root)?.into_iter().collect();
    fs::write(root.join(LIST), names.join("\n") + "\n").with_context(|| format!("writing {LIST}"))
}

fn names(root: &Path) -> Result<BTreeSet<String>> {
    let mut names = documented(root)?;
    for list in sources::lists(root)? {
        names.extend(list.backends.into_iter().map(|backend| backend.name));
    }
    let header =
        fs::read_to_string(root.join(HEADER)).with_context(|| format!("reading {HEADER}"))?;
    names.extend(c_functions(&header));
    Ok(names)
}

const HEADER: &str = "crates/ropewalk-c/include/ropewalk.h";

/// The functions that a header declares: a name before an opening parenthesis, outside of comments.
fn c_functions(header: &str) -> impl Iterator<Item = String> {
    let code = header.lines().filter(|line| !line.trim_start().starts_with(['*', '/', '#']));
    let names = code.flat_map(|line| {
        line.match_indices('(').filter_map(|(at, _)| {
            let name = line[..at].rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
            name.starts_with("ropewalk_").then(|| name.to_owned())
        })
    });
    names.collect::<Vec<_>>().into_iter()
}

fn documented(root: &Path) -> Result<BTreeSet<String>> {
    let folder = root.join("target/public");
    let mut doc = process::cargo();
    doc.args(["doc", "--package", "ropewalk", "--no-deps"]);
    doc.arg("--target-dir").arg(&folder);
    process::run(doc.current_dir(root))?;
    paths(&folder.join("doc/ropewalk"))
}

/// Paths of items and of their own parts: methods, fields and variants. Parts of implemented traits are omitted.
fn paths(folder: &Path) -> Result<BTreeSet<String>> {
    let read = |file: &str| {
        fs::read_to_string(folder.join(file)).with_context(|| format!("reading {file}"))
    };
    let mut paths = BTreeSet::new();
    for page in quoted(&read("all.html")?, "href=\"") {
        let Some(item) = page.strip_suffix(".html") else { continue };
        let (module, item) = item.rsplit_once('/').unwrap_or(("", item));
        // `struct.Key`: a type may become an alias of another.
        let Some((_, name)) = item.split_once('.').filter(|_| !module.contains("..")) else {
            continue;
        };
        let path =
            ["ropewalk"].into_iter().chain(module.split('/').filter(|part| !part.is_empty()));
        let path = path.chain([name]).collect::<Vec<_>>().join("::");
        for part in parts(&read, page)? {
            paths.insert(format!("{path}::{part}"));
        }
        paths.insert(path);
    }
    Ok(paths)
}

/// The parts of an item, from its page; for an alias, from the page of its type.
fn parts(read: &impl Fn(&str) -> Result<String>, page: &str) -> Result<BTreeSet<String>> {
    let html = read(page)?;
    let mut found: BTreeSet<_> = own(&html).flat_map(|(_, parts)| parts).collect();
    let declared = html.split("item-decl").nth(1).and_then(|rest| rest.split("</pre>").next());
    let target = declared.and_then(|declared| {
        let links = quoted(declared, "class=\"struct\" href=\"");
        links.into_iter().next().filter(|_| page.contains("type."))
    });
    if let (Some(declared), Some(target)) = (declared, target) {
        // Its arguments are links too.
        let arguments: Vec<_> =
            declared.split("</a>").filter_map(|a| a.rsplit('>').next()).collect();
        let folder = Path::new(page).parent().unwrap_or(Path::new(""));
        let target = folder.join(target.trim_start_matches("../"));
        let target = match target.strip_prefix(folder) {
            // Paths from one folder up, where all modules are.
            Ok(inside) if html.contains(&format!("href=\"../{}", inside.display())) => {
                inside.into()
            }
            _ => target,
        };
        let html = read(&target.to_string_lossy())?;
        for (of, parts) in own(&html) {
            let generic =
                of.split(|c: char| !c.is_alphanumeric()).skip(1).all(|word| word.len() < 2);
            if generic || arguments.iter().skip(1).any(|word| !word.is_empty() && of.contains(word))
            {
                found.extend(parts);
            }
        }
    }
    Ok(found)
}

/// The blocks of a page with an item's own parts: what each is an `impl` of, and the parts.
fn own(html: &str) -> impl Iterator<Item = (String, Vec<String>)> {
    let end = ENDS.iter().filter_map(|end| html.find(end)).min().unwrap_or(html.len());
    html[..end].split("id=\"impl-").enumerate().map(|(i, block)| {
        let of = if i == 0 { "" } else { block.split('"').next().unwrap_or("") };
        let of = of.replace("%3C", "<").replace("%3E", ">");
        let parts = PARTS.iter().flat_map(|kind| quoted(block, &format!("id=\"{kind}.")));
        (of, parts.map(unnumbered).collect())
    })
}

/// An anchor without the number that distinguishes it from an earlier one of the page.
fn unnumbered(anchor: &str) -> String {
    match anchor.rsplit_once('-') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name.into(),
        _ => anchor.into(),
    }
}

/// The end of a type's own parts on its page.
const ENDS: [&str; 5] = [
    "id=\"implementors\"",
    "id=\"foreign-impls\"",
    "id=\"trait-implementations\"",
    "id=\"synthetic-implementations\"",
    "id=\"blanket-implementations\"",
];

/// The kinds of parts.
const PARTS: [&str; 6] =
    ["method", "tymethod", "variant", "structfield", "associatedconstant", "associatedtype"];

/// The text between each `before` and the next quotation mark.
fn quoted<'a>(text: &'a str, before: &str) -> Vec<&'a str> {
    let after = text.split(before).skip(1);
    after.filter_map(|rest| rest.split_once('"')).map(|(inside, _)| inside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_a_header() {
        let header = "/**\n * as ropewalk_seal(…)\n */\nint32_t ropewalk_open(const struct ropewalk_key *key,\n    size_t len);\n";
        assert_eq!(c_functions(header).collect::<Vec<_>>(), ["ropewalk_open"]);
    }

    #[test]
    fn items_and_what_they_have() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("aes_gcm")).unwrap();
        let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
        write(
            "all.html",
            r#"<a href="../ropewalk/index.html">x</a><a href="aes_gcm/struct.Key.html">aes_gcm::Key</a><a href="fn.swept.html">"#,
        );
        write("fn.swept.html", "");
        write(
            "aes_gcm/struct.Key.html",
            r#"<h2 id="implementations"><section id="method.seal"><h2 id="trait-implementations"><section id="method.clone">"#,
        );
        let paths: Vec<_> = paths(folder.path()).unwrap().into_iter().collect();
        assert_eq!(
            paths,
            ["ropewalk::aes_gcm::Key", "ropewalk::aes_gcm::Key::seal", "ropewalk::swept"]
        );
    }
}
