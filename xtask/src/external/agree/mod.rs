//! `cargo xtask agree`: compares the lab's rows with the figures of each library's own benchmark tool, of the
//! same library, in the same minutes, on the same core and in the same mode.

mod alone;
mod boringssl;
mod botan;
mod gcrypt;
mod lab;
mod openssl;
mod packages;
mod place;
mod summary;
mod tool;
mod wolfssl;

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use self::{
    lab::Lab,
    place::Place,
    summary::{Compared, Summary},
    tool::{Ready, Row, Tool},
};
use crate::external::{
    outside::{Kept, processor},
    quantile::median,
};

/// Every tool. To add one: a file here and a line below.
const TOOLS: &[&dyn Tool] = &[
    &openssl::INSTALLED,
    &openssl::NEWEST,
    &boringssl::BoringSsl,
    &gcrypt::Libgcrypt,
    &botan::Botan,
    &wolfssl::WolfSsl,
];

/// How often tool and lab measure, alternately; the median counts.
const ROUNDS: usize = 2;

/// Measures each row, or those that have one of these words in their name or their tool's, and prints them; into `keep` goes
/// what was measured, one JSON object a line.
///
/// # Errors
/// Where a tool cannot be had or fails.
pub fn run(root: &Path, seconds: u32, only: &[String], keep: Option<&Path>) -> Result<()> {
    let tools = TOOLS.iter().filter_map(|tool| Some((*tool, wanted(*tool, only)?)));
    let tools: Vec<_> = tools.collect();
    ensure!(!tools.is_empty(), "no row has one of these words: {}", only.join(", "));
    let mut kept = Kept::create(keep)?;
    let place = Place::new(root)?;
    let lab = Lab::build(root)?;
    // Everything is fetched and built before the first measurement.
    let ready: Result<Vec<_>> = tools.iter().map(|(tool, _)| tool.get(&place)).collect();
    kept.add(&json!({"processor": processor(), "seconds": seconds, "rounds": ROUNDS}))?;
    println!("{}, core {}", processor(), place.core);
    let mut all = Vec::new();
    for ((tool, rows), ready) in tools.iter().zip(ready?) {
        println!("\n{}: MB/s, or of slopes those of each further byte", tool.name());
        let of_tool = compare(*tool, rows, &ready, &lab, seconds, &mut kept)?;
        println!("{}", Summary::of(&of_tool));
        all.extend(of_tool);
    }
    if tools.len() > 1 {
        println!("\nof all tools\n{}", Summary::of(&all).spreads());
    }
    Ok(())
}

/// The rows of a tool that are selected, if there are any.
fn wanted(tool: &dyn Tool, only: &[String]) -> Option<Vec<&'static Row>> {
    let is_wanted = |row: &&Row| {
        let name = format!("{} {}", tool.name(), row.task).to_lowercase();
        only.is_empty() || only.iter().any(|word| name.contains(&word.to_lowercase()))
    };
    let rows: Vec<_> = tool.rows().iter().filter(is_wanted).collect();
    (!rows.is_empty()).then_some(rows)
}

/// Rows whose figures the tool gives in one run are measured together: the tool, the lab, the tool, the lab.
fn compare(
    tool: &dyn Tool,
    rows: &[&'static Row],
    ready: &Ready,
    lab: &Lab,
    seconds: u32,
    kept: &mut Kept,
) -> Result<Vec<Compared>> {
    let mut all = Vec::new();
    for rows in rows.chunk_by(|one, next| one.ask == next.ask) {
        let mut rates: BTreeMap<(usize, usize), [Vec<f64>; 2]> = BTreeMap::new();
        let mut version = String::new();
        for _ in 0..ROUNDS {
            let said = tool.run(ready, rows[0].ask, seconds)?;
            let answers = lab.rates(ready, rows, seconds)?;
            for (i, row) in rows.iter().enumerate() {
                for bytes in row.lengths {
                    let by_tool =
                        said.iter().find(|said| said.label == row.label && said.bytes == *bytes);
                    let by_tool = by_tool.with_context(|| {
                        format!("{} says nothing of {} at {bytes}", tool.name(), row.label)
                    })?;
                    let by_lab = answers.rate(row, *bytes).with_context(|| {
                        format!("the lab has no figure of {} at {bytes}, {}", row.task, tool.name())
                    })?;
                    let [of_tool, of_lab] = rates.entry((i, *bytes)).or_default();
                    of_tool.push(by_tool.rate);
                    of_lab.push(by_lab);
                }
            }
            version = answers.version;
        }
        for ((i, bytes), [by_tool, by_lab]) in rates {
            let row = rows[i];
            let compared = Compared { row, bytes, tool: median(&by_tool), lab: median(&by_lab) };
            println!("{compared}");
            kept.add(&json!({
                "tool": tool.name(), "library": version, "task": row.task, "mode": row.mode.name(), "bytes": bytes,
                "unit": "bytes/s", "by_tool": by_tool, "by_lab": by_lab, "ratio": compared.ratio(), "why": row.why,
            }))?;
            all.push(compared);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_words() {
        let count = |words: &[&str]| {
            let words: Vec<_> = words.iter().map(|word| word.to_string()).collect();
            TOOLS.iter().filter_map(|tool| wanted(*tool, &words)).flatten().count()
        };
        assert_eq!(count(&[]), TOOLS.iter().map(|tool| tool.rows().len()).sum::<usize>());
        assert_eq!(count(&["bssl"]), boringssl::BoringSsl.rows().len());
        assert!(count(&["SHA256"]) >= TOOLS.len());
        assert_eq!(count(&["no such row"]), 0);
    }

    /// What a run of the tool says is then asked for once.
    #[test]
    fn rows_of_one_question_follow_each_other() {
        for tool in TOOLS {
            let mut asked: Vec<_> = tool
                .rows()
                .chunk_by(|one, next| one.ask == next.ask)
                .map(|rows| rows[0].ask)
                .collect();
            let runs = asked.len();
            asked.sort();
            asked.dedup();
            assert_eq!(asked.len(), runs, "{}", tool.name());
        }
    }
}
