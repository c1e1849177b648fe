//! A configuration for OpenSSL that includes the one in use, and adds ropewalk to it.
//!
//! Nothing is copied, and no existing section gets another value: an entry of a configuration may have
//! several `providers` and `alg_section`, with different suffixes after a dot. Ropewalk's properties come
//! last, and take effect.

use std::{
    ffi::OsString,
    os::unix::ffi::{OsStrExt as _, OsStringExt as _},
    path::{Path, PathBuf},
};

use super::view::View;

/// The first bytes of a file that `ropewalk provider install` has written.
pub(super) const MARK: &[u8] =
    b"# Written by `ropewalk provider install`, and removed by `ropewalk provider uninstall`.\n";

/// The section of ropewalk.
pub(super) const SECTION: &str = "ropewalk_module";
/// The key that OpenSSL reads there, and the key that the loader reads.
pub(super) const KEYS: [&str; 2] = ["module", "ropewalk-module"];

/// The entry that OpenSSL reads, unless a program sets another name.
const ENTRY: &str = "openssl_conf";
/// The entry that Node.js reads instead.
pub(super) const NODE: &str = "nodejs_conf";

/// The modules that OpenSSL loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Modules {
    /// The provider.
    pub(super) module: PathBuf,
    /// The module that loads it, and prints a line if it cannot.
    pub(super) loader: Option<PathBuf>,
}

impl Modules {
    /// The modules that one of these configurations names.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        let [first, second] = KEYS.map(|key| value(text, key));
        let first = first?;
        Some(match second {
            Some(module) => Self { module, loader: Some(first) },
            None => Self { module: first, loader: None },
        })
    }
}

/// The configuration that one of these configurations includes.
pub(super) fn included(text: &[u8]) -> Option<PathBuf> {
    value(text, ".include")
}

/// How ropewalk is added. Whether it is right is determined with OpenSSL itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Way {
    /// Whether ropewalk is activated after the others. OpenSSL sorts its providers when it searches for one,
    /// and of two with equal preference the first serves. If ropewalk is first, the order of the others does
    /// not change; if it is last, others are preferred to it.
    pub(super) last: bool,
    /// Whether OpenSSL's own provider is activated too, for programs and for Node.js: by default it is active
    /// only if no other one is, and so would not be once ropewalk is.
    pub(super) defaults: [bool; 2],
}

/// The configuration, for these modules, the file in use, and OpenSSL's view of it.
///
/// # Errors
/// If nothing can be added to the file.
pub(super) fn write(
    modules: &Modules,
    source: Option<&Path>,
    before: &View,
    way: Way,
) -> Result<Vec<u8>, String> {
    let entry = before.value(b"default", ENTRY.as_bytes());
    let node = before.value(b"default", NODE.as_bytes());
    let named = (entry.is_some(), node.is_some());
    let entry = entry.unwrap_or(b"ropewalk_init");
    // The entry of other programs is not for Node.js.
    let is_ours = before.section(entry).is_none_or(|section| section.values.is_empty());
    let node = node.unwrap_or(if is_ours { entry } else { b"ropewalk_nodejs" });
    let mut entries = vec![(entry, "", way.defaults[0])];
    if node != entry {
        entries.push((node, "_nodejs", way.defaults[1]));
    }

    let mut to = Writer(MARK.to_vec());
    if !way.last {
        for (entry, suffix, _) in &entries {
            to.section(entry)?;
            to.providers(suffix);
        }
    }
    to.section(b"default")?;
    if let Some(source) = source {
        to.value(".include", source.as_os_str().as_bytes());
        // The included file may end in another section.
        to.section(b"default")?;
    }
    if !named.0 {
        to.value(ENTRY, entry);
    }
    if !named.1 {
        to.value(NODE, node);
    }
    for (entry, suffix, with_default) in entries {
        to.section(entry)?;
        if way.last {
            to.providers(suffix);
        }
        to.entry(entry, suffix, before, with_default)?;
    }
    to.section(SECTION.as_bytes())?;
    let module = modules.module.as_os_str().as_bytes();
    match &modules.loader {
        Some(loader) => {
            to.value(KEYS[0], loader.as_os_str().as_bytes());
            to.value(KEYS[1], module);
        }
        None => to.value(KEYS[0], module),
    }
    to.value("activate", b"1");
    Ok(to.0)
}

struct Writer(Vec<u8>);

impl Writer {
    /// Opens a section.
    fn section(&mut self, name: &[u8]) -> Result<(), String> {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
        if name.is_empty() || !name.iter().all(plain) {
            let name = String::from_utf8_lossy(name);
            return Err(format!(
                "the section `{name}` has a name that cannot be written: letters, digits, _ - and . can"
            ));
        }
        self.0.extend([b"[", name, b"]\n"].concat());
        Ok(())
    }

