//! Why ropewalk does not serve programs.

use super::{
    configuration::{self, SECTION},
    view::{Served, View},
};

/// The reason, as shown by OpenSSL itself and the files; none if ropewalk serves.
pub(super) fn of(view: &View) -> Option<String> {
    if let Some(barred) = view.barred.first() {
        return Some(format!("permission denied: {barred}"));
    }
    if let Some(why) = &view.unread {
        return Some(format!("OpenSSL does not read the configuration: {why}"));
    }
    if view.file.is_none() {
        return Some("OpenSSL reads no configuration".into());
    }
    if view.section(SECTION.as_bytes()).is_none() {
        return Some(
            "the configuration has no ropewalk: it was not written by `ropewalk provider install`"
                .into(),
        );
    }
    if let Some(why) = view.unloadable.first() {
        return Some(format!("a module cannot be loaded: {why}"));
    }
    if !view.has("ropewalk") {
        return Some(match view.failed.as_slice() {
            [] => "the module was loaded, and refuses to begin".into(),
            failed => {
                format!("OpenSSL stops at an error of the configuration: {}", failed.join(", "))
            }
        });
    }
    if view.sound == Some(false) {
        return Some("the module was loaded, and its self-test fails".into());
    }
    // The answers of other providers are not judged here.
    let wrong = |served: &&Served| served.is_ours() && served.right == Some(false);
    if let Some(wrong) = view.served.iter().find(wrong) {
        return Some(format!("the module was loaded, and its {} gives a wrong answer", wrong.name));
    }
    if view.ours() > 0 {
        return None;
    }
    if !view.failed.is_empty() {
        let failed = view.failed.join(", ");
        return Some(format!(
            "the module was loaded, and OpenSSL stops at an error after it: {failed}"
        ));
    }
    let entry = view.value(b"default", b"openssl_conf").unwrap_or_default();
    let properties = configuration::properties(view, entry).unwrap_or_default();
    let properties = String::from_utf8_lossy(properties);
    Some(match view.fips {
        true => format!(
            "the module was loaded, and the property `fips` must be `yes`, which it is of none of its algorithms: {properties}"
        ),
        false => format!(
            "the module was loaded, and other providers are preferred: default_properties = {properties}"
        ),
    })
}
