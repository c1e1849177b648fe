//! One task: a line for each library, fastest first, and a figure for each size.

use anstyle::{AnsiColor, Style};

use super::{
    column::DIM,
    figures,
    library::{Library, libraries},
    table::Sheet,
    unit::Unit,
    words,
};
use crate::record::{Answer, Record};

/// How a table is shown.
#[derive(Clone, Debug, Default)]
pub struct Shown<'a> {
    /// The unit of its figures.
    pub unit: Unit,
    /// The library for ratios; by default the fastest of another project.
    pub against: Option<&'a str>,
    /// Columns of the screen.
    pub width: usize,
}

/// The table, no wider than the screen. Empty if nothing was measured.
pub fn table(sheet: &Sheet, shown: &Shown<'_>) -> String {
    let all = libraries(sheet);
    let ran: Vec<&Library<'_>> = all.iter().filter(|library| library.ran()).collect();
    if ran.is_empty() {
        return title(&sheet.title, shown.width);
    }
    let last = sheet.sizes.len().saturating_sub(1);
    let against = reference(&all, shown.against, last);
    let mut columns: Vec<Vec<String>> = Vec::new();
    for (i, size) in sheet.sizes.iter().enumerate() {
        let cells = ran.iter().map(|library| cell(library, i, sheet, shown, against));
        columns.push([size.clone()].into_iter().chain(cells).collect());
    }
    // With other units than ratios, one column has them.
    let ratio = against.filter(|_| shown.unit != Unit::Ratio).map(|against| {
        let of = |library: &&Library<'_>| {
            let ratio = against.ns(last).zip(library.ns(last)).map(|(a, b)| a / b);
            ratio.map(figures::ratio).unwrap_or_default()
        };
        [RATIO.to_owned()].into_iter().chain(ran.iter().map(of)).collect::<Vec<_>>()
    });
    let room = shown.width.saturating_sub(label_width(&ran));
    let widths =
        |columns: &[Vec<String>]| columns.iter().map(|column| GAP + width(column)).sum::<usize>();
    let ratio = ratio
        .filter(|ratio| widths(&columns[last..]) + widths(std::slice::from_ref(ratio)) <= room);
    let kept = ratio.as_ref().map_or(0, |ratio| widths(std::slice::from_ref(ratio)));
    let mut dropped = Vec::new();
    while columns.len() > 1 && widths(&columns) + kept > room {
        columns.remove(0);
        dropped.push(sheet.sizes[dropped.len()].as_str());
    }
    columns.extend(ratio.iter().cloned());
    let mut text =
        title(&format!("{}, {}", sheet.title, shown.unit.words(sheet.by_call)), shown.width);
    let best: Vec<Option<f64>> = (0..=last).map(|i| fastest(&ran, i)).collect();
    for row in 0..=ran.len() {
        text += &label(row.checked_sub(1).map(|i| ran[i]), label_width(&ran));
        for (i, column) in columns.iter().enumerate() {
            let size = dropped.len() + i;
            let is_best = row > 0
                && size <= last
                && best[size].is_some_and(|best| ran[row - 1].ns(size) == Some(best));
            let style = if is_best { BEST } else { Style::new() };
            let padding = " ".repeat(GAP + width(column) - column[row].chars().count());
            text += &format!("{padding}{style}{}{style:#}", column[row]);
        }
        text = text.trim_end().to_owned() + "\n";
    }
    if !dropped.is_empty() {
        text += &words::note(&format!("no room for {}", dropped.join(", ")), shown.width);
    }
    text
}

/// The title of a table.
fn title(text: &str, width: usize) -> String {
    let lines = words::paragraph(text, width);
    lines.lines().map(|line| format!("{BOLD}{line}{BOLD:#}\n")).collect()
}

/// Whether `--against` selects a library of this name, in lower case, and kind.
pub fn is_meant(against: &str, name: &str, kind: &str) -> bool {
    name.to_lowercase().starts_with(against) || kind == against
}

/// The reference of ratios.
pub fn reference<'a, 'b>(
    all: &'a [Library<'b>],
    against: Option<&str>,
    size: usize,
) -> Option<&'a Library<'b>> {
    let named = |name: &str| {
        let name = name.to_lowercase();
        let is = |library: &&Library<'_>| library.ns(size).is_some();
        let of = |library: &&Library<'_>| is_meant(&name, &library.name, library.peer);
        all.iter().filter(is).find(of)
    };
    let fastest = || {
        let others = all.iter().filter(|library| !library.is_ours && library.ns(size).is_some());
        others.min_by(|a, b| {
            a.ns(size).unwrap_or(f64::INFINITY).total_cmp(&b.ns(size).unwrap_or(f64::INFINITY))
        })
    };
    against.map_or_else(fastest, named)
}

