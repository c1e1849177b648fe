//! Many messages whose memory certainly lies apart, found by one look at each.
//!
//! Few layouts are known. In **rows**, all texts lie in order, all tags, all nonces, and the rows lie apart. As **packets**, all
//! that belongs to a message lies together, and the packets of a group may lie in any order. Between them, tags may lie in records
//! with nonces and additional data, and texts elsewhere. Texts of which each is an allocation lie **scattered**, around the rows of
//! the others: they are sorted. For any other layout the answer is "not certain", and
//! [`batch::apart`](super::batch::apart) compares messages with each other.

use std::{array, ffi::c_void};

use arrayvec::ArrayVec;

use super::Span;
use crate::{many::GROUP, memory};

/// Whether each of `messages` is `fine`, all of their memory is there, and what one writes lies certainly apart from all else that it
/// and the others have. All of it lies certainly apart from `messages` themselves. Of the spans of a message, the first `W` are written. An input that is its output is left out: it has no
/// bytes of its own. The last span is the key, which messages may share.
#[inline(always)]
pub(crate) fn surely_apart<T, const F: usize, const W: usize>(
    messages: &[T],
    spans: impl Fn(&T) -> [Span; F],
    mut fine: impl FnMut(&T) -> bool,
) -> bool {
    let with = match Layout::<F>::of::<T, W>(messages, &spans) {
        Layout::Packets => return in_packets::<T, F, W>(messages, &spans, &mut fine),
        Layout::Rows if in_rows::<T, F, W, false>(messages, &spans, &mut fine, [false; F]) => {
            return true;
        }
        Layout::Records(with) if in_rows::<T, F, W, true>(messages, &spans, &mut fine, with) => {
            return true;
        }
        Layout::Rows => [false; F],
        Layout::Records(with) => with,
    };
    scattered::<T, F, W>(messages, &spans, &mut fine, with)
}

/// How messages seem to lie by the first two of them. That decides only how they are looked at.
enum Layout<const F: usize> {
    /// All that belongs to a message lies together.
    Packets,
    /// What is of one kind lies together.
    Rows,
    /// The last of what is written lies in a record, with the fields that are named.
    Records([bool; F]),
}

impl<const F: usize> Layout<F> {
    #[inline(always)]
    fn of<T, const W: usize>(messages: &[T], spans: &impl Fn(&T) -> [Span; F]) -> Self {
        let [first, second, ..] = messages else { return Self::Rows };
        let (first, second) = (spans(first), spans(second));
        // Whether bytes of a field lie between the first two of another field: those of one message, and not a whole row.
        let among = |f: usize, other: usize| {
            let (start, gap) = (first[other].at, second[other].at.wrapping_sub(first[other].at));
            let between = |span: Span| span.len > 0 && span.at.wrapping_sub(start) < gap;
            between(first[f]) != between(second[f])
        };
        if (1..F - 1).any(|f| among(f, 0)) {
            return Self::Packets;
        }
        let with = array::from_fn(|f| W > 1 && f >= W && f + 1 < F && among(f, W - 1));
        if with == [false; F] { Self::Rows } else { Self::Records(with) }
    }
}

/// From the first byte of some spans to behind their last one.
#[derive(Clone, Copy)]
struct Reach {
    from: usize,
    to: usize,
}

impl Reach {
    const NOTHING: Self = Self { from: usize::MAX, to: 0 };

    #[inline(always)]
    fn add(&mut self, span: Span) {
        if span.len > 0 {
            self.from = self.from.min(span.at);
            self.to = self.to.max(span.at.wrapping_add(span.len));
        }
    }

    #[inline(always)]
    fn of(span: Span) -> Self {
        let mut reach = Self::NOTHING;
        reach.add(span);
        reach
    }

    #[inline(always)]
    fn is_within(self, other: Self) -> bool {
        other.from <= self.from && self.to <= other.to
    }

    #[inline(always)]
    fn is_apart(self, other: Self) -> bool {
        self.to <= other.from || other.to <= self.from
    }
}