    /// Writes a value, so that OpenSSL reads it back unchanged.
    fn value(&mut self, name: &str, value: &[u8]) {
        self.0.extend([name.as_bytes(), b" = "].concat());
        for &byte in value {
            match byte {
                b'\n' => self.0.extend(b"\\n"),
                b'\r' => self.0.extend(b"\\r"),
                b'\\' | b'$' | b'#' | b'\'' | b'"' => self.0.extend([b'\\', byte]),
                _ => self.0.push(byte),
            }
        }
        self.0.push(b'\n');
    }

    fn providers(&mut self, suffix: &str) {
        self.value("providers.ropewalk", format!("ropewalk_providers{suffix}").as_bytes());
    }

    /// Writes the entry for programs: the rest of its section, and the sections that it names.
    fn entry(
        &mut self,
        entry: &[u8],
        suffix: &str,
        before: &View,
        with_default: bool,
    ) -> Result<(), String> {
        let providers = format!("ropewalk_providers{suffix}");
        let algorithms = format!("ropewalk_algorithms{suffix}");
        self.value("alg_section.ropewalk", algorithms.as_bytes());
        self.section(providers.as_bytes())?;
        self.value("ropewalk", SECTION.as_bytes());
        if with_default {
            self.value("default", b"ropewalk_default");
        }
        if with_default {
            self.section(b"ropewalk_default")?;
            self.value("activate", b"1");
        }
        self.section(algorithms.as_bytes())?;
        self.value("default_properties", &joined(properties(before, entry)));
        Ok(())
    }
}

/// The required or preferred properties of algorithms in an entry: the last setting.
pub(super) fn properties<'a>(view: &'a View, entry: &[u8]) -> Option<&'a [u8]> {
    let values = &view.section(entry)?.values;
    let sections = values.iter().filter(|(name, _)| {
        name.strip_prefix(b"alg_section").is_some_and(|rest| rest.is_empty() || rest[0] == b'.')
    });
    let mut said = sections.filter_map(|(_, section)| view.value(section, b"default_properties"));
    said.next_back()
}

/// These properties, plus a preference for ropewalk. OpenSSL rejects queries that name a property twice.
fn joined(before: Option<&[u8]>) -> Vec<u8> {
    let before = before.unwrap_or_default();
    let ours: &[u8] = match names_provider(before) {
        true => b"?ropewalk.provider=yes",
        false => b"?provider=ropewalk",
    };
    match before.trim_ascii() {
        b"" => ours.to_vec(),
        before => [before, b",", ours].concat(),
    }
}

/// Whether a query names the property `provider`.
fn names_provider(query: &[u8]) -> bool {
    let mut quote = None;
    let clauses = query.split(|byte| {
        match (quote, *byte) {
            (None, b'\'' | b'"') => quote = Some(*byte),
            (Some(open), byte) if byte == open => quote = None,
            _ => {}
        }
        quote.is_none() && *byte == b','
    });
    let name = |clause: &[u8]| {
        let clause = clause.trim_ascii_start();
        let clause = clause.strip_prefix(b"?").or(clause.strip_prefix(b"-")).unwrap_or(clause);
        let clause = clause.trim_ascii_start();
        let end = clause.iter().position(|byte| b"=! \t".contains(byte)).unwrap_or(clause.len());
        clause[..end].eq_ignore_ascii_case(b"provider")
    };
    clauses.into_iter().any(name)
}

