//! The final output of `speed`: warnings, tables, the command that repeats the run, and one sentence.

use anstyle::Style;

use super::{
    legend::legend,
    library::libraries,
    ranking::{self, RATIO, Shown},
    summary,
    table::{Sheet, Shows},
    unit::Unit,
    words,
};
use crate::terminal::Size;

/// The sizes of messages on the headline screen, in bytes.
pub const HEADLINE: [usize; 2] = [64, 16384];

/// How the results of a run are shown.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// A line for each task instead of a table for each.
    pub headline: bool,
    /// Every backend, with cycles, shares and lines through all sizes.
    pub wide: bool,
    /// Every reason, note and warning.
    pub why: bool,
    /// No warnings or explanations.
    pub quiet: bool,
    /// The unit of figures.
    pub unit: Unit,
    /// The library for ratios.
    pub against: Option<String>,
}

/// The properties of a run besides its tables.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The processor, in one line.
    pub machine: String,
    /// The libraries, a line each.
    pub libraries: String,
    /// Variables that were removed for libraries, in a line; nothing if none is set.
    pub not_given: String,
    /// The command that repeats it.
    pub again: String,
    /// The number of measured figures, and of planned ones, if the user has interrupted.
    pub stopped: Option<(usize, usize)>,
}

/// The screen of a run.
pub fn screen(view: &View, run: &Run, sheets: &[Sheet], size: Size) -> String {
    let tables = match view {
        View { wide: true, .. } => wide(run, sheets, size),
        View { headline: true, .. } => headline(run, sheets, size),
        _ => rankings(view, run, sheets, size),
    };
    let mut text = tables;
    if view.why && !view.wide {
        text += &format!("\n{}\n{}", run.libraries, reasons(sheets, size.columns));
    }
    if view.quiet {
        return text;
    }
    if !view.wide {
        let hint = if view.why { "" } else { " (why: --why)" };
        text += &ranking::absent(sheets, hint, size.columns);
    }
    text += &run.not_given;
    if let Some((done, all)) = run.stopped {
        text += &match done < all {
            true => format!("Stopped: {done} of {all} figures were measured.\n"),
            false => format!("Stopped: each of {all} figures has fewer samples than it should.\n"),
        };
    }
    if !run.again.is_empty() {
        text += &format!("{DIM}again: {}{DIM:#}\n", run.again);
    }
    text += &sentence(view, sheets, size.columns);
    text
}

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// Whether the tables of this run are always wide: their cells have several figures.
pub fn is_wide(sheet: &Sheet) -> bool {
    sheet.shows != Shows::Speed || sheet.expected.is_some()
}

fn wide(run: &Run, sheets: &[Sheet], size: Size) -> String {
    let tables: Vec<String> = sheets.iter().map(|sheet| sheet.render(size.columns)).collect();
    let legend = legend(sheets, size.columns);
    let head = match run.libraries.is_empty() {
        true => String::new(),
        false => format!("{}\n{}\n", run.machine, run.libraries),
    };
    let legend = if legend.is_empty() { legend } else { format!("\n{legend}\n") };
    format!("{head}{}{legend}", tables.join("\n"))
}

fn headline(run: &Run, sheets: &[Sheet], size: Size) -> String {
    let sizes = sheets.first().map_or(0, |sheet| sheet.sizes.len());
    let block = sheets.len() + 2;
    // Lines below the tables: the legend, missing libraries, the command that repeats the run, the sentence.
    const REST: usize = 7;
    let fit = size.rows.map_or(sizes, |height| (height.saturating_sub(REST) / block).max(1));
    let mut text = String::new();
    let mut has_ratios = false;
    let mut dropped: Vec<String> = Vec::new();
    // The largest first: it is the one that is shown if there is space for only one.
    for at in (0..sizes).rev().take(fit) {
        let what = sheets.first().map_or("", |sheet| sheet.sizes[at].as_str());
        let calls = sheets.first().and_then(|sheet| sheet.title.split_once(", "));
        let calls = calls.map_or("", |(_, calls)| calls.split(", ").next().unwrap_or_default());
        let calls = calls.strip_suffix(" a call").unwrap_or(calls);
        let right = format!("{what}, {calls}, one core");
        let room = size.columns.min(WIDEST).saturating_sub(run.machine.chars().count() + 2);
        text += &match right.chars().count() <= room {
            true => format!("{BOLD}{}  {right:>room$}{BOLD:#}\n", run.machine),
            false => format!("{BOLD}{right}{BOLD:#}\n"),
        };
        let table = summary::table(sheets, at, size.columns);
        text += &table.text;
        has_ratios |= table.has_ratios;
        let first = table.dropped.into_iter().filter(|head| !dropped.contains(head));
        dropped.extend(first.collect::<Vec<_>>());
    }
    if !dropped.is_empty() {
        text += &words::note(&format!("no room for {}", dropped.join(", ")), size.columns);
    }
    if has_ratios {
        text += &words::note("x: the speed of ropewalk over that of the library", size.columns);
    }
    text
}

