//! Checks that OpenSSL behaves the same with the new configuration, except for ropewalk.

use std::{collections::BTreeMap, path::Path};

use super::{
    in_use::{APPLICATIONS, InUse},
    view::{Algorithm, Query, Tls, View},
};

/// The differences, in words; empty if there are none.
fn differences(before: &View, after: &View) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(why) = &after.unread {
        return vec![format!("it would not read the configuration: {why}")];
    }
    for section in &before.sections {
        let now = after.section(&section.name).map_or(&[][..], |section| &section.values);
        // Ropewalk may be anywhere between them.
        let mut now = now.iter();
        let kept = section.values.iter().all(|value| now.any(|other| other == value));
        if !kept {
            let name = String::from_utf8_lossy(&section.name);
            found.push(format!("the section `{name}` would not be what it is"));
        }
    }
    if before.failed.is_empty() && !after.failed.is_empty() {
        found.push(format!("it would stop at an error: {}", after.failed.join(", ")));
    }
    let missing = before.providers.iter().filter(|name| !after.has(name));
    found.extend(missing.map(|name| format!("the provider `{name}` would not be active")));
    let added = after.providers.iter().filter(|name| !before.has(name) && *name != "ropewalk");
    found.extend(added.map(|name| format!("the provider `{name}` would be active")));
    if before.fips != after.fips {
        found.push("the property `fips` would not be what it is".into());
    }
    found.extend(of_tls(&before.tls, &after.tls));
    found.extend(of_algorithms(before, after));
    found
}

/// The same for each kind of program, with the new configuration. Both are queried for the algorithms that
/// either has.
pub(super) fn all_differences(
    in_use: &InUse,
    after: &[View; 2],
    libcrypto: Option<&Path>,
) -> anyhow::Result<Vec<String>> {
    let mut all = Vec::new();
    for (at, after) in after.iter().enumerate() {
        let before = &in_use.views[at];
        let more = unknown_to(before, after);
        let found = if more.is_empty() {
            differences(before, after)
        } else {
            let query = Query::new(in_use.with.clone(), libcrypto).of(APPLICATIONS[at]);
            differences(&query.run(&more)?.view, after)
        };
        all.extend(found);
    }
    all.dedup();
    Ok(all)
}

/// Algorithms in only one of the views: both must be queried for all of them.
fn unknown_to(view: &View, other: &View) -> Vec<Algorithm> {
    let key = |algorithm: &Algorithm| (algorithm.kind.clone(), algorithm.name.clone());
    let known: BTreeMap<_, _> = view.algorithms.iter().map(|a| (key(a), ())).collect();
    let others = other.algorithms.iter().filter(|algorithm| !known.contains_key(&key(algorithm)));
    others.cloned().collect()
}

fn of_algorithms(before: &View, after: &View) -> Vec<String> {
    let now: BTreeMap<_, _> =
        after.algorithms.iter().map(|a| ((&a.kind, &a.name), a.by.as_deref())).collect();
    let (mut refused, mut moved) = (Vec::new(), Vec::new());
    let (mut digests, mut allowed) = (Vec::new(), Vec::new());
    for Algorithm { kind, name, by } in &before.algorithms {
        let now = now.get(&(kind, name)).copied().flatten();
        match (by.as_deref(), now) {
            (Some(_), None) => refused.push(name.as_str()),
            // Used only by TLS records; OpenSSL's own provider has no code for this processor.
            (None, Some("ropewalk")) if before.has("default") && name.contains("-CBC-HMAC-") => {}
            (None, Some(_)) if kind == "digest" => digests.push(name.as_str()),
            (None, Some(_)) => allowed.push(name.as_str()),
            (Some(by), Some(now)) if by != now && (by, now) != ("default", "ropewalk") => {
                moved.push((name, by, now));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    if !refused.is_empty() {
        found.push(format!("these would be refused: {}", some(&refused)));
    }
    // The best known of them first.
    let allowed = [digests, allowed].concat();
    if !allowed.is_empty() {
        found.push(format!("these are refused, and would be served: {}", some(&allowed)));
    }
    if let Some((name, by, now)) = moved.first() {
        let more = match moved.len() - 1 {
            0 => String::new(),
            more => format!(" ({more} more like it)"),
        };
        found.push(format!("{name} would be of the provider `{now}`, and is of `{by}`{more}"));
    }
    found
}

/// The first few names.
fn some(names: &[&str]) -> String {
    const FEW: usize = 6;
    match names.len().checked_sub(FEW) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..FEW].join(", ")),
    }
}

