//! Advice in words, no wider than the screen.

use std::fmt::Write as _;

use super::{
    capacity::Capacity,
    needs::{Needs, Protect, speed},
    offers::{Figure, Offer},
    rank::{Advice, Judged, duration},
    rules::RULES,
    short::Short,
    support::{CHECKED, Ended},
};
use crate::{
    filename::text_shown,
    report::{figures, words},
};

/// Columns of the heads of lines.
const HEAD: usize = 15;

/// The advice on needs. `explain` adds the rules, and what speaks against each of the others.
pub fn advice(advice: &Advice, explain: bool, width: usize) -> String {
    let mut page = Page { text: String::new(), width };
    page.say(&answer(advice));
    page.line("need", &needed(&advice.needs));
    if let Some(first) = advice.first() {
        about_first(&mut page, advice, first);
    }
    advice.would.iter().for_each(|would| page.line("would meet it", &would.words()));
    advice.bottleneck.iter().for_each(|it| page.line("link", &it.words()));
    advice.unknown.iter().for_each(|it| page.line("not judged", it));
    about_refused(&mut page, advice, explain);
    if explain {
        advice.others.iter().for_each(|other| page.line("other", &why_not(other, &advice.needs)));
        page.line("support", &format!("dates as published, compared on {CHECKED}"));
    }
    page.rows(relied_on(advice));
    page.text
}

/// The short answer.
pub fn short(short: &Short, width: usize) -> String {
    let mut page = Page { text: String::new(), width };
    let Some(chosen) = &short.advice.chosen else {
        page.say("No row has a cipher to recommend.");
        short.advice.unknown.iter().for_each(|it| page.line("not judged", it));
        return page.text;
    };
    let needs = &short.advice.needs;
    let limit = chosen.offer.figures[0].share_of_limit;
    let limit = limit.map(|share| format!(", {:.0} % of the limit", share * 100.0));
    page.say(&format!(
        "{}: {}{} ({} B a message, one core)",
        chosen.offer.name(),
        speed_of(needs, &chosen.offer),
        limit.unwrap_or_default(),
        needs.bytes()
    ));
    for other in others_by_title(&short.advice) {
        page.say(&compared(other, needs));
    }
    if let Some(openssl) = &short.openssl {
        let name = openssl.library.name();
        let remedy = openssl.remedy.map(|it| format!(": {it}")).unwrap_or_default();
        if chosen.offer.library != openssl.library {
            page.say(&format!("{name} reaches {:.0} % of it{remedy}", openssl.reaches * 100.0));
        }
        openssl.past_support.iter().for_each(|it| page.say(&past(&name, it)));
    }
    page.text
}

/// The cores of a server.
pub fn capacity(capacity: &Capacity, width: usize) -> String {
    let mut page = Page { text: String::new(), width };
    let sum = figures::plain(capacity.cores);
    let here = capacity.here.map(|it| format!("; there are {it} here")).unwrap_or_default();
    let whole = capacity.whole();
    let enough = match (capacity.is_enough(), capacity.needs.cores) {
        (false, Some(cores)) => format!(", and cores is {cores}"),
        _ => here,
    };
    let s = if whole == 1 { "" } else { "s" };
    page.say(&format!("{whole} core{s} for the cryptography of TLS 1.3 ({sum}){enough}"));
    page.line("need", &needed(&capacity.needs));
    for line in &capacity.lines {
        page.line("work", &format!("{}: {}", line.name, line.words()));
    }
    capacity.unknown.iter().for_each(|it| page.line("not judged", it));
    page.line(
        "not counted",
        "the system, copies, hashes of handshakes, certificates of clients, what cores share",
    );
    page.rows(capacity.lines.iter().flat_map(|line| {
        let name = line.name.rsplit(" with ").next().unwrap_or_default().to_owned();
        line.figures.iter().map(move |figure| (name.clone(), figure))
    }));
    page.text
}

struct Page {
    text: String,
    width: usize,
}

impl Page {
    fn say(&mut self, text: &str) {
        self.text += &(words::paragraph(&text_shown(text), self.width) + "\n");
    }

    fn line(&mut self, head: &str, text: &str) {
        self.text += &words::hanging(&format!("{head:HEAD$}"), &text_shown(text), self.width);
    }

    /// The rows that the answer is computed from.
    fn rows<'a>(&mut self, rows: impl Iterator<Item = (String, &'a Figure)>) {
        let mut said: Vec<String> = Vec::new();
        for (library, figure) in rows {
            let row = row(&library, figure);
            if !said.contains(&row) {
                self.line(if said.is_empty() { "rows" } else { "" }, &row);
                said.push(row);
            }
        }
    }
}

