//! The report of `doctor`, as text.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::{
    View,
    backends::{Backend, Backends, Choice, Feature, Presence},
    compared::Found,
    report::{Complaint, Report, Tuned},
};
use crate::{
    machine::{Machine, hidden::Hidden, masks::Mask},
    measure::environment::Variable,
};

pub(super) use crate::report::named::{COLUMNS, below, width, wrapped};

impl Report {
    /// Writes one of the long views for a terminal.
    pub(super) fn write_view(&self, view: View, out: &mut impl Write) -> io::Result<()> {
        self.write_machine(out)?;
        self.write_wrong(out)?;
        if view != View::Libraries {
            self.write_features(out)?;
            self.write_primitives(out)?;
        }
        if view != View::Backends {
            self.write_peers(out)?;
            self.libraries.iter().try_for_each(|library| library.write(out))?;
            self.write_ending(width(), out)?;
        }
        Ok(())
    }

    /// The faults, in few words.
    fn write_wrong(&self, out: &mut impl Write) -> io::Result<()> {
        match self.wrong.is_empty() {
            true => writeln!(out, "\n{GOOD}Nothing is wrong here, as far as was looked{GOOD:#}")?,
            false => writeln!(out, "\n{HEAD}What is wrong{HEAD:#}")?,
        }
        for Complaint { what, why, remedy } in &self.wrong {
            writeln!(out, "{WARNING}{what}{WARNING:#}")?;
            paragraph(out, "", why)?;
            paragraph(out, "remedy", remedy.as_deref().unwrap_or_default())?;
        }
        self.write_masks(out)
    }

    fn write_masks(&self, out: &mut impl Write) -> io::Result<()> {
        for Mask { name, value, explained, .. } in &self.masks {
            let explained = explained.as_ref().map(|words| format!(": {words}"));
            paragraph(out, "mask", &format!("{name}={value}{}", explained.unwrap_or_default()))?;
        }
        // A mask was reported already.
        let is_mask = |name: &str| self.masks.iter().any(|mask| mask.name == name);
        for Variable { name, value, why } in self.not_given.iter().filter(|it| !is_mask(&it.name)) {
            let what = "in programs that are started here; libraries were looked at without it";
            paragraph(out, "set", &format!("{name}={value}: {why}, {what}"))?;
        }
        Ok(())
    }

    fn write_machine(&self, out: &mut impl Write) -> io::Result<()> {
        let Machine { processor, cores, .. } = &self.machine;
        let mut line = |name: &str, text: String| match text.as_str() {
            "" => Ok(()),
            text => writeln!(out, "{NAME}{name:MARGIN$}{NAME:#}{text}"),
        };
        let numbers = [
            ("family", processor.family),
            ("model", processor.model),
            ("stepping", processor.stepping),
        ];
        let numbers = numbers.into_iter().filter_map(|(name, n)| Some(format!("{name} {}", n?)));
        let model: Vec<String> = processor.vendor.iter().cloned().chain(numbers).collect();
        let cores = [
            cores.online.map(|n| format!("{n} online")),
            cores.threads_per_core.filter(|n| *n > 1).map(|n| format!("{n} to a core")),
        ];
        let hypervisor = [
            self.machine.hypervisor.clone(),
            self.machine.steal.as_ref().filter(|steal| steal.stolen > 0).map(|steal| {
                format!("{:.2} % of the time went to other guests", steal.share() * 100.0)
            }),
        ];
        let frequency = &self.machine.frequency;
        let governor = [
            frequency.governor.clone(),
            frequency.max_khz.map(|khz| format!("up to {:.1} GHz", khz as f64 / 1e6)),
        ];
        line("processor", processor.brand.clone().unwrap_or_else(|| "of no name".into()))?;
        line("", model.join(", "))?;
        line("threads", listed(cores))?;
        line("frequency", listed(governor))?;
        line("hypervisor", listed(hypervisor))?;
        line("kernel", self.machine.kernel.clone().unwrap_or_default())?;
        let Tuned { row, cores, why } = &self.tuning;
        line("tuning", format!("{row}, {why}"))?;
        line("", (*cores).to_owned())?;
        line("ropewalk", format!("{} for {}", self.machine.ropewalk, self.machine.target))
    }