fn of_tls(before: &Tls, after: &Tls) -> Vec<String> {
    let mut found = Vec::new();
    let now = match (&before.none, &after.none) {
        (Some(_), _) => return found,
        (None, Some(why)) => return vec![format!("there would be no TLS: {why}")],
        (None, None) => after,
    };
    let mut held = |what: &str, before: String, now: String| {
        if before != now {
            found.push(format!("{what} would be {now}, and is {before}"));
        }
    };
    for (at, what) in ["the least version of TLS", "the greatest version of TLS"].iter().enumerate()
    {
        held(what, version(before.versions[at]), version(now.versions[at]));
    }
    held("the security level", before.security_level.to_string(), now.security_level.to_string());
    held("the options of TLS", format!("{:#x}", before.options), format!("{:#x}", now.options));
    held("the list of cipher suites", before.suites.join(":"), now.suites.join(":"));
    found
}

/// A version of TLS, as it stands in a record.
fn version(number: i64) -> String {
    match number {
        0 => "any".into(),
        0x300 => "SSL 3.0".into(),
        0x301..=0x304 => format!("TLS 1.{}", number - 0x301),
        other => format!("{other:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::provider::view::Section;

    fn algorithm(name: &str, by: Option<&str>) -> Algorithm {
        Algorithm { kind: "digest".into(), name: name.into(), by: by.map(str::to_owned) }
    }

    fn before() -> View {
        View {
            providers: vec!["default".into(), "hsm".into()],
            algorithms: vec![
                algorithm("A", Some("default")),
                algorithm("B", Some("hsm")),
                algorithm("C", None),
            ],
            tls: Tls { versions: [0x303, 0], security_level: 2, ..Tls::default() },
            ..View::default()
        }
    }

    fn after() -> View {
        let mut after = before();
        after.providers.push("ropewalk".into());
        after.algorithms[0] = algorithm("A", Some("ropewalk"));
        after
    }

    /// The reported difference if something else has changed.
    fn with(change: impl FnOnce(&mut View)) -> String {
        let mut after = after();
        change(&mut after);
        differences(&before(), &after).join("; ")
    }

    #[test]
    fn ropewalk_alone_is_no_difference() {
        assert_eq!(with(|_| {}), "");
        assert_eq!(with(|after| after.algorithms[0] = algorithm("A", Some("default"))), "");
    }

    #[test]
    fn each_difference_is_found() {
        let found = [
            (
                with(|after| after.providers = vec!["hsm".into(), "ropewalk".into()]),
                "the provider `default` would not be active",
            ),
            (
                with(|after| after.providers.push("legacy".into())),
                "the provider `legacy` would be active",
            ),
            (with(|after| after.fips = true), "the property `fips` would not be what it is"),
            (
                with(|after| after.tls.versions[0] = 0),
                "the least version of TLS would be any, and is TLS 1.2",
            ),
            (with(|after| after.tls.security_level = 1), "the security level would be 1, and is 2"),
            (
                with(|after| after.tls.none = Some("no method".into())),
                "there would be no TLS: no method",
            ),
            (with(|after| after.algorithms[0].by = None), "these would be refused: A"),
            (
                with(|after| after.algorithms[1].by = Some("ropewalk".into())),
                "B would be of the provider `ropewalk`, and is of `hsm`",
            ),
            (
                with(|after| after.algorithms[2].by = Some("ropewalk".into())),
                "these are refused, and would be served: C",
            ),
            (
                with(|after| after.failed.push("duplicated name".into())),
                "it would stop at an error: duplicated name",
            ),
        ];
        for (found, said) in found {
            assert_eq!(found, said);
        }
    }

    #[test]
    fn sections_may_grow() {
        let section = |values: &[&str]| Section {
            name: b"tls".to_vec(),
            values: values.iter().map(|name| ((*name).into(), b"1".to_vec())).collect(),
        };
        let with = |values: &[&str]| View { sections: vec![section(values)], ..View::default() };
        for other in [&["a", "b", "c"][..], &["c", "a", "b"], &["a", "c", "b"]] {
            assert!(differences(&with(&["a", "b"]), &with(other)).is_empty());
        }
        for other in [&["b", "a"][..], &[], &["b"], &["a"]] {
            assert_eq!(
                differences(&with(&["a", "b"]), &with(other)),
                ["the section `tls` would not be what it is"]
            );
        }
    }
}