/// The heading of the column of ratios.
pub const RATIO: &str = "ratio";

/// The result of ropewalk at the largest size of a table, in a sentence.
pub fn sentence(sheet: &Sheet) -> Option<String> {
    let all = libraries(sheet);
    let ours = all.iter().find(|library| library.is_chosen && library.ran())?;
    let others: Vec<&Library<'_>> = all.iter().filter(|library| !library.is_ours).collect();
    let sizes = 0..sheet.sizes.len();
    let compared: Vec<(usize, &Library<'_>, f64)> = sizes
        .filter_map(|size| {
            let fastest = others.iter().filter(|other| other.ns(size).is_some());
            let fastest = fastest.min_by(|a, b| {
                a.ns(size).unwrap_or(f64::INFINITY).total_cmp(&b.ns(size).unwrap_or(f64::INFINITY))
            })?;
            Some((size, *fastest, fastest.ns(size)? / ours.ns(size)?))
        })
        .collect();
    if compared.is_empty() {
        return None;
    }
    let lost: Vec<String> = compared
        .iter()
        .filter(|(_, _, ratio)| *ratio < EVEN)
        .map(|(size, other, ratio)| {
            format!("{} to {} ({})", sheet.sizes[*size], other.name, figures::ratio(*ratio))
        })
        .collect();
    let won = compared.len() - lost.len();
    let of = compared.len();
    let sizes = if of == 1 { "size" } else { "sizes" };
    Some(match lost.is_empty() {
        true => format!("{} is fastest at {won} of {of} {sizes}.", ours.name),
        false => format!(
            "{} is fastest at {won} of {of} {sizes}; it loses {}.",
            ours.name,
            lost.join(", ")
        ),
    })
}

/// A smaller difference does not count.
pub const EVEN: f64 = 0.985;

fn fastest(ran: &[&Library<'_>], size: usize) -> Option<f64> {
    ran.iter().filter_map(|library| library.ns(size)).min_by(f64::total_cmp)
}

fn cell(
    library: &Library<'_>,
    size: usize,
    sheet: &Sheet,
    shown: &Shown<'_>,
    against: Option<&Library<'_>>,
) -> String {
    let Some(record) = library.records.get(size).copied().flatten() else { return NONE.into() };
    let against = against.and_then(|against| against.ns(size));
    match shown.unit.cell(record, sheet.by_call, against) {
        Some(cell) => cell,
        None if record.answer == Answer::Wrong => WRONG.into(),
        None => NONE.into(),
    }
}

const NONE: &str = "-";
const WRONG: &str = "WRONG";
const BOLD: Style = Style::new().bold();
const BEST: Style = AnsiColor::Green.on_default().bold();
const GAP: usize = 2;
/// A longer name is cut.
const LONGEST: usize = 28;

fn label_width(ran: &[&Library<'_>]) -> usize {
    ran.iter().map(|library| cut(&library.name).chars().count()).max().unwrap_or(0)
}

fn label(library: Option<&Library<'_>>, width: usize) -> String {
    let name = library.map_or(String::new(), |library| cut(&library.name));
    let style = match library.is_some_and(|library| library.is_ours) {
        true => BOLD,
        false => Style::new(),
    };
    let padding = " ".repeat(width - name.chars().count());
    format!("{style}{name}{style:#}{padding}")
}

fn cut(name: &str) -> String {
    match name.chars().count() > LONGEST {
        true => name.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => name.into(),
    }
}

fn width(column: &[String]) -> usize {
    column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0)
}

/// The libraries without a figure: those that are not installed, and those without such an operation.
pub fn absent(sheets: &[Sheet], hint: &str, width: usize) -> String {
    let mut away: Vec<String> = Vec::new();
    let mut without: Vec<String> = Vec::new();
    let mut failed: Vec<String> = Vec::new();
    for sheet in sheets {
        for library in libraries(sheet).into_iter().filter(|library| !library.ran()) {
            let list = match (library.is_here(), library.why().starts_with("has no")) {
                (false, _) => &mut away,
                (true, true) => &mut without,
                (true, false) => &mut failed,
            };
            if !list.contains(&library.name) {
                list.push(library.name);
            }
        }
    }
    // A library with a figure in these tables needs no line.
    let ran: Vec<String> = sheets
        .iter()
        .flat_map(libraries)
        .filter(Library::ran)
        .map(|library| library.name)
        .collect();
    without.retain(|name| !ran.contains(name));
    failed.retain(|name| !ran.contains(name));
    let missing = |library: &Library<'_>| {
        let odd = |record: &Record| record.ns.is_none() && !record.note.starts_with("has no");
        library.ran() && library.records.iter().flatten().any(|record| odd(record))
    };
    let all = sheets.iter().flat_map(libraries);
    let mut partly: Vec<String> = all.filter(missing).map(|library| library.name).collect();
    partly.dedup();
    let mut parts = Vec::new();
    let lists = [
        ("not here", away),
        ("without it", without),
        ("no figure", failed),
        ("not every figure", partly),
    ];
    for (words, mut list) in lists {
        if !list.is_empty() {
            list.sort_unstable();
            parts.push(format!("{words}: {}", list.join(", ")));
        }
    }
    match parts.is_empty() {
        true => String::new(),
        false => {
            let text = words::paragraph(&format!("{}{hint}", parts.join("; ")), width);
            text.lines().map(|line| format!("{DIM}{line}{DIM:#}\n")).collect()
        }
    }
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

    fn some() -> Sheet {
        sheet(vec![
            line("ropewalk", "", &[5.0, 9.0, 80.0, 616.0]),
            line("libcrypto", "OpenSSL 3.0.19 27 Jan 2026", &[100.0, 110.0, 400.0, 2864.0]),
            line("ipsec-mb", "ipsec-mb 2.0.2", &[8.0, 8.0, 90.0, 605.0]),
            line("nettle", "", &[0.0, 0.0, 0.0, 0.0]),
        ])
    }

    #[test]
    fn a_line_for_each_library_fastest_first() {
        let want = "\
aes-128-gcm/seal, one message a call, MB/s
                16 B  64 B  1350 B  16384 B  ratio
ipsec-mb        2000  8000   15000    27081  1.00x
ropewalk        3200  7111   16875    26597  0.98x
OpenSSL 3.0.19   160   582    3375     5721  0.21x
";
        assert_eq!(plain(&table(&some(), &Shown { width: 80, ..Shown::default() })), want);
        let want = "ropewalk is fastest at 2 of 4 sizes; it loses 64 B to ipsec-mb (0.89x), 16384 B to ipsec-mb (0.98x).";
        assert_eq!(sentence(&some()).as_deref(), Some(want));
        let want = "not here: nettle (why: --why)\n";
        assert_eq!(plain(&absent(&[some()], " (why: --why)", 80)), want);
    }

    #[test]
    fn columns_that_do_not_fit_are_left_out() {
        for width in 20..90 {
            let text = plain(&table(&some(), &Shown { width, ..Shown::default() }));
            let rows = text.lines().filter(|line| !line.starts_with("aes-128-gcm"));
            for line in rows.filter(|_| width >= 23) {
                assert!(line.chars().count() <= width, "{width}: {text}");
            }
            assert!(text.contains("16384 B"), "{text}");
            assert_eq!(text.contains("no room for 16 B"), width < 50, "{width}: {text}");
        }
    }

    #[test]
    fn titles_are_no_wider_than_the_screen() {
        let text = plain(&table(&some(), &Shown { width: 30, ..Shown::default() }));
        assert!(text.starts_with("aes-128-gcm/seal, one message\na call, MB/s\n"), "{text}");
    }

    /// By the displayed name, or by the kind of library.
    #[test]
    fn the_library_of_ratios_has_two_names() {
        let of = |against| {
            let text = plain(&table(&some(), &Shown { width: 80, against, ..Shown::default() }));
            text.contains("4.65x")
        };
        for name in ["openssl", "OpenSSL 3", "libcrypto"] {
            assert!(of(Some(name)), "{name}");
        }
        assert!(!of(Some("nothing")) && !of(None));
    }

    #[test]
    fn figures_have_the_unit_that_is_wanted() {
        let of = |unit, against| plain(&table(&some(), &Shown { unit, against, width: 80 }));
        let ratios = of(Unit::Ratio, Some("openssl"));
        assert!(ratios.contains("ropewalk        20.0x  12.2x   5.00x    4.65x\n"), "{ratios}");
        assert!(ratios.contains("OpenSSL 3.0.19  1.00x"), "{ratios}");
        assert!(of(Unit::Ns, None).contains("616.0"));
        assert!(of(Unit::Limit, None).contains("59%"));
        assert!(of(Unit::Speed, Some("openssl")).contains("4.65x"));
    }
}