    fn write_features(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "\n{HEAD}Processor features that ropewalk knows{HEAD:#}")?;
        for (state, word, style) in [
            (Presence::Visible, "visible", GOOD),
            (Presence::Masked, "masked", WARNING),
            (Presence::NotHere, "not here", QUIET),
        ] {
            let of_state = self.features.iter().filter(|feature| feature.state == state);
            let names: Vec<&str> = of_state.map(|feature| feature.name).collect();
            let mut word = word;
            for line in wrapped(&names, width() - MARGIN) {
                writeln!(out, "{style}{word:MARGIN$}{style:#}{line}")?;
                word = "";
            }
        }
        let unsure = self.hidden.iter().filter(|hidden| !hidden.sure);
        for Hidden { features, why, .. } in unsure {
            let text = format!("{why}: {}", features.join(" "));
            let words: Vec<&str> = text.split(' ').collect();
            let mut word = "not seen";
            for line in wrapped(&words, width() - MARGIN) {
                writeln!(out, "{QUIET}{word:MARGIN$}{QUIET:#}{line}")?;
                word = "";
            }
        }
        Ok(())
    }

    fn write_primitives(&self, out: &mut impl Write) -> io::Result<()> {
        let all = || self.primitives.iter().flat_map(|primitive| &primitive.backends);
        let columns = width();
        let width = all().map(|backend| backend.name.len()).max().unwrap_or(0);
        writeln!(out, "\n{HEAD}Backends, most preferred first{HEAD:#}")?;
        for primitive in &self.primitives {
            let Backends { name, standard, backends } = primitive;
            writeln!(out, "{NAME}{name}{NAME:#}, {standard}")?;
            let none = backends.iter().all(|backend| backend.state != Choice::Chosen);
            for Backend { name, state, lacks } in backends {
                let (style, word) = match state {
                    Choice::Chosen => (GOOD, String::from("chosen")),
                    Choice::Available => (Style::new(), "available".into()),
                    Choice::Wrong if none && name.ends_with("/portable") => {
                        (WARNING, ALL_WRONG.into())
                    }
                    Choice::Wrong => (WARNING, WRONG.into()),
                    Choice::NotHere => (QUIET, lack(lacks)),
                };
                let words: Vec<&str> = word.split(' ').collect();
                let mut name = *name;
                for line in wrapped(&words, columns.saturating_sub(width + 4).max(20)) {
                    writeln!(out, "  {name:width$}  {style}{line}{style:#}")?;
                    name = "";
                }
            }
        }
        Ok(())
    }

    fn write_peers(&self, out: &mut impl Write) -> io::Result<()> {
        if self.peers.is_empty() {
            return Ok(());
        }
        let columns = width();
        let width = self.peers.iter().map(|found| found.peer.len()).max().unwrap_or(0);
        writeln!(out, "\n{HEAD}Libraries to compare with{HEAD:#}")?;
        for Found { peer, version, path, origin, note } in &self.peers {
            let style = if version.is_some() { Style::new() } else { QUIET };
            let origin = origin.filter(|origin| *origin != "installed").map(str::to_owned);
            let text = listed([version.clone(), path.clone(), origin, note.clone()]);
            let mut name = peer.as_str();
            for line in wrapped(
                &text.split(' ').collect::<Vec<_>>(),
                columns.saturating_sub(width + 2).max(20),
            ) {
                writeln!(out, "{NAME}{name:width$}{NAME:#}  {style}{line}{style:#}")?;
                name = "";
            }
        }
        Ok(())
    }
}

pub(super) const HEAD: Style = Style::new().bold();
pub(super) const NAME: Style = AnsiColor::Cyan.on_default();
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const WARNING: Style = AnsiColor::Yellow.on_default();
pub(super) const QUIET: Style = Style::new().dimmed();

/// The note on a backend that computes wrong answers.
const WRONG: &str = "gives wrong answers on this processor or emulator and is not used";
const ALL_WRONG: &str = "gives wrong answers on this processor or emulator, as all others do";

/// Columns before the text.
pub(super) const MARGIN: usize = 12;

/// Wrapped words, with a name before the first line; nothing if there are no words.
pub(super) fn paragraph(out: &mut impl Write, name: &str, text: &str) -> io::Result<()> {
    below(out, Style::new(), name, MARGIN - 2, text)
}

/// Why a backend cannot run.
fn lack(lacks: &[Feature]) -> String {
    let names = |state| {
        let of_state = lacks.iter().filter(|feature| feature.state == state);
        of_state.map(|feature| feature.name).collect::<Vec<_>>().join(" ")
    };
    let (absent, masked) = (names(Presence::NotHere), names(Presence::Masked));
    listed([
        (!absent.is_empty()).then(|| format!("not here: {absent}")),
        (!masked.is_empty()).then(|| format!("masked: {masked}")),
    ])
}

/// The parts that are present, separated by commas.
fn listed<const N: usize>(parts: [Option<String>; N]) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The beginning of a text that fits.
pub(super) fn cut(text: &str, columns: usize) -> String {
    match text.chars().count() <= columns {
        true => text.into(),
        false => text.chars().take(columns.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::backends::{features, tests::report};

    fn text(report: &Report) -> String {
        let mut out = Vec::new();
        report.write_view(View::All, &mut out).unwrap();
        anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
    }

    #[test]
    fn text_has_it_all() {
        let peers = vec![
            Found {
                peer: "libcrypto".into(),
                version: Some("OpenSSL 3.0.19".into()),
                path: Some("/usr/lib/libcrypto.so.3".into()),
                ..Found::default()
            },
            Found {
                peer: "nettle".into(),
                note: Some("no such library".into()),
                ..Found::default()
            },
        ];
        let text = text(&report("all", peers));
        for feature in features() {
            assert!(text.contains(feature.name), "{} in\n{text}", feature.name);
        }
        for info in ropewalk::PRIMITIVES.iter().flat_map(|primitive| primitive.backends) {
            assert!(text.contains(&format!("  {} ", info.name)), "{} in\n{text}", info.name);
        }
        assert!(text.contains("libcrypto  OpenSSL 3.0.19, /usr/lib/libcrypto.so.3\n"), "{text}");
        assert!(text.contains("nettle     no such library\n"), "{text}");
        assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
    }
}
