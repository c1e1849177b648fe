//! A configuration for OpenSSL that takes the system's, and ropewalk before all others.

use std::path::{Path, PathBuf};

/// How a file begins that `ropewalk provider install` has written.
pub(super) const MARK: &str =
    "# Written by `ropewalk provider install`, and removed by `ropewalk provider uninstall`.\n";

/// What OpenSSL is to load.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Modules {
    /// What provides.
    pub(super) module: PathBuf,
    /// What loads it, and says so where it cannot.
    pub(super) loader: Option<PathBuf>,
}

impl Modules {
    /// Those that a configuration of ours names.
    pub(super) fn of(text: &str) -> Option<Self> {
        let says = |key| value(text, SECTION, key).map(PathBuf::from);
        let first = says("module")?;
        Some(match says(KEY) {
            Some(module) => Self { module, loader: Some(first) },
            None => Self { module: first, loader: None },
        })
    }
}

/// The section of ropewalk.
const SECTION: &str = "ropewalk_module";
/// What the loader reads there.
const KEY: &str = "ropewalk-module";

/// The configuration, given the modules, and the system's own and its text. What that says stays true, but that ropewalk
/// comes first, and that what cannot be loaded is left out and does not stop programs.
pub(super) fn write(
    modules: &Modules,
    system: Option<&Path>,
    text: &str,
) -> Result<String, String> {
    let module = quoted(&modules.module)?;
    let loader = modules.loader.as_deref().map(quoted).transpose()?;
    let begin = value(text, "", "openssl_conf");
    let providers = begin.and_then(|begin| value(text, begin, "providers"));
    let algorithms = begin.and_then(|begin| value(text, begin, "alg_section"));
    let default = providers.and_then(|providers| value(text, providers, "default"));
    let properties = algorithms.and_then(|section| value(text, section, "default_properties"));

    let mut lines = vec![MARK.trim_end().to_owned()];
    if let Some(system) = system {
        lines.push(format!(".include = {}", quoted(system)?));
    }
    // Sections are opened again; what is said last counts.
    lines.push("[default]".into());
    lines.push("config_diagnostics = 0".into());
    lines.push(format!("openssl_conf = {}", begin.unwrap_or("ropewalk_init")));
    lines.push(format!("[{}]", begin.unwrap_or("ropewalk_init")));
    lines.push(format!("providers = {}", providers.unwrap_or("ropewalk_providers")));
    lines.push(format!("alg_section = {}", algorithms.unwrap_or("ropewalk_algorithms")));
    lines.push(format!("[{}]", providers.unwrap_or("ropewalk_providers")));
    lines.push(format!("default = {}", default.unwrap_or("ropewalk_beside")));
    lines.push(format!("ropewalk = {SECTION}"));
    lines.push(format!("[{}]", default.unwrap_or("ropewalk_beside")));
    // Otherwise it would not be there once another is.
    lines.push("activate = 1".into());
    lines.push(format!("[{SECTION}]"));
    lines.push(format!("module = {}", loader.unwrap_or(module)));
    if loader.is_some() {
        lines.push(format!("{KEY} = {module}"));
    }
    lines.push("activate = 1".into());
    lines.push(format!("[{}]", algorithms.unwrap_or("ropewalk_algorithms")));
    lines.push(match properties {
        Some(before) => format!("default_properties = {before},?provider=ropewalk"),
        None => "default_properties = ?provider=ropewalk".into(),
    });
    lines.push(String::new());
    Ok(lines.join("\n"))
}

/// A path as OpenSSL reads it: some characters mean something to it, and none of them can be told not to in a path that it
/// includes.
fn quoted(path: &Path) -> Result<&str, String> {
    let text =
        path.to_str().filter(|text| !text.contains(['$', '#', '\\', '\'', '"', '\n', '\r', ';']));
    text.ok_or_else(|| {
        format!("OpenSSL reads no path like {}: no $ # ; \\ or quotes", path.display())
    })
}

/// What a section says of a name, at last. The first section has no name.
fn value<'a>(text: &'a str, section: &str, name: &str) -> Option<&'a str> {
    let (mut here, mut found) = ("", None);
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(opened) = line.strip_prefix('[') {
            here = opened.trim_end_matches(']').trim();
            if here == "default" {
                here = "";
            }
        } else if let (true, Some((key, value))) = (here == section, line.split_once('='))
            && key.trim() == name
        {
            found = Some(value.trim());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(module: &str) -> Modules {
        Modules { module: module.into(), loader: None }
    }

    #[test]
    fn without_any_before() {
        let text = write(&alone("/opt/ropewalk.so"), None, "").unwrap();
        assert!(text.starts_with(MARK));
        assert_eq!(value(&text, "", "openssl_conf"), Some("ropewalk_init"));
        assert_eq!(value(&text, "ropewalk_init", "providers"), Some("ropewalk_providers"));
        assert_eq!(value(&text, "ropewalk_providers", "default"), Some("ropewalk_beside"));
        assert_eq!(value(&text, "ropewalk_beside", "activate"), Some("1"));
        assert_eq!(value(&text, "ropewalk_module", "module"), Some("/opt/ropewalk.so"));
        assert_eq!(value(&text, "ropewalk_module", "ropewalk-module"), None);
        assert_eq!(Modules::of(&text), Some(alone("/opt/ropewalk.so")));
        let properties = value(&text, "ropewalk_algorithms", "default_properties");
        assert_eq!(properties, Some("?provider=ropewalk"));
    }

    #[test]
    fn what_the_system_says_stays() {
        let system = "openssl_conf = start # the beginning\n[start]\nproviders = these\nssl_conf = tls\n[these]\n\
                      default = plain\nlegacy = old\n[ plain ]\n# activate = 1\n[old]\nactivate = 1\n";
        let text = write(&alone("/m.so"), Some(Path::new("/etc/openssl.cnf")), system).unwrap();
        let whole = format!("{system}{text}");
        assert!(text.contains(".include = /etc/openssl.cnf\n"));
        assert_eq!(value(&whole, "", "openssl_conf"), Some("start"));
        assert_eq!(value(&whole, "start", "ssl_conf"), Some("tls"));
        assert_eq!(value(&whole, "start", "providers"), Some("these"));
        assert_eq!(value(&whole, "these", "legacy"), Some("old"));
        assert_eq!(value(&whole, "plain", "activate"), Some("1"));
        assert_eq!(value(&whole, "these", "ropewalk"), Some("ropewalk_module"));
    }

    #[test]
    fn a_loader_is_told_what_to_load() {
        let modules = Modules { loader: Some("/etc/l.so".into()), ..alone("/opt/ropewalk.so") };
        let text = write(&modules, None, "").unwrap();
        assert_eq!(value(&text, "ropewalk_module", "module"), Some("/etc/l.so"));
        assert_eq!(value(&text, "ropewalk_module", "ropewalk-module"), Some("/opt/ropewalk.so"));
        assert_eq!(Modules::of(&text), Some(modules));
        assert_eq!(Modules::of(MARK), None);
    }

    #[test]
    fn paths_that_openssl_would_misread() {
        for path in ["/a$b/ropewalk.so", "/a#b.so", "/a\"b.so", "/a\\b.so"] {
            let error = write(&alone(path), None, "").unwrap_err();
            assert!(error.contains(path), "{error}");
            let modules = Modules { loader: Some(path.into()), ..alone("/m.so") };
            assert!(write(&modules, None, "").unwrap_err().contains(path));
        }
        assert!(write(&alone("/a b/ropewalk.so"), None, "").is_ok());
    }
}