/// The title of a table is no wider than the table.
const WIDEST: usize = 80;

fn rankings(view: &View, run: &Run, sheets: &[Sheet], size: Size) -> String {
    let shown = Shown { unit: view.unit, against: view.against.as_deref(), width: size.columns };
    let mut text = format!("{}\n", run.machine);
    for sheet in sheets {
        text.push('\n');
        text += &match is_wide(sheet) {
            true => sheet.render(size.columns),
            false => ranking::table(sheet, &shown),
        };
    }
    if sheets.iter().any(is_wide) && !view.quiet {
        text += &format!("\n{}\n", legend(sheets, size.columns));
    }
    text
}

/// Why figures are missing, and notes on the others.
fn reasons(sheets: &[Sheet], width: usize) -> String {
    let notes: Vec<(String, String)> =
        sheets.iter().map(|sheet| (sheet.title.clone(), sheet.notes(width))).collect();
    let mut text = String::new();
    for (title, notes) in notes.iter().filter(|(_, notes)| !notes.is_empty()) {
        text += &format!("{BOLD}{title}{BOLD:#}\n{notes}");
    }
    text
}

fn sentence(view: &View, sheets: &[Sheet], width: usize) -> String {
    let speeds: Vec<&Sheet> = sheets.iter().filter(|sheet| !is_wide(sheet)).collect();
    if speeds.is_empty() || !sheets.iter().any(Sheet::has_figures) {
        return String::new();
    }
    let mut said = Vec::new();
    if view.headline && !view.wide {
        said.push(summary::sentence(sheets));
    } else {
        if !view.wide && view.unit != Unit::Ratio {
            said.extend(of_ratios(view, &speeds));
        }
        let of_one = || speeds.iter().filter_map(|sheet| ranking::sentence(sheet));
        match of_one().count() {
            0 => {}
            1 => said.extend(of_one()),
            _ => said.push(summary::sentence(sheets)),
        }
    }
    let said: Vec<String> = said.iter().map(|line| words::paragraph(line, width)).collect();
    match said.is_empty() {
        true => String::new(),
        false => said.join("\n") + "\n",
    }
}

/// The description of the column of ratios, if a table has one.
fn of_ratios(view: &View, sheets: &[&Sheet]) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for sheet in sheets {
        let all = libraries(sheet);
        let last = sheet.sizes.len().saturating_sub(1);
        let against = ranking::reference(&all, view.against.as_deref(), last);
        names.extend(against.map(|library| library.name.clone()));
    }
    names.dedup();
    // Each table has its own fastest library.
    let against = match (names.as_slice(), &view.against) {
        ([], _) => return None,
        ([name], Some(_)) => name,
        (_, Some(name)) => name,
        (_, None) => "the fastest other library",
    };
    Some(format!(
        "{RATIO}: times as fast as {against}, at the largest size, by which the lines are sorted."
    ))
}

#[cfg(test)]
mod tests {
    use super::{
        super::library::tests::{line, sheet},
        *,
    };

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    fn sheets(n: usize) -> Vec<Sheet> {
        let one = |i: usize| {
            let mut sheet = sheet(vec![
                line("ropewalk", "", &[5.0, 616.0]),
                line("libcrypto", "OpenSSL 3.0.19 27 Jan 2026", &[100.0, 2864.0]),
                line("ipsec-mb", "ipsec-mb 2.0.2", &[4.0, 605.0]),
                line("nettle", "", &[0.0, 0.0]),
            ]);
            let records = sheet.lines.iter_mut().flat_map(|line| &mut line.records);
            records.for_each(|record| record.task = format!("task-{i}"));
            sheet
        };
        (0..n).map(one).collect()
    }

    fn run() -> Run {
        Run {
            machine: "AMD EPYC, 2 cores, KVM".into(),
            libraries: "  OpenSSL 3.0.19, /usr/lib/libcrypto.so.3\n".into(),
            not_given: String::new(),
            again: "ropewalk speed".into(),
            stopped: None,
        }
    }