/// The value of a name in one of these configurations, which has each only once.
fn value(text: &[u8], name: &str) -> Option<PathBuf> {
    let mut lines = text.split(|byte| *byte == b'\n');
    let line = lines.find_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b" = "))?;
    let mut value = Vec::new();
    let mut bytes = line.iter();
    while let Some(&byte) = bytes.next() {
        value.push(match byte {
            b'\\' => match *bytes.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                other => other,
            },
            _ => byte,
        });
    }
    Some(OsString::from_vec(value).into())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;
    use crate::commands::provider::view::Section;

    fn alone(module: &str) -> Modules {
        Modules { module: module.into(), loader: None }
    }

    fn view(sections: &[(&str, &[(&str, &str)])]) -> View {
        let section = |(name, values): &(&str, &[(&str, &str)])| Section {
            name: name.as_bytes().into(),
            values: values.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
        };
        View { sections: sections.iter().map(section).collect(), ..View::default() }
    }

    fn written(modules: &Modules, source: Option<&Path>, before: &View, way: Way) -> String {
        String::from_utf8(write(modules, source, before, way).unwrap()).unwrap()
    }

    #[test]
    fn without_any_before() {
        let both = Way { defaults: [true; 2], last: false };
        let text = written(&alone("/opt/ropewalk.so"), None, &View::default(), both);
        let text = text.strip_prefix(std::str::from_utf8(MARK).unwrap()).unwrap();
        assert_eq!(
            text,
            "[ropewalk_init]\nproviders.ropewalk = ropewalk_providers\n\
             [default]\nopenssl_conf = ropewalk_init\nnodejs_conf = ropewalk_init\n\
             [ropewalk_init]\nalg_section.ropewalk = ropewalk_algorithms\n\
             [ropewalk_providers]\nropewalk = ropewalk_module\ndefault = ropewalk_default\n\
             [ropewalk_default]\nactivate = 1\n\
             [ropewalk_algorithms]\ndefault_properties = ?provider=ropewalk\n\
             [ropewalk_module]\nmodule = /opt/ropewalk.so\nactivate = 1\n"
        );
        assert_eq!(Modules::of(text.as_bytes()), Some(alone("/opt/ropewalk.so")));
        assert_eq!(included(text.as_bytes()), None);
    }

    #[test]
    fn what_is_in_use_stays() {
        let before = view(&[
            ("default", &[("openssl_conf", "start")]),
            ("start", &[("ssl_conf", "tls"), ("alg_section", "a"), ("alg_section.2", "b")]),
            ("a", &[("default_properties", "?provider=hsm")]),
            ("b", &[("default_properties", "?quick=yes")]),
        ]);
        let source = Path::new("/etc/openssl.cnf");
        let text = written(&alone("/m.so"), Some(source), &before, Way::default());
        assert_eq!(included(text.as_bytes()).as_deref(), Some(source));
        let text = text.strip_prefix(std::str::from_utf8(MARK).unwrap()).unwrap();
        assert_eq!(
            text,
            "[start]\nproviders.ropewalk = ropewalk_providers\n\
             [ropewalk_nodejs]\nproviders.ropewalk = ropewalk_providers_nodejs\n\
             [default]\n.include = /etc/openssl.cnf\n\
             [default]\nnodejs_conf = ropewalk_nodejs\n\
             [start]\nalg_section.ropewalk = ropewalk_algorithms\n\
             [ropewalk_providers]\nropewalk = ropewalk_module\n\
             [ropewalk_algorithms]\ndefault_properties = ?quick=yes,?provider=ropewalk\n\
             [ropewalk_nodejs]\nalg_section.ropewalk = ropewalk_algorithms_nodejs\n\
             [ropewalk_providers_nodejs]\nropewalk = ropewalk_module\n\
             [ropewalk_algorithms_nodejs]\ndefault_properties = ?provider=ropewalk\n\
             [ropewalk_module]\nmodule = /m.so\nactivate = 1\n"
        );
    }

    #[test]
    fn a_section_that_cannot_be_written() {
        let before = view(&[("default", &[("openssl_conf", "the]start")])]);
        let error = write(&alone("/m.so"), None, &before, Way::default()).unwrap_err();
        assert!(error.contains("`the]start`"), "{error}");
    }

    #[test]
    fn preferences_are_joined() {
        let join = |before: &str| String::from_utf8(joined(Some(before.as_bytes()))).unwrap();
        assert_eq!(join(""), "?provider=ropewalk");
        assert_eq!(join("fips=yes"), "fips=yes,?provider=ropewalk");
        for theirs in ["?provider=tpm2", "-provider", "fips=no , ? Provider != 'a,b'", "provider"] {
            assert_eq!(join(theirs), format!("{theirs},?ropewalk.provider=yes"));
        }
        for theirs in ["x='a,provider=b'", "providers=a", "a.provider=b"] {
            assert_eq!(join(theirs), format!("{theirs},?provider=ropewalk"));
        }
    }

    #[test]
    fn a_loader_is_told_what_to_load() {
        let modules = Modules { loader: Some("/etc/l.so".into()), ..alone("/opt/ropewalk.so") };
        let text = written(&modules, None, &View::default(), Way::default());
        assert!(
            text.contains("module = /etc/l.so\nropewalk-module = /opt/ropewalk.so\n"),
            "{text}"
        );
        assert_eq!(Modules::of(text.as_bytes()), Some(modules));
        assert_eq!(Modules::of(MARK), None);
    }

    #[test]
    fn paths_of_any_bytes() {
        let odd = OsStr::from_bytes(b"/a$b#c'd\\e\"f;g h\n\xe9/m.so");
        let modules = Modules { module: odd.into(), loader: Some(odd.into()) };
        let text = write(&modules, Some(Path::new(odd)), &View::default(), Way::default());
        let text = text.unwrap();
        let escaped = b"/a\\$b\\#c\\'d\\\\e\\\"f;g h";
        assert!(text.windows(escaped.len()).any(|part| part == escaped), "{text:?}");
        assert_eq!(Modules::of(&text), Some(modules));
        assert_eq!(included(&text).as_deref(), Some(Path::new(odd)));
    }
}