/// A row begins with the span of the first message: so it has one number to be kept, its end. With `RECORDS`, fields that are
/// `with` the last of what is written are one row with it.
#[inline(always)]
fn in_rows<T, const F: usize, const W: usize, const RECORDS: bool>(
    messages: &[T],
    spans: &impl Fn(&T) -> [Span; F],
    fine: &mut impl FnMut(&T) -> bool,
    with: [bool; F],
) -> bool {
    let Some(first) = messages.first() else { return true };
    let first = rows_of::<F, W, RECORDS>(spans(first), with);
    let mut ends: [usize; F] = array::from_fn(|f| first[f].at);
    let mut keys = Reach::NOTHING;
    keys.add(first[F - 1]);
    let (mut key, mut lens) = (first[F - 1].at, 0);
    for message in messages {
        let own = spans(message);
        let rows = rows_of::<F, W, RECORDS>(own, with);
        for f in 0..F - 1 {
            lens |= own[f].len;
            if RECORDS && with[f] && own[W - 1].may_touch(own[f]) {
                return false;
            }
            let Span { at, len } = rows[f];
            if f < W {
                // What is written lies in order.
                if at < ends[f] {
                    return false;
                }
                ends[f] = at.wrapping_add(len);
            } else if len > 0 {
                if at < first[f].at {
                    return false;
                }
                ends[f] = ends[f].max(at.wrapping_add(len));
            }
        }
        if own[F - 1].at != key {
            key = own[F - 1].at;
            keys.add(own[F - 1]);
        }
        if !fine(message) {
            return false;
        }
    }
    let rows = array::from_fn(|f| match f + 1 < F {
        true => Reach { from: first[f].at, to: ends[f] },
        false => keys,
    });
    lens <= memory::MOST && are_apart::<F, W>(rows) && array_is_apart(messages, &rows)
}

/// As [`in_rows`], but what is of one kind may lie in any order, with rows of other kinds in between.
#[inline(never)]
fn scattered<T, const F: usize, const W: usize>(
    messages: &[T],
    spans: &impl Fn(&T) -> [Span; F],
    fine: &mut impl FnMut(&T) -> bool,
    with: [bool; F],
) -> bool {
    let (mut rows, mut in_order) = ([Reach::NOTHING; F], [true; F]);
    for message in messages {
        let own = spans(message);
        let now = rows_of::<F, W, true>(own, with);
        for f in 0..F {
            if with[f] && own[W - 1].may_touch(own[f]) || own[f].len > memory::MOST {
                return false;
            }
            in_order[f] &= now[f].len == 0 || now[f].at >= rows[f].to;
            rows[f].add(now[f]);
        }
        if !fine(message) {
            return false;
        }
    }
    let scattered = array::from_fn(|f| {
        let around = |g: usize| {
            (f < W || g < W) && !rows[f].is_apart(rows[g]) && !rows[f].is_within(rows[g])
        };
        f < W && !in_order[f] || (0..F).any(|g| g != f && around(g))
    });
    let count = F + 1 + messages.len() * scattered.iter().filter(|scattered| **scattered).count();
    // What a call mostly has fits on the stack.
    const HERE: usize = 2 * GROUP + 8;
    if count <= HERE {
        let mut here = ArrayVec::<Reach, HERE>::new();
        places::<T, F, W>(messages, spans, with, rows, scattered, |place| here.push(place));
        return are_apart_sorted(&mut here);
    }
    let mut all = Vec::new();
    if all.try_reserve_exact(count).is_err() {
        return false;
    }
    places::<T, F, W>(messages, spans, with, rows, scattered, |place| all.push(place));
    are_apart_sorted(&mut all)
}

