//! `openssl speed`, and the same work by the library without OpenSSL.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};

use super::{
    Run,
    openssls::{Cores, Module, OpenSsl, SIDES, Side},
};
use crate::process::{self, program};

/// What `openssl speed` is asked for.
struct Row {
    option: &'static str,
    name: &'static str,
    /// The task of `ropewalk speed` that is the same without OpenSSL: of AES-GCM, messages that each have their key set
    /// and a tag.
    task: &'static str,
}

impl Row {
    /// The task of which an endless message is less than a row does, which sets the key for each.
    fn endless(&self) -> Option<String> {
        self.task.strip_suffix("-fresh").map(str::to_owned)
    }
}

/// Every row of `openssl speed` that the provider serves.
const ROWS: &[Row] = &[
    row("-evp", "aes-128-gcm", "aes-128-gcm/seal-fresh"),
    row("-evp", "aes-192-gcm", ""),
    row("-evp", "aes-256-gcm", "aes-256-gcm/seal-fresh"),
    row("-decrypt", "aes-128-gcm", ""),
    row("-evp", "chacha20-poly1305", "chacha20-poly1305/seal"),
    row("-evp", "aes-128-ccm", ""),
    row("-evp", "aes-256-ccm", ""),
    row("-evp", "aes-128-ctr", "aes-128-ctr/encrypt"),
    row("-evp", "aes-192-ctr", ""),
    row("-evp", "aes-256-ctr", "aes-256-ctr/encrypt"),
    row("-evp", "chacha20", "chacha20/encrypt"),
    row("-evp", "aes-128-xts", "aes-128-xts/encrypt"),
    row("-evp", "aes-256-xts", "aes-256-xts/encrypt"),
    row("-decrypt", "aes-256-xts", "aes-256-xts/decrypt"),
    row("-evp", "aes-128-cbc", "aes-128-cbc/encrypt"),
    row("-evp", "aes-256-cbc", "aes-256-cbc/encrypt"),
    row("-decrypt", "aes-128-cbc", "aes-128-cbc/decrypt"),
    row("-decrypt", "aes-192-cbc", ""),
    row("-decrypt", "aes-256-cbc", "aes-256-cbc/decrypt"),
    row("-evp", "aes-128-ecb", ""),
    row("-evp", "aes-256-ecb", ""),
    row("-aead", "aes-128-gcm", ""),
    row("-aead", "aes-256-gcm", ""),
    row("-aead", "chacha20-poly1305", ""),
    row("-aead", "aes-128-ccm", ""),
    row("-mb", "aes-128-cbc-hmac-sha1", ""),
    row("-mb", "aes-128-cbc-hmac-sha256", ""),
    row("-mb", "aes-256-cbc-hmac-sha256", ""),
    row("-evp", "sha1", ""),
    row("-evp", "sha224", ""),
    row("-evp", "sha256", ""),
    row("-evp", "sha384", ""),
    row("-evp", "sha512", ""),
    row("-evp", "sha512-256", ""),
    row("-evp", "sha3-224", ""),
    row("-evp", "sha3-256", ""),
    row("-evp", "sha3-384", ""),
    row("-evp", "sha3-512", ""),
    row("-evp", "shake128", ""),
    row("-evp", "shake256", ""),
    row("-evp", "md5", ""),
    row("-hmac", "md5", ""),
    row("-hmac", "sha1", ""),
    row("-hmac", "sha256", ""),
    row("-hmac", "sha512", ""),
    row("-cmac", "aes-128-cbc", ""),
    row("-cmac", "aes-256-cbc", ""),
];

const fn row(option: &'static str, name: &'static str, task: &'static str) -> Row {
    Row { option, name, task }
}

/// The longest that `openssl speed` has by itself, at which the library is measured too.
const LONGEST: usize = 16384;

/// Each row of one OpenSSL, printed and kept as JSON.
pub(super) fn rows(run: &mut Run<'_>) -> Result<()> {
    let Run { root, module, openssl, effort, wanted, ref mut kept } = *run;
    let mut lab = None;
    for row in ROWS {
        let name = format!("{} {}", row.option, row.name);
        if !wanted(&name) {
            continue;
        }
        let mut best: BTreeMap<(Side, usize), f64> = BTreeMap::new();
        let (mut library, mut endless) = (0.0_f64, 0.0_f64);
        for _ in 0..effort.rounds {
            for side in SIDES {
                for (bytes, rate) in speed(module, openssl, side, row, effort.seconds)? {
                    let place = best.entry((side, bytes)).or_default();
                    *place = place.max(rate);
                }
            }
            if !row.task.is_empty() {
                if lab.is_none() {
                    lab = Some(build_lab(root)?);
                }
                let lab = lab.as_deref().context("it is built")?;
                library = library.max(by_library(lab, row.task)?);
                if let Some(task) = row.endless() {
                    endless = endless.max(by_library(lab, &task)?);
                }
            }
        }
        let mut text = format!("{name:30}");
        for (&(_, bytes), rate) in best.iter().filter(|((side, _), _)| *side == Side::Default) {
            let ours = best.get(&(Side::Ropewalk, bytes)).copied().unwrap_or(0.0);
            text.push_str(&format!("  {bytes}: {:.2} ({:.0})", ours / rate, ours / 1e6));
            let mut line = json!({
                "openssl": openssl.version, "row": name, "bytes": bytes, "unit": "bytes/s",
                "default": rate, "ropewalk": ours,
            });
            if bytes == LONGEST && library > 0.0 {
                line["library"] = json!(library);
                text.push_str(&format!("  of the library's own {:.2}", ours / library));
                if endless > 0.0 {
                    line["library_endless"] = json!(endless);
                    text.push_str(&format!(", endless {:.2}", ours / endless));
                }
            }
            kept.add(&line)?;
        }
        println!("{text}");
    }
    Ok(())
}

