//! Reads from the sources the lists of backends, and the uses of `unsafe`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};
use ignore::WalkBuilder;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// Folders of backends, one for each instruction set.
pub const ISAS: [&str; 3] = ["x86_64", "aarch64", "arm"];

/// One `backends!`.
#[derive(Debug)]
pub struct List {
    /// The file it is in, from the root.
    pub file: String,
    /// The trait that each of its backends implements, or both traits.
    pub roles: Vec<String>,
    /// The folder that its `in` names.
    pub folder: String,
    /// Its lines, the preferred first.
    pub backends: Vec<Backend>,
}

/// One line of a `backends!`.
#[derive(Debug)]
pub struct Backend {
    /// The whole name, with the folder.
    pub name: String,
    /// Where that folder is, from the root.
    pub wing: String,
    /// The trait that it implements.
    pub role: String,
    /// The token that proves it can run.
    pub token: String,
    /// Messages at the same time.
    pub lanes: String,
    /// The modules of its type, as a path: `x86_64/shani`.
    pub modules: String,
}

impl Backend {
    /// Its file, from the root.
    pub fn file(&self) -> String {
        format!("{}/{}.rs", self.wing, self.name)
    }
}

/// The library's sources, from the root.
pub const LIBRARY: &str = "crates/ropewalk/src";

/// Every list of the library.
///
/// # Errors
/// Fails if a source cannot be read, or a list has another shape.
pub fn lists(root: &Path) -> Result<Vec<List>> {
    let mut lists = Vec::new();
    for file in rust_files(root, LIBRARY)? {
        let mut found = Macros { name: "backends", bodies: Vec::new() };
        found.visit_file(&parse(root, &file)?);
        for body in found.bodies {
            lists.push(list(&file, body).with_context(|| format!("backends! in {file}"))?);
        }
    }
    Ok(lists)
}

/// The traits that a file implements for its types, each with whether `kernel!` makes a method.
///
/// # Errors
/// Where the file cannot be read.
pub fn implemented(root: &Path, file: &str) -> Result<Vec<(String, bool)>> {
    let mut found = Impls(Vec::new());
    found.visit_file(&parse(root, file)?);
    Ok(found.0)
}

/// The lines with the keyword `unsafe` in a file, macros included, comments and strings excluded.
///
/// # Errors
/// Where the file cannot be read.
pub fn unsafes(root: &Path, file: &str) -> Result<Vec<usize>> {
    fn walk(tokens: TokenStream, lines: &mut Vec<usize>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => walk(group.stream(), lines),
                TokenTree::Ident(word) if word == "unsafe" => lines.push(word.span().start().line),
                _ => {}
            }
        }
    }
    let text = read(root, file)?;
    let tokens: TokenStream =
        text.parse().map_err(|error| anyhow!("{file} is not Rust: {error}"))?;
    let mut lines = Vec::new();
    walk(tokens, &mut lines);
    Ok(lines)
}

/// Rust files below a folder, from the root, sorted.
///
/// # Errors
/// Where a folder cannot be read.
pub fn rust_files(root: &Path, folder: &str) -> Result<Vec<String>> {
    let files = files(root, folder)?;
    Ok(files.into_iter().filter(|file| file.ends_with(".rs")).collect())
}

/// Files below a folder that git would not ignore, from the root, sorted.
///
/// # Errors
/// Where a folder cannot be read.
pub fn files(root: &Path, folder: &str) -> Result<Vec<String>> {
    let is_git = |path: &Path| path.file_name().is_some_and(|name| name == ".git");
    let mut walk = WalkBuilder::new(root.join(folder));
    walk.hidden(false).require_git(false).filter_entry(move |entry| !is_git(entry.path()));
    let mut files = Vec::new();
    for entry in walk.build() {
        let entry = entry?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            let path: PathBuf = entry.path().strip_prefix(root)?.into();
            files.push(path.to_str().context("a file name is not UTF-8")?.into());
        }
    }
    files.sort();
    Ok(files)
}

fn read(root: &Path, file: &str) -> Result<String> {
    fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))
}

fn parse(root: &Path, file: &str) -> Result<syn::File> {
    syn::parse_file(&read(root, file)?)
        .map_err(|error| anyhow!("{file} is not Rust: line {}: {error}", error.span().start().line))
}

/// Collects the bodies of a macro's calls.
struct Macros {
    name: &'static str,
    bodies: Vec<TokenStream>,
}

impl<'a> Visit<'a> for Macros {
    fn visit_macro(&mut self, call: &'a syn::Macro) {
        if call.path.is_ident(self.name) {
            self.bodies.push(call.tokens.clone());
        }
    }
}