/// The bytes that must lie apart: each of those that lie scattered, and other rows as a whole.
#[inline(always)]
fn places<T, const F: usize, const W: usize>(
    messages: &[T],
    spans: &impl Fn(&T) -> [Span; F],
    with: [bool; F],
    mut rows: [Reach; F],
    scattered: [bool; F],
    mut put: impl FnMut(Reach),
) {
    for f in 0..F {
        if scattered[f] {
            rows[f] = Reach::NOTHING;
            for message in messages {
                put(Reach::of(rows_of::<F, W, true>(spans(message), with)[f]));
            }
        }
    }
    // Rows that are only read may share bytes.
    for f in W..F {
        for g in W..f {
            if !rows[f].is_apart(rows[g]) {
                rows[f].from = rows[f].from.min(rows[g].from);
                rows[f].to = rows[f].to.max(rows[g].to);
                rows[g] = Reach::NOTHING;
            }
        }
    }
    rows.into_iter().for_each(&mut put);
    put(Reach::of(Span::new(messages.as_ptr().cast::<c_void>(), size_of_val(messages))));
}

/// The spans of a message by rows: a record is one span.
#[inline(always)]
fn rows_of<const F: usize, const W: usize, const RECORDS: bool>(
    mut spans: [Span; F],
    with: [bool; F],
) -> [Span; F] {
    if RECORDS {
        let mut record = Reach::NOTHING;
        record.add(spans[W - 1]);
        for f in W..F - 1 {
            if with[f] {
                record.add(std::mem::replace(&mut spans[f], Span::NOTHING));
            }
        }
        if record.to > 0 {
            spans[W - 1] = Span { at: record.from, len: record.to.wrapping_sub(record.from) };
        }
    }
    spans
}

/// Packets of a group may lie in any order: they are sorted.
#[inline(never)]
fn in_packets<T, const F: usize, const W: usize>(
    messages: &[T],
    spans: &impl Fn(&T) -> [Span; F],
    fine: &mut impl FnMut(&T) -> bool,
) -> bool {
    let (mut keys, mut all) = (Reach::NOTHING, Reach::NOTHING);
    let (mut key, mut lens) = (0, 0);
    let mut in_order = true;
    let mut packets = ArrayVec::<Reach, GROUP>::new();
    for message in messages {
        let spans = spans(message);
        let mut packet = Reach::NOTHING;
        for f in 0..F {
            lens |= spans[f].len;
            if f + 1 == F || spans[f].len == 0 {
                continue;
            }
            packet.add(spans[f]);
            for w in 0..W.min(f) {
                if spans[w].may_touch(spans[f]) {
                    return false;
                }
            }
        }
        if spans[F - 1].at != key {
            key = spans[F - 1].at;
            keys.add(spans[F - 1]);
        }
        in_order &= packet.from >= all.to;
        // NULL lies before all packets.
        if packet.from == 0 || !fine(message) {
            return false;
        }
        all.from = all.from.min(packet.from);
        all.to = all.to.max(packet.to);
        if packets.try_push(packet).is_err() && !in_order {
            return false;
        }
    }
    lens <= memory::MOST
        && keys.is_apart(all)
        && array_is_apart(messages, &[all, keys])
        && (in_order || messages.len() <= GROUP && are_apart_sorted(&mut packets))
}

/// Whether these lie apart from each other, and none at NULL. Those of no bytes come last, and end before any begins.
fn are_apart_sorted(places: &mut [Reach]) -> bool {
    places.sort_unstable_by_key(|place| place.from);
    places.first().is_none_or(|first| first.from > 0)
        && places.is_sorted_by(|one, next| one.to <= next.from)
}

/// Whether rows that are written lie apart from all others, and none that has bytes begins at NULL.
#[inline(always)]
fn are_apart<const F: usize, const W: usize>(rows: [Reach; F]) -> bool {
    for f in 0..F {
        if rows[f].from == 0 && rows[f].to > 0 {
            return false;
        }
        for w in 0..W.min(f) {
            if !rows[w].is_apart(rows[f]) {
                return false;
            }
        }
    }
    true
}

