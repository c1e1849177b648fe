//! The differences between two machines, or between two states of one machine.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Row;
use crate::runs::Run;

/// One line for each difference that may affect figures.
pub fn differences(a: &Run, b: &Run, rows: &[Row<'_>]) -> Vec<String> {
    let mut lines = match (&a.machine, &b.machine) {
        (Some(a), Some(b)) => machines(a, b),
        (None, None) => vec!["machine: not told in A, not told in B".into()],
        (None, _) => vec!["machine: not told in A".into()],
        (_, None) => vec!["machine: not told in B".into()],
    };
    lines.extend(libraries(rows));
    lines
}

/// Fields that are compared directly: their path and their name.
const FIELDS: [(&str, &str); 15] = [
    ("/processor/brand", "processor"),
    ("/processor/vendor", "vendor"),
    ("/processor/family", "family"),
    ("/processor/model", "model"),
    ("/processor/stepping", "stepping"),
    ("/processor/microcode", "microcode"),
    ("/cores/online", "cores"),
    ("/cores/threads_per_core", "threads of a core"),
    ("/frequency/governor", "governor"),
    ("/frequency/max_khz", "most kHz"),
    ("/frequency/boost", "boost"),
    ("/hypervisor", "hypervisor"),
    ("/kernel", "kernel"),
    ("/target", "target"),
    ("/ropewalk", "ropewalk"),
];

fn machines(a: &Value, b: &Value) -> Vec<String> {
    let fields = FIELDS.iter().filter_map(|(path, name)| {
        let [a, b] = [a, b].map(|machine| said(machine.pointer(path)));
        (a != b).then(|| format!("{name}: {a} in A, {b} in B"))
    });
    let lists = [("/processor/features", "features"), ("/processor/masked", "switched off")];
    let lists = lists.iter().flat_map(|(path, name)| sets(a.pointer(path), b.pointer(path), name));
    fields.chain(lists).chain(rates(&a["rates"], &b["rates"])).collect()
}

fn said(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "not told".into(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn sets(a: Option<&Value>, b: Option<&Value>, name: &str) -> Vec<String> {
    let names = |list: Option<&Value>| -> BTreeSet<String> {
        let list = list.and_then(Value::as_array).into_iter().flatten();
        list.filter_map(|name| Some(name.as_str()?.to_owned())).collect()
    };
    let (a, b) = (names(a), names(b));
    let only = |one: &BTreeSet<String>, other: &BTreeSet<String>, which: &str| {
        let only: Vec<&str> = one.difference(other).map(String::as_str).collect();
        (!only.is_empty()).then(|| format!("{name}: {} in {which} alone", only.join(", ")))
    };
    only(&a, &b, "A").into_iter().chain(only(&b, &a, "B")).collect()
}

/// Instruction rates that differ by more than two measurements of the same processor do.
fn rates(a: &Value, b: &Value) -> Vec<String> {
    const NOISE: f64 = 0.05;
    let flat = |rates: &Value| -> Vec<(String, f64)> {
        let of_all = rates.as_object().into_iter().flatten();
        let of_one = of_all.filter_map(|(_, rates)| rates.as_object()).flatten();
        of_one.filter_map(|(name, rate)| Some((name.clone(), rate.as_f64()?))).collect()
    };
    let (a, b) = (flat(a), flat(b));
    match (a.is_empty(), b.is_empty()) {
        (true, true) => return Vec::new(),
        (true, false) => return vec!["rates: not told in A".into()],
        (false, true) => return vec!["rates: not told in B".into()],
        (false, false) => {}
    }
    let changed = a.iter().filter_map(|(name, a)| {
        let (_, b) = b.iter().find(|(other, _)| other == name)?;
        let apart = (b / a - 1.0).abs() > NOISE;
        apart.then(|| format!("rate of {name}: {a:.3} cycles in A, {b:.3} in B"))
    });
    changed.collect()
}

/// Libraries of another version. Ropewalk's version is part of the machine.
fn libraries(rows: &[Row<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for row in rows {
        let Row::Both(a, b, _) = row else { continue };
        let version = |version: &Option<String>| version.clone().unwrap_or("not told".into());
        let (before, after) = (version(&a.version), version(&b.version));
        let line = format!("{}: {before} in A, {after} in B", a.peer);
        if before != after && a.peer != crate::measure::reference::OURS && !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_thing_that_differs_is_a_line() {
        let a = json!({
            "date": "2026-01-01T00:00:00Z", "ropewalk": "0.1.0", "kernel": "6.1",
            "processor": {"brand": "X", "model": 1, "features": ["aes", "vaes"], "microcode": null},
            "rates": {"x86_64": {"mulx": 1.0, "xor": 0.25}}
        });
        let b = json!({
            "date": "2026-02-01T00:00:00Z", "ropewalk": "0.1.0", "kernel": "6.2",
            "processor": {"brand": "Y", "model": 1, "features": ["aes", "sha"], "microcode": "0x2"},
            "rates": {"x86_64": {"mulx": 1.01, "xor": 0.5}}
        });
        assert_eq!(
            machines(&a, &b),
            [
                "processor: X in A, Y in B",
                "microcode: not told in A, 0x2 in B",
                "kernel: 6.1 in A, 6.2 in B",
                "features: vaes in A alone",
                "features: sha in B alone",
                "rate of xor: 0.250 cycles in A, 0.500 in B",
            ]
        );
        assert!(machines(&a, &a).is_empty());
        assert_eq!(rates(&json!({}), &a["rates"]), ["rates: not told in A"]);
    }
}
