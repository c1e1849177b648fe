//! The paths that a file names from the root of its crate.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{
    Attribute, Ident, ImplItem, Item, Meta, Token, UseTree,
    punctuated::Punctuated,
    visit::{self, Visit},
};

/// A path from the root of the crate, and the line that it is in.
pub(super) struct Named {
    pub(super) path: Vec<String>,
    pub(super) line: usize,
}

/// Collects the paths of a file that begin with `crate` or `super`. Code for tests only is skipped.
pub(super) struct Paths {
    /// The module that is being read.
    module: Vec<String>,
    pub(super) named: Vec<Named>,
}

impl Paths {
    /// Of a file that is this module.
    pub(super) fn of(module: &[String]) -> Self {
        Self { module: module.to_vec(), named: Vec::new() }
    }

    /// Notes a path as it is written.
    fn note(&mut self, written: &[String], line: usize) {
        let mut path = match written.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("super" | "self") => self.module.clone(),
            _ => return,
        };
        for part in written {
            match part.as_str() {
                "crate" | "self" => {}
                "super" => _ = path.pop(),
                part => path.push(part.to_owned()),
            }
        }
        self.named.push(Named { path, line });
    }

    fn note_tree(&mut self, tree: &UseTree, before: &[String]) {
        for leaf in leaves(tree, before) {
            self.note(&leaf.path, leaf.line);
        }
    }

    /// Notes the paths in the tokens of a macro, which are not parsed.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut written: Vec<String> = Vec::new();
        let mut line = 0;
        let mut colons = 0;
        for token in tokens {
            match &token {
                TokenTree::Punct(punct) if punct.as_char() == ':' && !written.is_empty() => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(ident) if colons == 2 => written.push(ident.to_string()),
                TokenTree::Group(group) if colons == 2 && group.delimiter() == Delimiter::Brace => {
                    let prefix = std::mem::take(&mut written);
                    self.note_group(group.stream(), &prefix);
                }
                other => {
                    self.note(&std::mem::take(&mut written), line);
                    match other {
                        TokenTree::Ident(ident) => {
                            written = vec![ident.to_string()];
                            line = ident.span().start().line;
                        }
                        TokenTree::Group(group) => self.note_tokens(group.stream()),
                        _ => {}
                    }
                }
            }
            colons = 0;
        }
        self.note(&written, line);
    }

    /// Notes the paths of a list in braces that follows a path.
    fn note_group(&mut self, tokens: TokenStream, before: &[String]) {
        let parser = Punctuated::<UseTree, Token![,]>::parse_terminated;
        if let Ok(trees) = syn::parse::Parser::parse2(parser, tokens) {
            trees.iter().for_each(|tree| self.note_tree(tree, before));
        }
    }
}

/// Skips code for tests only.
macro_rules! unless_test {
    ($($visit:ident($kind:ty) |$node:ident| $attributes:expr;)*) => {
        $(fn $visit(&mut self, $node: &'a $kind) {
            if !is_test($attributes) {
                visit::$visit(self, $node);
            }
        })*
    };
}

impl<'a> Visit<'a> for Paths {
    unless_test! {
        visit_item(Item) |item| attributes(item);
        visit_impl_item(ImplItem) |item| attributes_in_impl(item);
        visit_trait_item_fn(syn::TraitItemFn) |item| &item.attrs;
        visit_field(syn::Field) |field| &field.attrs;
        visit_field_value(syn::FieldValue) |value| &value.attrs;
        visit_variant(syn::Variant) |variant| &variant.attrs;
        visit_arm(syn::Arm) |arm| &arm.attrs;
        visit_local(syn::Local) |local| &local.attrs;
        visit_stmt_macro(syn::StmtMacro) |call| &call.attrs;
        visit_expr_call(syn::ExprCall) |call| &call.attrs;
        visit_expr_method_call(syn::ExprMethodCall) |call| &call.attrs;
        visit_expr_block(syn::ExprBlock) |block| &block.attrs;
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if item.leading_colon.is_none() {
            self.note_tree(&item.tree, &[]);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let written: Vec<String> =
            path.segments.iter().map(|part| part.ident.to_string()).collect();
        let line = path.segments.first().map_or(0, |part| part.ident.span().start().line);
        // A single word is a value, such as `self`.
        if path.leading_colon.is_none() && written.len() > 1 {
            self.note(&written, line);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.visit_path(&call.path);
        self.note_tokens(call.tokens.clone());
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn attributes_in_impl(item: &ImplItem) -> &[Attribute] {
    match item {
        ImplItem::Const(item) => &item.attrs,
        ImplItem::Fn(item) => &item.attrs,
        ImplItem::Macro(item) => &item.attrs,
        ImplItem::Type(item) => &item.attrs,
        _ => &[],
    }
}

/// The names that the items of a module import, and the path of each from the root of the crate.
pub(super) fn imported(module: &[String], items: &[Item]) -> Vec<(String, Vec<String>)> {
    let imports = items.iter().filter_map(|item| match item {
        Item::Use(import) if !is_test(&import.attrs) => Some(&import.tree),
        _ => None,
    });
    let whole = |written: Vec<String>| match written.first().map(String::as_str) {
        Some("crate") => written[1..].to_vec(),
        Some("self") => [module, &written[1..]].concat(),
        _ => [module, &written].concat(),
    };
    imports
        .flat_map(|tree| leaves(tree, &[]))
        .filter_map(|leaf| Some((leaf.name?, whole(leaf.path))))
        .collect()
}

/// One import of a `use`.
struct Leaf {
    /// The path as it is written.
    path: Vec<String>,
    /// The name that it has here; `None` for `*`.
    name: Option<String>,
    line: usize,
}

/// The imports of a `use`, below the path `before`.
fn leaves(tree: &UseTree, before: &[String]) -> Vec<Leaf> {
    let with = |ident: &Ident| [before, &[ident.to_string()]].concat();
    let leaf = |ident: &Ident, name: &Ident| Leaf {
        path: with(ident),
        name: Some(name.to_string()),
        line: ident.span().start().line,
    };
    match tree {
        UseTree::Path(part) => leaves(&part.tree, &with(&part.ident)),
        UseTree::Group(group) => group.items.iter().flat_map(|tree| leaves(tree, before)).collect(),
        UseTree::Name(it) => vec![leaf(&it.ident, &it.ident)],
        UseTree::Rename(it) => vec![leaf(&it.ident, &it.rename)],
        UseTree::Glob(glob) => {
            let line = glob.star_token.spans[0].start().line;
            vec![Leaf { path: before.to_vec(), name: None, line }]
        }
    }
}

/// Whether code with these attributes is compiled for tests only.
pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<Meta>().is_ok_and(|condition| needs_test(&condition))
    })
}

/// Whether a condition holds only in tests.
fn needs_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(name) => name.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => {
            let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
            list.parse_args_with(parser).is_ok_and(|all| all.iter().any(needs_test))
        }
        _ => false,
    }
}