/// The first line: what to use, or that nothing meets the needs.
fn answer(advice: &Advice) -> String {
    if let Some(refused) = advice.refused.first().filter(|_| is_forbidden(advice)) {
        return format!("{} is never recommended: {}", refused.task, refused.rule.why);
    }
    match (&advice.chosen, &advice.nearest) {
        (Some(chosen), _) => {
            let on = match advice.needs.cores {
                None | Some(1) => "one core".into(),
                Some(cores) => format!("{cores} cores"),
            };
            let (offer, needs) = (&chosen.offer, &advice.needs);
            let each = duration(offer.time.ns);
            format!("{}: {} on {on}, {each} each", offer.name(), speed_of(needs, offer))
        }
        (None, Some(nearest)) => {
            format!("nothing meets the need; nearest: {}", nearest.offer.name())
        }
        (None, None) => "nothing can be recommended by these rows".into(),
    }
}

fn is_forbidden(advice: &Advice) -> bool {
    let fixed = advice.needs.fixed.as_ref().map(super::needs::Fixed::full_name);
    advice.refused.first().is_some_and(|refused| Some(&refused.task) == fixed.as_ref())
}

fn about_first(page: &mut Page, advice: &Advice, first: &Judged) {
    for fail in &first.fails {
        page.line("short by", &fail.words(&advice.needs));
    }
    if advice.chosen.is_some() {
        margins(&advice.needs, &first.offer).iter().for_each(|it| page.line("margin", it));
    }
    for other in others_by_title(advice) {
        page.line("next", &compared(other, &advice.needs));
    }
    for other in same_title(advice, first) {
        page.line("next", &compared(other, &advice.needs));
    }
    let strong = |goal| goal != Protect::Password;
    if let Some(choice) = first.offer.choice.filter(|choice| strong(choice.protects)) {
        page.line("strength", &format!("{} bits ({})", choice.bits, choice.source));
    }
    page.line("constant-time", first.constant_time.words());
    if let Some(ended) = &first.past_support {
        page.line("support", &past(&first.offer.library.name(), ended));
    }
    notes(&advice.needs).iter().for_each(|note| page.line("note", note));
}

/// What is to be known of a goal, and of cores.
fn notes(needs: &Needs) -> Vec<&'static str> {
    let of_goal: &[&str] = match needs.goal() {
        Protect::Confidentiality => &[
            "without a tag, changes of a message are not noticed: aead, unless another layer has one",
        ],
        Protect::Integrity => {
            &["AES-GMAC needs a nonce that never repeats under a key; HMAC and CMAC need none"]
        }
        Protect::Password => &[
            "Argon2id (RFC 9106) costs an attacker more; no task measures it yet",
            "the time is that of as many HMACs whose key is ready",
        ],
        Protect::KeyAgreement => &["a message is an exchange: a new key, and the common secret"],
        Protect::Aead | Protect::Signature => &[],
    };
    let cores = "cores are counted as one core times their number: ropewalk scale measures them";
    let cores = needs.cores.filter(|cores| *cores > 1).map(|_| cores);
    of_goal.iter().copied().chain(cores).collect()
}

/// By how much each need is met, at the slow end of the interval.
fn margins(needs: &Needs, offer: &Offer) -> Vec<String> {
    let per_second = needs.per_second().map(|wanted| {
        let has = needs.workers() * 1e9 / offer.time.high;
        let what = if needs.rate.is_some() { "the rate" } else { "the operations" };
        format!("{} {what}", figures::ratio(has / wanted))
    });
    let latency = needs.latency.map(|most| {
        format!("{} of the time that a message may take", figures::share(offer.time.high / most))
    });
    per_second.into_iter().chain(latency).collect()
}

/// The fastest of each other algorithm, three at most.
fn others_by_title(advice: &Advice) -> Vec<&Judged> {
    const MOST: usize = 3;
    let mut seen: Vec<&str> =
        advice.first().iter().map(|first| first.offer.title.as_str()).collect();
    let mut others = Vec::new();
    for other in &advice.others {
        if !seen.contains(&other.offer.title.as_str()) {
            seen.push(&other.offer.title);
            others.push(other);
        }
    }
    others.truncate(MOST);
    others
}

/// Of the same algorithm the fastest other library, and the system's OpenSSL.
fn same_title<'a>(advice: &'a Advice, first: &Judged) -> Vec<&'a Judged> {
    let same = || advice.others.iter().filter(|other| other.offer.title == first.offer.title);
    let openssl = same().find(|other| other.offer.library.is_system_openssl());
    let mut found: Vec<&Judged> = same().take(1).collect();
    found.extend(openssl.filter(|it| !found.contains(it)));
    found
}

/// An offer beside the first.
fn compared(other: &Judged, needs: &Needs) -> String {
    let name = other.offer.name();
    let against = other.fails.first().map(|fail| fail.words(needs));
    let past = other.past_support.as_ref().map(|it| past(&other.offer.library.name(), it));
    let but = against.or(past).map(|why| format!("; {why}")).unwrap_or_default();
    match other.differs {
        false => format!("{name} is as fast, within the noise{but}"),
        true => format!("{name} takes {} the time{but}", figures::ratio(other.ratio)),
    }
}

