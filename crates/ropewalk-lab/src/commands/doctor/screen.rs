//! The one screen of `doctor`. The answer is at its end, where readers look first.

use std::io::{self, Write};

use anstyle::Style;

use super::{
    libraries::Library,
    measured::Speed,
    remedies::{by, offered},
    report::{FIRST, Report},
    text::{GOOD, HEAD, QUIET, WARNING, cut, wrapped},
    verdict::{Cause, Verdict, name},
};
use crate::{filename::text_shown, machine::Machine, terminal::Size};

/// A line with its rank: if there is not enough space, lines of the lowest rank are omitted first.
struct Line {
    rank: u8,
    text: String,
}

/// The rank of lines that are never omitted.
const NEEDED: u8 = u8::MAX;
const BLANK: u8 = 0;
const YARDSTICK: u8 = 1;
/// The ranks of libraries that are as fast as possible, of the units of speeds, of remedies, and of the other
/// libraries.
const FAST: u8 = 3;
const HEADING: u8 = 4;
const REMEDY: u8 = 100;
const SLOW: u8 = 101;
const LIBRARIES: [u8; 2] = [FAST, SLOW];

/// Lines on a screen of 24 rows, the last of which the shell uses.
const SHORT: usize = 23;
/// The number of libraries up to which the screen is short.
const USUAL: usize = 6;
const LONG: usize = 40;

/// Columns of the mark, of a library's name, and of a speed.
const MARK: usize = 2;
const SPEED: usize = 9;
const NAME: usize = 24;

impl Report {
    /// Writes it for a terminal of that size.
    pub(super) fn write_screen(&self, size: Size, out: &mut impl Write) -> io::Result<()> {
        let mut lines = self.lines(size.columns);
        let usual = if self.whole_libraries().count() <= USUAL { SHORT } else { LONG };
        // A higher terminal does not need more, and a lower one needs less.
        let room = size.rows.map_or(usual, |rows| rows.saturating_sub(1).min(LONG));
        let mut left_out = 0;
        let rows = |lines: &[Line]| lines.iter().map(Line::rows).sum::<usize>();
        while rows(&lines) + usize::from(left_out > 0) > room {
            let least = lines.iter().map(|line| line.rank).min().unwrap_or(NEEDED);
            let Some(at) = lines.iter().rposition(|line| line.rank == least && least < NEEDED)
            else {
                break;
            };
            left_out += usize::from(LIBRARIES.contains(&lines.remove(at).rank));
        }
        if left_out > 0 {
            let last = lines.iter().rposition(|line| LIBRARIES.contains(&line.rank));
            let text = format!("  {left_out} more: ropewalk doctor --libraries");
            lines.insert(last.map_or(0, |last| last + 1), Line::needed(text));
        }
        lines.iter().try_for_each(|line| writeln!(out, "{}", line.text))
    }

    fn lines(&self, columns: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        lines.extend(self.machine_lines(columns));
        lines.push(Line::blank());
        lines.extend(self.table(columns));
        lines.extend(self.other_faults(columns));
        lines.push(Line::blank());
        lines.extend(self.provider_lines(columns));
        lines.push(Line::blank());
        lines.extend(self.ending(columns));
        lines
    }

    /// The remedies, the offers of the package manager, and the answer.
    fn ending(&self, columns: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for (i, remedy) in self.remedies.iter().enumerate() {
            // The first is in the answer too.
            let rank = if i == 0 { NEEDED } else { REMEDY - i as u8 };
            let (command, brings) = (text_shown(&remedy.command), text_shown(&remedy.brings));
            let both = command.chars().count() + brings.chars().count() + 6;
            if both <= columns {
                lines.push(Line {
                    rank,
                    text: format!("  {HEAD}{command}{HEAD:#}  {QUIET}# {brings}{QUIET:#}"),
                });
                continue;
            }
            lines.push(Line { rank, text: format!("  {HEAD}{command}{HEAD:#}") });
            let words: Vec<&str> = brings.split(' ').collect();
            for part in wrapped(&words, columns - 6) {
                lines.push(Line { rank, text: format!("    {QUIET}# {part}{QUIET:#}") });
            }
        }
        if let Some(text) = self.offers() {
            lines.extend(paragraph(&text, columns, Style::new(), NEEDED));
        }
        let style = if self.wrong.is_empty() { GOOD } else { WARNING };
        lines.extend(self.answer_lines(columns, style.bold()));
        lines
    }

    /// The sentence, with its command on one line if it fits.
    fn answer_lines(&self, columns: usize, style: Style) -> Vec<Line> {
        let (words, command) = match self.answer.split_once(FIRST) {
            Some((words, command)) => (format!("{words}{}", FIRST.trim_end()), Some(command)),
            None => (self.answer.clone(), None),
        };
        let words: Vec<&str> = words.split(' ').chain(command).collect();
        let lines = wrapped(&words, columns).into_iter();
        lines.map(|line| Line::needed(format!("{style}{line}{style:#}"))).collect()
    }