    /// The sentence is in the last lines of a terminal, and all tasks are above it.
    #[test]
    fn the_headline_fits_a_terminal() {
        let view = View { headline: true, ..View::default() };
        for (width, height, blocks) in [(80, 24, 1), (100, 40, 2), (200, 50, 2), (40, 24, 1)] {
            let size = Size { columns: width, rows: Some(height) };
            let text = plain(&screen(&view, &run(), &sheets(10), size));
            // The prompt takes a line.
            assert!(text.lines().count() < height, "{width} x {height}: {text}");
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            assert_eq!(text.matches("TASK-9").count(), blocks, "{text}");
            assert!(text.contains("again: ropewalk speed"), "{text}");
            assert!(text.contains("nettle"), "{text}");
            assert!(text.trim_end().ends_with('.'), "{text}");
        }
        let text = plain(&screen(&view, &run(), &sheets(10), Size { columns: 80, rows: Some(24) }));
        assert!(text.starts_with("AMD EPYC, 2 cores, KVM  "), "{text}");
        assert!(text.lines().next().unwrap().ends_with("64 B, one message, one core"));
    }

    #[test]
    fn the_sentence_is_last() {
        let size = Size { columns: 80, rows: None };
        let text = plain(&screen(&View::default(), &run(), &sheets(1), size));
        let last: Vec<&str> = text.lines().rev().take(2).collect();
        assert!(last.iter().any(|line| line.contains("it loses")), "{text}");
        assert!(text.contains("again: ropewalk speed\nratio: times as fast"), "{text}");
        let text = plain(&screen(&View::default(), &run(), &sheets(2), size));
        assert!(text.contains("fastest at 0 of 2; it loses TASK-0 to ipsec-mb"), "{text}");
    }

    #[test]
    fn reasons_are_shown_when_they_are_wanted() {
        let size = Size { columns: 80, rows: None };
        let of = |view: View| plain(&screen(&view, &run(), &sheets(1), size));
        let plain = of(View::default());
        assert!(!plain.contains("has no AES-GCM") && !plain.contains("/usr/lib"), "{plain}");
        let why = of(View { why: true, ..View::default() });
        assert!(why.contains("nettle: has no AES-GCM") && why.contains("/usr/lib"), "{why}");
        let quiet = of(View { quiet: true, ..View::default() });
        assert!(
            quiet.contains("ipsec-mb") && !quiet.contains("again") && !quiet.contains("nettle")
        );
        let wide = of(View { wide: true, ..View::default() });
        assert!(wide.contains("nettle: has no AES-GCM") && wide.contains('▸'), "{wide}");
    }

    #[test]
    fn a_run_that_was_stopped_says_so() {
        let size = Size { columns: 80, rows: None };
        let run = Run { stopped: Some((3, 8)), ..run() };
        let text = plain(&screen(&View::default(), &run, &sheets(1), size));
        assert!(text.contains("Stopped: 3 of 8 figures were measured.\n"), "{text}");
        // All tables are complete after the first round.
        let run = Run { stopped: Some((8, 8)), ..run };
        let text = plain(&screen(&View::default(), &run, &sheets(1), size));
        assert!(text.contains("Stopped: each of 8 figures has fewer samples"), "{text}");
    }

    /// A legend explains what is shown, and a note names what is omitted.
    #[test]
    fn legends_are_of_what_is_shown() {
        let alone = || vec![sheet(vec![line("ropewalk", "", &[5.0, 616.0])])];
        let of = |view: &View, sheets: &[Sheet], columns| {
            plain(&screen(view, &run(), sheets, Size { columns, rows: None }))
        };
        let view = View::default();
        assert!(of(&view, &sheets(1), 80).contains("ratio: times as fast as the fastest other"));
        assert!(!of(&view, &alone(), 80).contains("ratio"));
        let against = |name: &str| View { against: Some(name.into()), ..View::default() };
        let text = of(&against("libcrypto"), &sheets(1), 80);
        assert!(text.contains("ratio: times as fast as OpenSSL 3.0.19, at"), "{text}");
        assert!(!of(&against("nothing"), &sheets(1), 80).contains("ratio"));
        let view = View { headline: true, ..View::default() };
        let wide = of(&view, &sheets(1), 80);
        assert!(wide.contains("x: the speed of ropewalk") && !wide.contains("no room"), "{wide}");
        let narrow = of(&view, &sheets(1), 40);
        assert!(narrow.contains("x: the speed of ropewalk"), "{narrow}");
        assert!(narrow.contains("no room for fastest other, limit\n"), "{narrow}");
        assert!(!of(&view, &alone(), 40).contains("x: the speed"));
    }
}
