//! The addresses that an emulator has executed.

use std::{collections::HashMap, io::BufRead};

use anyhow::{Context, Result, ensure};

/// The addresses from the first visit of `mark` to the second, and from the third to the fourth. The program
/// was loaded at another address, `at`, than in its file.
pub(super) fn between(log: impl BufRead, at: u64, mark: u64) -> Result<(Vec<u64>, Vec<u64>)> {
    let mut parts = [const { Vec::new() }; 5];
    let mut part = 0;
    for line in log.lines() {
        let Some(address) = address(&line?) else { continue };
        part += usize::from(address == at);
        let here = parts.get_mut(part).context("the program passes its mark too often")?;
        if part % 2 == 1 {
            here.push(address.wrapping_sub(at).wrapping_add(mark));
        }
    }
    ensure!(part == 4, "the program passes its mark too seldom");
    let [_, first, _, second, _] = parts;
    Ok((first, second))
}

/// The second field of `Trace 0: 0x7f80 [0000000000000000/0000005500000890/00000000/00000000] name`.
fn address(line: &str) -> Option<u64> {
    let states = line.strip_prefix("Trace ")?.split_once('[')?.1;
    u64::from_str_radix(states.split('/').nth(1)?, 16).ok()
}

/// The period of the loop, in bytes. The longer trace visits some address more often; these visits, times the
/// distance between them, account for all further instructions.
pub(super) fn step(short: &[u64], long: &[u64], bytes: usize) -> Option<usize> {
    let mut visits: HashMap<u64, (Vec<usize>, usize)> = HashMap::new();
    for (i, address) in long.iter().enumerate() {
        visits.entry(*address).or_default().0.push(i);
    }
    for address in short {
        visits.entry(*address).or_default().1 += 1;
    }
    let more = (long.len() - short.len()) as f64;
    let repeats = |(visits, before): &(Vec<usize>, usize)| {
        let times = visits.len().checked_sub(*before).filter(|times| *times > 1)?;
        let mut lengths: Vec<_> = visits.windows(2).map(|pair| pair[1] - pair[0]).collect();
        lengths.sort_unstable();
        let all = (lengths[lengths.len() / 2] * times) as f64;
        ((all / more - 1.0).abs() < 0.01).then_some(times)
    };
    let times = visits.values().filter_map(repeats).max()?;
    // Key wrap makes several passes over its input.
    bytes.is_multiple_of(times).then_some(bytes / times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trace_is_cut_at_the_mark() {
        let log = |addresses: &[u64]| {
            let line = |at: &u64| format!("Trace 0: 0x7f0c [00000000/{at:016x}/0b/ff] f\n");
            addresses.iter().map(line).collect::<String>() + "something else\n"
        };
        let marks = log(&[9, 0x5010, 0x6000, 0x5010, 8, 0x5010, 0x5020, 0x5010, 7]);
        let expected = (vec![0x10, 0x1000], vec![0x10, 0x20]);
        assert_eq!(between(marks.as_bytes(), 0x5010, 0x10).unwrap(), expected);
        assert!(between(log(&[1, 2, 1]).as_bytes(), 1, 1).is_err());
        assert!(between(log(&[1, 1, 1, 1, 1]).as_bytes(), 1, 1).is_err());
    }

    #[test]
    fn step_is_the_outermost_loop() {
        // Two rounds within each block, and other code before and after all of them.
        let message = |blocks: usize| {
            let mut all = vec![1];
            (0..blocks).for_each(|_| all.extend([2, 3, 4, 5, 6, 3, 4, 5, 6, 7, 8]));
            all.push(9);
            all
        };
        assert_eq!(step(&message(4), &message(12), 8 * 64), Some(64));
        assert_eq!(step(&[1, 2], &[1, 2, 3, 4], 64), None);
    }
}