    /// Writes the end of the other views.
    pub(super) fn write_ending(&self, columns: usize, out: &mut impl Write) -> io::Result<()> {
        writeln!(out)?;
        let lines = self.provider_lines(columns).into_iter().chain(self.ending(columns));
        lines.into_iter().try_for_each(|line| writeln!(out, "{}", line.text))
    }

    /// The machine in two lines.
    fn machine_lines(&self, columns: usize) -> [Line; 2] {
        let Machine { processor, cores, hypervisor, kernel, ropewalk, .. } = &self.machine;
        let brand = processor.brand.clone().unwrap_or_else(|| "a processor without a name".into());
        let threads = cores.online.map(|n| format!("{n} thread{}", if n == 1 { "" } else { "s" }));
        let guest = hypervisor.clone().filter(|name| name != "none");
        let kernel = kernel.as_ref().map(|kernel| format!("Linux {kernel}"));
        let first: Vec<String> =
            [Some(brand), threads, guest, kernel].into_iter().flatten().collect();
        let has: Vec<&str> = WORDS
            .iter()
            .filter(|(feature, _)| processor.features.contains(feature))
            .map(|(_, word)| *word)
            .collect();
        let has = if has.is_empty() { "no instructions for it".into() } else { has.join(", ") };
        let masked = match processor.masked.is_empty() {
            true => String::new(),
            false => format!(", masked: {}", processor.masked.join(" ")),
        };
        let second = format!("for cryptography: {has}{masked}; ropewalk {ropewalk}");
        [first.join(", "), second].map(|text| Line::needed(cut(&text, columns)))
    }

    /// A line for each library.
    fn table(&self, columns: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let libraries: Vec<&Library> = self.whole_libraries().collect();
        let titles: Vec<String> = libraries.iter().map(|it| self.short_title_of(it)).collect();
        let longest = titles.iter().map(|title| title.chars().count()).max().unwrap_or(0);
        let width = longest.clamp(NAME.min(columns / 3), NAME);
        let measured = self.libraries.iter().any(|library| !library.speeds.is_empty());
        if measured {
            let text = format!(
                "{QUIET}{:MARK$}{:width$}{:>SPEED$}{:>SPEED$}{QUIET:#}",
                "", "GB/s of 16 KiB", "AES-GCM", "SHA-256"
            );
            lines.push(Line { rank: HEADING, text });
            let ours = |is: fn(&str) -> bool| {
                let mut all = self.libraries.iter().flat_map(|library| &library.speeds);
                let known = all.find_map(|it| it.ropewalk_mb_per_s.filter(|_| is(&it.task)));
                figure(known)
            };
            let (gcm, sha256) = (ours(is_gcm), ours(is_sha256));
            let mut text =
                format!("{:MARK$}{:width$}{gcm:>SPEED$}{sha256:>SPEED$}", "", "ropewalk");
            let what = "  what this processor can";
            if text.len() + what.len() <= columns {
                text += &format!("{QUIET}{what}{QUIET:#}");
            }
            lines.push(Line { rank: YARDSTICK, text });
        }
        for (library, title) in libraries.into_iter().zip(&titles) {
            let (mark, style, verdict) = verdict(library);
            let speeds = match measured {
                true => {
                    let of = |is: fn(&str) -> bool| figure(speed(&library.speeds, is));
                    format!("{:>SPEED$}{:>SPEED$}", of(is_gcm), of(is_sha256))
                }
                false => String::new(),
            };
            let before = MARK + width + speeds.len() + 2;
            let start = format!("{style}{mark}{style:#} {:width$}{speeds}", cut(title, width));
            let verdict = text_shown(&verdict).into_owned();
            let rank = if library.is_as_fast_as_it_could_be() { FAST } else { SLOW };
            // On a narrow terminal it is below.
            if before + verdict.chars().count() <= columns || before + 20 <= columns {
                let verdict = cut(&verdict, columns - before);
                lines.push(Line { rank, text: format!("{start}  {style}{verdict}{style:#}") });
            } else {
                let verdict = cut(&verdict, columns - 4);
                let text = format!("{start}\n    {style}{verdict}{style:#}");
                lines.push(Line { rank, text });
            }
        }
        lines
    }

    /// Faults of the machine.
    fn other_faults(&self, columns: usize) -> Vec<Line> {
        let of_library =
            |what: &str| self.libraries.iter().any(|library| what.starts_with(&library.title()));
        let faults = self.wrong.iter().filter(|wrong| !of_library(&wrong.what));
        faults
            .map(|fault| {
                let text = cut(&format!("{}: {}", fault.what, fault.why), columns - MARK);
                Line::needed(format!("{WARNING}✗{WARNING:#} {}", text_shown(&text)))
            })
            .collect()
    }

    /// The state of ropewalk's provider.
    fn provider_lines(&self, columns: usize) -> Vec<Line> {
        let Some(here) = &self.provider else {
            return if self.libraries.is_empty() {
                Vec::new()
            } else {
                vec![Line::needed("provider: there is no OpenSSL 3 here to install it for".into())]
            };
        };
        let style = match (here.at_work, here.installed) {
            (true, _) => GOOD,
            (false, true) => WARNING,
            (false, false) => Style::new(),
        };
        paragraph(&format!("provider: {}", here.words()), columns, style, NEEDED)
    }