/// The messages are read too, and the results of most are written.
#[inline(always)]
fn array_is_apart<T>(messages: &[T], rows: &[Reach]) -> bool {
    let array = Reach::of(Span::new(messages.as_ptr().cast::<c_void>(), size_of_val(messages)));
    rows.iter().all(|row| row.is_apart(array))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlap::{apart, batch};

    const KEY: Span = Span { at: 5, len: 3 };

    /// What a call would find by comparing everything: each message within itself, and all with all.
    fn exactly(messages: &[[Span; 4]]) -> bool {
        let within = messages.iter().all(|[out, tag, read, key]| {
            let others = [*tag, *read, *key];
            apart("out", *out, others).is_ok() && apart("tag", *tag, [*read, *key]).is_ok()
        });
        within && batch::apart(messages, 2, |message| *message).is_ok()
    }

    fn surely(messages: &[[Span; 4]]) -> bool {
        surely_apart::<_, 4, 2>(messages, |message| *message, |_| true)
    }

    #[test]
    fn rows_and_packets_are_certain() {
        let rows = |i: usize| [1000 + 16 * i, 3000 + 4 * i, 5000 + 8 * i];
        let packets = |i: usize| [1000 + 64 * i, 1016 + 64 * i, 1020 + 64 * i];
        let shared = |i: usize| [1000 + 16 * i, 3000 + 4 * i, 5000];
        let scattered = |i: usize| packets(i * 29 % 64 + i / 64 * 64);
        let records = |i: usize| [1000 + 16 * i, 5012 + 16 * i, 5000 + 16 * i];
        // Each text is an allocation, and the records lie in between.
        let texts = |i: usize| {
            let [_, tag, read] = records(i).map(|at| at + 2000);
            [scattered(i)[0] + i % 2 * 10_000, tag, read]
        };
        let layouts =
            [&rows as &dyn Fn(usize) -> _, &packets, &shared, &scattered, &records, &texts];
        for (layout, starts) in layouts.into_iter().enumerate() {
            for count in [1, 2, 3, 64, 65] {
                let message = |i| {
                    let [out, tag, read] = starts(i);
                    [(out, 16), (tag, 4), (read, 8)].map(|(at, len)| Span { at, len })
                };
                let messages: Vec<[Span; 4]> = (0..count)
                    .map(|i| {
                        let [out, tag, read] = message(i);
                        [out, tag, read, KEY]
                    })
                    .collect();
                // Packets are sorted in a group only.
                let certain = layout != 3 || count <= GROUP;
                assert_eq!(surely(&messages), certain, "{count} messages in layout {layout}");
            }
        }
    }

    /// Few addresses and lengths, so that most layouts overlap somewhere, and the lengths of 0 and NULL are met often.
    #[test]
    fn certain_means_apart_by_exact_comparison() {
        let mut state = 1_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut certain = 0;
        // Miri is slow.
        let cases = if cfg!(miri) { 300 } else { 200_000 };
        for _ in 0..cases {
            let count = 1 + random(4) as usize;
            let spread = 1 + random(60);
            let mut next = random(40);
            let messages: Vec<[Span; 4]> = (0..count)
                .map(|_| {
                    let mut span = || {
                        let at = match random(8) {
                            0 => 0,
                            1 => random(400),
                            _ => next,
                        };
                        let len = random(6);
                        next = at + len + random(spread);
                        Span { at: at as usize, len: if at == 0 { 0 } else { len as usize } }
                    };
                    [span(), span(), span(), Span { at: 1000, len: 8 }]
                })
                .collect();
            if surely(&messages) {
                certain += 1;
                assert!(exactly(&messages), "an overlap was overlooked");
            }
        }
        assert!(certain > cases / 200, "only {certain} layouts were certain");
    }

    #[test]
    fn null_with_bytes_is_never_certain() {
        let null = |f: usize| {
            let mut message = [1000, 2000, 3000].map(|at| Span { at, len: 4 });
            message[f].at = 0;
            let [out, tag, read] = message;
            surely(&[[out, tag, read, KEY]])
        };
        assert_eq!([null(0), null(1), null(2)], [false; 3]);
    }
}