struct Impls(Vec<(String, bool)>);

impl<'a> Visit<'a> for Impls {
    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        if let Some((path, _)) = &item.trait_ {
            let mut kernels = Macros { name: "kernel", bodies: Vec::new() };
            visit::visit_item_impl(&mut kernels, item);
            let name = path.segments.last().map(|segment| segment.ident.to_string());
            self.0.push((name.unwrap_or_default(), !kernels.bodies.is_empty()));
        }
        visit::visit_item_impl(self, item);
    }
}

/// Reads `enum Engine(from): Trait in "folder" { lines }`, or `Trait<Of> or Trait<Of>`, and checks no more than it needs.
fn list(file: &str, body: TokenStream) -> Result<List> {
    let tokens: Vec<_> = body.into_iter().collect();
    let at_in = tokens.iter().position(|token| is_word(token, "in")).context("no `in`")?;
    let at_enum = tokens.iter().position(|token| is_word(token, "enum")).context("no `enum`")?;
    let roles = roles(&tokens[at_enum..at_in])?;
    let folder = tokens.get(at_in + 1).and_then(string).context("no folder after `in`")?;
    let Some(TokenTree::Group(lines)) = tokens.last() else { bail!("no lines") };
    let mut backends = Vec::new();
    let lines: Vec<_> = lines.stream().into_iter().collect();
    for line in lines.split(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ',')) {
        if !line.is_empty() {
            backends.push(backend(wing(file, &folder), &folder, &roles, line)?);
        }
    }
    Ok(List { file: file.into(), roles, folder, backends })
}

/// The names after the colon, and after each `or`.
fn roles(tokens: &[TokenTree]) -> Result<Vec<String>> {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ':');
    let at = tokens.iter().position(is_colon).context("no trait")?;
    let parts = tokens[at + 1..].split(|token| is_word(token, "or"));
    parts
        .map(|part| match part.first() {
            Some(TokenTree::Ident(role)) => Ok(role.to_string()),
            other => bail!("{other:?} is no trait"),
        })
        .collect()
}

/// The folder that a primitive's folder is in, given the file of its list.
fn wing<'a>(file: &'a str, folder: &str) -> &'a str {
    let home = file.rsplit_once('/').map_or("", |(home, _)| home);
    home.strip_suffix(folder).map_or(home, |wing| wing.trim_end_matches('/'))
}

/// Reads `"name" (… 16 lanes) needs Token => Variant(type)`, which begins with a word if it is of the second kind.
fn backend(wing: &str, folder: &str, roles: &[String], line: &[TokenTree]) -> Result<Backend> {
    let at = line.iter().position(|token| string(token).is_some()).context("a line has no name")?;
    let second = at > 0 && matches!(line[at - 1], TokenTree::Ident(_));
    let role = roles.get(usize::from(second)).context("a line is of a kind that has no trait")?;
    let short = string(&line[at]).unwrap_or_default();
    let after = |word| {
        let at = line.iter().position(|token| is_word(token, word))?;
        Some(line.get(at + 1)?.to_string())
    };
    let token = after("needs").with_context(|| format!("{short} does not say what it needs"))?;
    let lanes = match line.get(at + 1) {
        Some(TokenTree::Group(prices)) => before(prices, "lanes"),
        _ => None,
    };
    let Some(TokenTree::Group(of)) = line.last() else { bail!("{short} names no type") };
    Ok(Backend {
        name: format!("{folder}/{short}"),
        wing: wing.into(),
        role: role.clone(),
        token,
        lanes: lanes.map_or("1".into(), |lanes| lanes.to_string()),
        modules: modules(of),
    })
}

/// The token before a word.
fn before(group: &Group, word: &str) -> Option<TokenTree> {
    let tokens: Vec<_> = group.stream().into_iter().collect();
    let at = tokens.iter().position(|token| is_word(token, word))?;
    tokens.get(at.checked_sub(1)?).cloned()
}

/// The modules of a type in parentheses.
fn modules(of: &Group) -> String {
    let of = of.stream().into_iter();
    let path = of.take_while(|token| !matches!(token, TokenTree::Punct(p) if p.as_char() == '<'));
    let mut words: Vec<_> =
        path.filter(|token| matches!(token, TokenTree::Ident(_))).map(|t| t.to_string()).collect();
    words.pop();
    words.join("/")
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

/// The text of a string literal, bare or passed on by a macro.
fn string(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            Some(text.strip_prefix('"')?.strip_suffix('"')?.into())
        }
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            group.stream().into_iter().next().as_ref().and_then(string)
        }
        _ => None,
    }
}