    /// The offers of the package manager for libraries that could be faster.
    fn offers(&self) -> Option<String> {
        let offers = self.packages.as_ref()?;
        let manager = offers.manager;
        if let Some(note) = &offers.note {
            return Some(format!("{manager}: not known what it offers: {note}"));
        }
        let helps = self.libraries.iter().filter_map(|library| {
            let (_, version) = offered(library, offers)?;
            Some(format!("{version} in place of {}", library.short_title()))
        });
        let helps: Vec<String> = helps.collect();
        let names: Vec<&str> = offers.packages.iter().map(|package| &*package.name).collect();
        Some(match (&helps[..], &names[..]) {
            ([], []) => format!("{manager} has no package of the libraries that could be faster"),
            ([], names) => format!("{manager} offers nothing faster than {}", names.join(", ")),
            (helps, _) => format!("{manager} offers {}", helps.join(", ")),
        })
    }

    /// The title of a library, with its folder if there are several of that title.
    fn short_title_of(&self, library: &Library) -> String {
        let title = library.short_title();
        let is_one =
            self.whole_libraries().filter(|other| other.short_title() == title).count() < 2;
        let file = library.path.file_name().unwrap_or_default().to_string_lossy();
        if is_one { title } else { format!("{title} ({file})") }
    }
}

/// The names of processor features that matter for cryptography.
const WORDS: &[(&str, &str)] = &[
    ("aes", "AES"),
    ("vaes", "VAES"),
    ("pclmulqdq", "PCLMULQDQ"),
    ("vpclmulqdq", "VPCLMULQDQ"),
    ("sha", "SHA"),
    ("sha2", "SHA-2"),
    ("sha3", "SHA-3"),
    ("avx512f", "AVX-512"),
];

/// A mark, its colour, and the verdict in a few words.
fn verdict(library: &Library) -> (&'static str, Style, String) {
    let judgement = &library.judgement;
    if let (Some(by), false) = (library.served_by, judgement.is_fault()) {
        return ("✓", GOOD, format!("{by}'s provider serves here"));
    }
    let slowest = library.slowest();
    let task = slowest.map_or("it", |(task, _)| task);
    let times = slowest.map(|(_, times)| by(times));
    let (task, times) = (name(task), times.unwrap_or_default());
    let faster = |fault: &str| match slowest {
        Some(_) => format!("{fault}: {times} at {task}"),
        None => fault.into(),
    };
    let Some(cause) = judgement.cause else {
        return match judgement.verdict {
            Verdict::Good if library.speeds.is_empty() => ("✓", GOOD, "accelerated".into()),
            Verdict::Good => ("✓", GOOD, "fast".into()),
            _ => {
                let why = library.notes.first().map_or("no AES or SHA-256 in it", |note| note);
                ("?", QUIET, why.into())
            }
        };
    };
    match cause {
        Cause::WrongAnswers => ("✗", WARNING, "WRONG ANSWERS".into()),
        Cause::Masked => ("✗", WARNING, faster("masked")),
        Cause::Unoptimised => ("✗", WARNING, faster("compiled with -O0")),
        Cause::LeftOut => ("✗", WARNING, faster("instructions left out")),
        Cause::Unused => ("✗", WARNING, faster("instructions unused")),
        Cause::Old | Cause::Unknown => (
            "!",
            WARNING,
            if times.is_empty() {
                "could be faster".into()
            } else {
                format!("could be {times} faster: {task}")
            },
        ),
        Cause::NoRelease => (
            "✓",
            GOOD,
            match slowest {
                Some(_) => format!("no release is faster ({task})"),
                None => "no release is faster".into(),
            },
        ),
    }
}

fn is_gcm(task: &str) -> bool {
    task.contains("-gcm/")
}

fn is_sha256(task: &str) -> bool {
    task.starts_with("sha256/")
}

fn speed(speeds: &[Speed], is: fn(&str) -> bool) -> Option<f64> {
    speeds.iter().find(|speed| is(&speed.task)).and_then(|speed| speed.mb_per_s)
}

/// GB a second, with three digits.
fn figure(mb_per_s: Option<f64>) -> String {
    let Some(gb) = mb_per_s.map(|mb| mb / 1e3) else { return "-".into() };
    let digits = if gb < 9.995 { 2 } else { 1 };
    format!("{gb:.digits$}")
}

fn paragraph(text: &str, columns: usize, style: Style, rank: u8) -> Vec<Line> {
    let words: Vec<&str> = text.split(' ').collect();
    let lines = wrapped(&words, columns).into_iter();
    lines.map(|line| Line { rank, text: format!("{style}{line}{style:#}") }).collect()
}

impl Line {
    fn rows(&self) -> usize {
        self.text.split('\n').count()
    }

    fn blank() -> Self {
        Self { rank: BLANK, text: String::new() }
    }

    fn needed(text: String) -> Self {
        Self { rank: NEEDED, text }
    }
}

#[cfg(test)]
mod tests;