/// Everything that speaks against an offer.
fn why_not(other: &Judged, needs: &Needs) -> String {
    let name = other.offer.name();
    let mut why: Vec<String> = other.fails.iter().map(|fail| fail.words(needs)).collect();
    why.extend(other.past_support.iter().map(|it| past(&other.offer.library.name(), it)));
    why.push(format!("takes {} the time", figures::ratio(other.ratio)));
    format!("{name}: {}", why.join("; "))
}

fn past(name: &str, ended: &Ended) -> String {
    format!(
        "{name} is past its support by its project since {} ({}), unless a distribution supports it",
        ended.on, ended.source
    )
}

/// The rule that forbids the fixed algorithm; with `explain` the rules that forbid any row.
fn about_refused(page: &mut Page, advice: &Advice, explain: bool) {
    let shown = match (explain, is_forbidden(advice)) {
        (true, _) => advice.refused.len(),
        (false, forbidden) => usize::from(forbidden),
    };
    let shown = &advice.refused[..shown];
    for rule in RULES {
        let tasks = shown.iter().filter(|refused| refused.rule.id == rule.id);
        let tasks: Vec<&str> = tasks.map(|refused| refused.task.as_str()).collect();
        if !tasks.is_empty() {
            let (why, source, tasks) = (rule.why, rule.source, tasks.join(", "));
            let text = format!("{} forbids {tasks}: {why} ({source})", rule.id);
            page.line("rule", &format!("{text}; instead: {}", rule.instead));
        }
    }
}

/// The figures of the first, and of what it is compared with.
fn relied_on(advice: &Advice) -> impl Iterator<Item = (String, &Figure)> {
    let first = advice.first();
    let others = first.map(|first| same_title(advice, first)).unwrap_or_default();
    let all = first.into_iter().chain(others_by_title(advice)).chain(others);
    all.flat_map(|judged| {
        let name = judged.offer.library.name();
        judged.offer.figures.iter().map(move |figure| (name.clone(), figure))
    })
}

fn row(library: &str, figure: &Figure) -> String {
    let Figure { part, count, backend, time, from, .. } = figure;
    let mut text = format!("{} {} B, {library}", part.full_name(), part.bytes);
    if *count > 1 {
        _ = write!(text, ", {count} messages a call");
    }
    if !backend.is_empty() {
        _ = write!(text, ", {backend}");
    }
    _ = write!(text, ": {}", duration(time.ns));
    if time.low < time.high {
        _ = write!(text, " [{}, {}]", duration(time.low), duration(time.high));
    }
    if part.times > 1 {
        _ = write!(text, ", {} times", part.times);
    }
    match from[..] {
        [] => {}
        [one] => _ = write!(text, ", from {one} B"),
        _ => {
            let sizes: Vec<String> = from.iter().map(usize::to_string).collect();
            _ = write!(text, ", between {} B", sizes.join(" and "));
        }
    }
    text
}

/// The needs in words.
fn needed(needs: &Needs) -> String {
    let mut parts = Vec::new();
    match (&needs.fixed, needs.tls) {
        (Some(fixed), _) => parts.push(fixed.full_name()),
        (None, Some(tls)) => parts.push(format!("TLS 1.3 with {}", speed(tls))),
        (None, None) => parts.push(needs.goal().name().to_owned()),
    }
    if needs.least_bits() > 0 {
        parts.push(format!("{} bits", needs.least_bits()));
    }
    parts.extend(needs.message.map(|bytes| format!("messages of {bytes} B")));
    parts.extend(needs.rate.map(speed));
    parts.extend(needs.ops.map(figures::calls));
    parts.extend(needs.requests.map(|it| format!("{} connections", figures::calls(it))));
    parts.extend(needs.record.map(|bytes| format!("records of {bytes} B")));
    parts.extend(needs.resumed.map(|share| format!("{:.0} % resumed", share * 100.0)));
    parts.extend(needs.latency.map(|ns| format!("{} at most", duration(ns))));
    parts.extend(needs.max_code.map(|bytes| format!("{bytes} B of code at most")));
    parts.extend(needs.max_ram.map(|bytes| format!("{bytes} B of memory at most")));
    parts.extend(needs.cores.map(|cores| format!("{cores} cores")));
    parts.extend(needs.must.iter().map(|must| must.name().to_owned()));
    parts.join(", ")
}

/// Bytes a second, or messages a second where messages have no bytes, of the cores that work on it.
fn speed_of(needs: &Needs, offer: &Offer) -> String {
    let per_second = needs.workers() * offer.per_second();
    let by_call = offer
        .figures
        .iter()
        .any(|figure| ["sign", "verify", "agree", "generate"].contains(&figure.part.op.as_str()));
    match by_call || needs.goal() == Protect::Password {
        true => figures::calls(per_second),
        false => speed(needs.bytes() as f64 * per_second),
    }
}