/// Bytes a second of each length, as `openssl speed` says.
fn speed(
    module: &Module,
    openssl: &OpenSsl,
    side: Side,
    row: &Row,
    seconds: u32,
) -> Result<Vec<(usize, f64)>> {
    let mut command = openssl.command(module, side, Cores::Second, "openssl");
    command.args(["speed", "-mr", "-seconds", &seconds.to_string()]);
    match row.option {
        "-decrypt" | "-aead" | "-mb" => command.args([row.option, "-evp", row.name]),
        option => command.args([option, row.name]),
    };
    let output = command.stderr(Stdio::piped()).output().context("cannot start openssl")?;
    let rates = rates(&String::from_utf8_lossy(&output.stdout));
    if rates.is_empty() {
        let why = String::from_utf8_lossy(&output.stderr);
        let why = why.lines().last().unwrap_or("nothing");
        bail!("openssl speed {} {} with {}: {why}", row.option, row.name, side.name());
    }
    Ok(rates)
}

/// Bytes a second of each length, of what `-mr` has it say: a line of lengths, and one of rates. None where there are fewer of
/// these.
pub(crate) fn rates(said: &str) -> Vec<(usize, f64)> {
    let numbers = |mark: &str| -> Vec<f64> {
        let lines = said.lines().filter_map(|line| line.strip_prefix(mark)).next_back();
        let fields =
            lines.map(|line| line.split(':').filter_map(|field| field.parse().ok()).collect());
        fields.unwrap_or_default()
    };
    let lengths = numbers("+H:");
    let rates = numbers("+F:");
    let Some(before) = rates.len().checked_sub(lengths.len()) else { return Vec::new() };
    lengths.iter().map(|&length| length as usize).zip(rates[before..].iter().copied()).collect()
}

/// The lab, which measures the library itself.
pub(crate) fn build_lab(root: &Path) -> Result<PathBuf> {
    let mut cargo = process::cargo();
    cargo.args(["build", "--release", "--package", "ropewalk-lab"]).current_dir(root);
    process::executable(&mut cargo)
}

/// Bytes a second of an endless message by the library, or of whole ones where there are no others.
fn by_library(lab: &Path, task: &str) -> Result<f64> {
    let mut why = None;
    for mode in ["stream", "message"] {
        let mut speed = program(lab);
        speed.args(["speed", task, "--peers", "none", "--seconds", "0.3", "--json", "-"]);
        speed.args(["--bytes", &LONGEST.to_string(), "--mode", mode]);
        // It fails where the task has no messages of that kind.
        let said = match process::output(&mut speed, Duration::from_secs(300)) {
            Ok(said) => said,
            Err(error) => {
                why = Some(error);
                continue;
            }
        };
        let rates = said.lines().filter_map(|line| {
            let line: Value = serde_json::from_str(line).ok()?;
            (line["peer"] == "ropewalk").then(|| line["mb_per_s"].as_f64()).flatten()
        });
        if let Some(best) = rates.reduce(f64::max) {
            return Ok(best * 1e6);
        }
    }
    let why = why.unwrap_or_else(|| anyhow!("it has no such row"));
    Err(why.context(format!("ropewalk speed says nothing of {task}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lab that fails where nothing was measured, as of messages with a key each, which are not endless.
    #[test]
    fn whole_messages_stand_in_for_endless_ones() {
        use std::{fs, os::unix::fs::PermissionsExt};

        let folder = tempfile::tempdir().unwrap();
        let lab = |measured: &str| {
            let path = folder.path().join("lab");
            let line = r#"{"peer":"ropewalk","mb_per_s":2.5}"#;
            let script = format!(
                "#!/bin/sh\ncase \"$*\" in *{measured}*) echo '{line}';; *) exit 1;; esac\n"
            );
            fs::write(&path, script).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            by_library(&path, "aes-128-gcm/seal-fresh")
        };
        assert_eq!(lab("message").unwrap(), 2.5e6);
        assert_eq!(lab("stream").unwrap(), 2.5e6);
        let error = lab("nothing").unwrap_err();
        assert!(format!("{error:#}").contains("aes-128-gcm/seal-fresh"), "{error:#}");
    }

    #[test]
    fn rates_stand_behind_lengths() {
        assert_eq!(rates("+H:1024\n+F:25:AES-128-CTR:3448629227.72\n"), [(1024, 3448629227.72)]);
        let said = "+H:16:64\n+F:25:sha256:170000000.00:480000000.00\n";
        assert_eq!(rates(said), [(16, 170000000.0), (64, 480000000.0)]);
        assert_eq!(rates("+H:16:64\n"), []);
        assert_eq!(rates("no such cipher\n"), []);
    }
}
