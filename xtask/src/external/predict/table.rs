//! The tables of predictions.

use super::{CORES, Prediction};

/// The head of the table of all kernels.
pub(super) fn kernels() -> String {
    let cores = CORES.map(|core| core.column).join(" | ");
    let rules = "---: | ".repeat(2 * CORES.len() + 3);
    format!(
        "| a byte, *predicted* | step | instructions | {cores} | obvious loop: instructions | {cores} |\n\
         | --- | {}|",
        rules.trim_end_matches(' ').trim_end_matches('|')
    )
}

/// A kernel, and the plain loop to compare it with.
pub(super) fn row(
    task: &str,
    backend: &str,
    ours: &Prediction,
    plain: Option<&Prediction>,
) -> String {
    let figures = |of: Option<&Prediction>| {
        let cycles = (0..CORES.len()).map(|core| of.and_then(|of| of.cycles[core]));
        let all = [of.map(|of| of.instructions)].into_iter().chain(cycles);
        all.map(|value| value.map_or("–".into(), figure)).collect::<Vec<_>>().join(" | ")
    };
    let step = ours.step.map_or("–".into(), |bytes| bytes.to_string());
    format!("| {task}, `{backend}` | {step} | {} | {} |", figures(Some(ours)), figures(plain))
}

/// The head of the table of the gain from instructions.
pub(super) const SWITCHED: &str = "\
| cycles a byte, *predicted* | core | with its instructions | without | times | portable | times |
| --- | --- | ---: | ---: | ---: | ---: | ---: |";

/// A line for each core: with the instructions, without them, and portable.
pub(super) fn switched(task: &str, three: &[Prediction]) -> Vec<String> {
    let line = |(index, core): (usize, &super::Core)| {
        let cycles: Option<Vec<_>> = three.iter().map(|of| of.cycles[index]).collect();
        let [with, without, portable] = cycles?[..] else { return None };
        let [a, b] =
            [without, portable].map(|slow| format!("{} | {} ×", figure(slow), figure(slow / with)));
        Some(format!("| {task} | {} | {} | {a} | {b} |", core.column, figure(with)))
    };
    CORES.iter().enumerate().filter_map(line).collect()
}

/// Three digits, as in the other tables.
fn figure(value: f64) -> String {
    let digits = match value {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    match value < 1.0 {
        true => format!("{value:.3}").trim_start_matches('0').into(),
        false => format!("{value:.digits$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(cycles: [Option<f64>; 4]) -> Prediction {
        Prediction { step: Some(64), instructions: 2.5, cycles }
    }

    #[test]
    fn figures_have_three_digits() {
        assert_eq!([0.6254, 1.3, 12.34, 123.4].map(figure), [".625", "1.30", "12.3", "123"]);
    }

    #[test]
    fn rows_say_what_there_is_not() {
        let ours = prediction([None, Some(0.5), Some(0.25), None]);
        assert_eq!(
            row("t", "p/b", &ours, None),
            "| t, `p/b` | 64 | 2.50 | – | .500 | .250 | – | – | – | – | – | – |"
        );
        let columns = |line: &str| line.matches('|').count();
        let head = kernels();
        let (head, rule) = head.split_once('\n').unwrap();
        assert_eq!(columns(head), columns(rule));
        assert_eq!(columns(head), columns(&row("t", "p/b", &ours, None)));
    }

    #[test]
    fn what_is_slower_is_so_many_times_slower() {
        let three = [
            prediction([Some(0.5), Some(0.5), None, Some(1.0)]),
            prediction([Some(5.0), Some(6.0), None, Some(1.5)]),
            prediction([Some(20.0), Some(100.0), None, Some(2.0)]),
        ];
        assert_eq!(
            switched("t", &three),
            [
                "| t | N1 | .500 | 5.00 | 10.0 × | 20.0 | 40.0 × |",
                "| t | N2 | .500 | 6.00 | 12.0 × | 100 | 200 × |",
                "| t | V2 | 1.00 | 1.50 | 1.50 × | 2.00 | 2.00 × |",
            ]
        );
    }
}
