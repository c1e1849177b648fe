//! Batches whose memory certainly does not overlap, detected by one or two passes over the messages.
//!
//! A few layouts are known. In **rows**, all texts are in order, all tags, all nonces, and the rows do not overlap. As
//! **packets**, the memory of each message is contiguous. In between, tags may be in records with nonces and additional data, and
//! texts elsewhere. Fields of a group of messages that are in no order, around the rows of other fields or not, are checked by a
//! table, or sorted.

use std::{array, ffi::c_void};

use arrayvec::ArrayVec;

use super::{
    Span,
    intervals::{self, Reach},
};
use crate::{many::GROUP, memory};

/// The order of messages in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// By ascending addresses: this check costs a few cycles a message, and fails early.
    Ascending,
    /// Any. There are at most as many messages as in a group.
    Any,
}

/// Whether each of `messages` is `fine`, all of their memory is valid, and the output of each certainly does not overlap its
/// other memory and that of the others. None of it overlaps `messages`. Of the spans of a message, the first `W` are written. An
/// input that is its output is left out: it is empty. The last span is the key, which messages may share. With three spans, the
/// first one may lie within the second one of its message.
#[inline(always)]
pub(crate) fn surely_apart<T, const F: usize, const W: usize>(
    messages: &[T],
    spans: impl Fn(&T) -> [Span; F],
    order: Order,
    mut fine: impl FnMut(&T) -> bool,
) -> bool {
    let (spans, fine) = (&spans, &mut fine);
    match Layout::of::<T, F, W>(messages, spans) {
        Layout::Packets => {
            in_packets::<T, F, W>(messages, spans, order, fine)
                || order == Order::Any && scattered::<T, F, W, 0>(messages, spans, fine)
        }
        Layout::Rows => in_rows_or_scattered::<T, F, W, 0>(messages, spans, order, fine),
        Layout::Records(NONCE) => {
            in_rows_or_scattered::<T, F, W, NONCE>(messages, spans, order, fine)
        }
        Layout::Records(AAD) => in_rows_or_scattered::<T, F, W, AAD>(messages, spans, order, fine),
        Layout::Records(NONCE_AND_AAD) => {
            in_rows_or_scattered::<T, F, W, NONCE_AND_AAD>(messages, spans, order, fine)
        }
        Layout::Records(_) => order == Order::Any && scattered::<T, F, W, 0>(messages, spans, fine),
    }
}

/// Sets of fields that are in records with the tags of authenticated ciphers, a bit each by their index in the spans.
const NONCE: usize = 1 << 3;
const AAD: usize = 1 << 4;
const NONCE_AND_AAD: usize = NONCE | AAD;

/// Fields `WITH` the last written one are one row with it. Texts that are written are the first field; those that are only read
/// are the second one.
#[inline(always)]
fn in_rows_or_scattered<T, const F: usize, const W: usize, const WITH: usize>(
    messages: &[T],
    spans: &impl Fn(&T) -> [Span; F],
    order: Order,
    fine: &mut impl FnMut(&T) -> bool,
) -> bool {
    if WITH != 0 && (W < 2 || F < 6) {
        return false;
    }
    in_rows::<T, F, W, WITH, NONE>(messages, spans, fine)
        || order == Order::Any
            && (F > 3 && in_rows::<T, F, W, WITH, 0>(messages, spans, fine)
                || F == 3 && in_rows::<T, F, W, WITH, 1>(messages, spans, fine)
                || scattered::<T, F, W, WITH>(messages, spans, fine))
}

/// All fields are in rows.
const NONE: usize = usize::MAX;

/// The apparent layout of messages, by the first two of them. It only selects the check.
enum Layout {
    /// The memory of each message is contiguous.
    Packets,
    /// Each field is a row.
    Rows,
    /// The last written field is in a record, with the fields of these bits.
    Records(usize),
}

impl Layout {
    #[inline(always)]
    fn of<T, const F: usize, const W: usize>(
        messages: &[T],
        spans: &impl Fn(&T) -> [Span; F],
    ) -> Self {
        let [first, second, ..] = messages else { return Self::Rows };
        let (first, second) = (spans(first), spans(second));
        // Whether bytes of a field are between the first two of another field: those of one message, and not a whole row.
        let among = |f: usize, other: usize| {
            let (start, gap) = (first[other].at, second[other].at.wrapping_sub(first[other].at));
            let between = |span: Span| span.len > 0 && span.at.wrapping_sub(start) < gap;
            between(first[f]) != between(second[f])
        };
        if (1..F - 1).any(|f| among(f, 0)) {
            return Self::Packets;
        }
        let with = |f: &usize| W > 1 && among(*f, W - 1);
        match (W..F - 1).filter(with).fold(0, |fields, f| fields | 1 << f) {
            0 => Self::Rows,
            fields => Self::Records(fields),
        }
    }
}

/// A row begins with the span of the first message: so only its end is kept. Fields `WITH` the last written one are one row with
/// it. The field `LOOSE` may be in any order, and around the rows of the others.
#[inline(always)]
fn in_rows<T, const F: usize, const W: usize, const WITH: usize, const LOOSE: usize>(
    messages: &[T],
    spans: &impl Fn(&T) -> [Span; F],
    fine: &mut impl FnMut(&T) -> bool,
) -> bool {
    let Some(first) = messages.first() else { return true };
    let first = rows_of::<F, W, WITH>(spans(first));
    let mut ends: [usize; F] = array::from_fn(|f| first[f].at);
    let (mut keys, mut loose) = (Reach::of(first[F - 1]), Reach::NOTHING);
    let (mut key, mut lens) = (first[F - 1].at, 0);
    for message in messages {
        let own = spans(message);
        let rows = rows_of::<F, W, WITH>(own);
        for f in 0..F - 1 {
            lens |= own[f].len;
            if WITH >> f & 1 == 1 && own[W - 1].may_touch(own[f]) {
                return false;
            }
            let Span { at, len } = rows[f];
            if f == LOOSE {
                loose.add(rows[f]);
            } else if f < W {
                // Written fields are in order.
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
    let rows = array::from_fn(|f| match f {
        _ if f == LOOSE => Reach::NOTHING,
        _ if f + 1 < F => Reach { from: first[f].at, to: ends[f] },
        _ => keys,
    });
    lens <= memory::MOST
        && are_apart::<F, W>(rows)
        && array_is_apart(messages, &rows)
        && (LOOSE == NONE || loose_are_apart::<T, F, W, LOOSE>(messages, spans, &rows, loose))
}

/// Whether the spans of the field `LOOSE`, all of them within `hull`, do not overlap the rows of the others, and each other if
/// they are written. That field is not a part of a record.
#[inline(always)]
fn loose_are_apart<T, const F: usize, const W: usize, const LOOSE: usize>(
    messages: &[T],
    spans: &impl Fn(&T) -> [Span; F],
    rows: &[Reach; F],
    hull: Reach,
) -> bool {
    let span = |message: &T| Reach::of(spans(message)[LOOSE]);
    let apart_from = |other: Reach| {
        other.is_apart(hull)
            || messages.iter().fold(true, |apart, one| apart & span(one).is_apart(other))
    };
    let array = Reach::of(Span::new(messages.as_ptr().cast::<c_void>(), size_of_val(messages)));
    hull.from > 0
        && (0..F).all(|g| LOOSE >= W && g >= W || apart_from(rows[g]))
        && apart_from(array)
        && (LOOSE >= W || intervals::are_apart(messages.len(), |i| span(&messages[i])))
}

/// As [`in_rows`], but each field may be in any order, with rows of other fields in between: it is sorted.
#[cold]
fn scattered<T, const F: usize, const W: usize, const WITH: usize>(
    messages: &[T],
    spans: &impl Fn(&T) -> [Span; F],
    fine: &mut impl FnMut(&T) -> bool,
) -> bool {
    let (mut rows, mut in_order) = ([Reach::NOTHING; F], [true; F]);
    for message in messages {
        let own = spans(message);
        let now = rows_of::<F, W, WITH>(own);
        for f in 0..F {
            if WITH >> f & 1 == 1 && own[W - 1].may_touch(own[f]) || own[f].len > memory::MOST {
                return false;
            }
            in_order[f] &= now[f].len == 0 || now[f].at >= rows[f].to;
            rows[f].add(now[f]);
        }
        if !fine(message) {
            return false;
        }
    }
    let field = |message: &T, f: usize| Reach::of(rows_of::<F, W, WITH>(spans(message))[f]);
    let scattered = array::from_fn(|f| {
        let around = |g: usize| {
            (f < W || g < W) && !rows[f].is_apart(rows[g]) && !rows[f].is_within(rows[g])
        };
        f < W && !in_order[f] || (0..F).any(|g| g != f && around(g))
    });
    let count = F + 1 + messages.len() * scattered.iter().filter(|scattered| **scattered).count();
    // The largest number of spans of a group, which are sorted on the stack.
    const MOST: usize = 6 * GROUP + 8;
    let mut all = ArrayVec::<Reach, MOST>::new();
    if count > MOST {
        return false;
    }
    places::<T, F, W>(messages, field, rows, scattered, |place| all.push(place));
    intervals::are_apart_sorted(&mut all)
}

/// The intervals that must not overlap: each scattered span, and other rows as a whole.
#[inline(always)]
fn places<T, const F: usize, const W: usize>(
    messages: &[T],
    field: impl Fn(&T, usize) -> Reach,
    mut rows: [Reach; F],
    scattered: [bool; F],
    mut put: impl FnMut(Reach),
) {
    for f in 0..F {
        if scattered[f] {
            rows[f] = Reach::NOTHING;
            messages.iter().for_each(|message| put(field(message, f)));
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
fn rows_of<const F: usize, const W: usize, const WITH: usize>(mut spans: [Span; F]) -> [Span; F] {
    if WITH != 0 {
        let mut record = Reach::NOTHING;
        record.add(spans[W - 1]);
        for f in W..F - 1 {
            if WITH >> f & 1 == 1 {
                record.add(std::mem::replace(&mut spans[f], Span::NOTHING));
            }
        }
        if record.to > 0 {
            spans[W - 1] = Span { at: record.from, len: record.to.wrapping_sub(record.from) };
        }
    }
    spans
}

/// The memory of each message does not overlap that of the others.
#[inline(never)]
fn in_packets<T, const F: usize, const W: usize>(
    messages: &[T],
    spans: &impl Fn(&T) -> [Span; F],
    order: Order,
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
                if F > 3 && spans[w].may_touch(spans[f]) {
                    return false;
                }
            }
        }
        if spans[F - 1].at != key {
            key = spans[F - 1].at;
            keys.add(spans[F - 1]);
        }
        in_order &= packet.from >= all.to;
        // NULL is before all packets.
        if packet.from == 0 || !fine(message) {
            return false;
        }
        all.from = all.from.min(packet.from);
        all.to = all.to.max(packet.to);
        if !in_order && order == Order::Ascending {
            return false;
        }
        if order == Order::Any && packets.try_push(packet).is_err() {
            return false;
        }
    }
    lens <= memory::MOST
        && keys.is_apart(all)
        && array_is_apart(messages, &[all, keys])
        && (in_order
            || intervals::are_apart(packets.len(), |i| packets[i])
            || intervals::are_apart_sorted(&mut packets))
}

/// Whether written rows do not overlap any others, and no non-empty one begins at NULL.
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
    use crate::overlap::apart;

    const KEY: Span = Span { at: 5, len: 3 };

    /// The exact check: each message within itself, and all with all.
    fn exactly(messages: &[[Span; 4]]) -> bool {
        let within = messages.iter().all(|[out, tag, read, key]| {
            let others = [*tag, *read, *key];
            apart("out", *out, others).is_ok() && apart("tag", *tag, [*read, *key]).is_ok()
        });
        let clash = |one: [Span; 4], other: [Span; 4]| {
            one[..2].iter().any(|span| other.iter().any(|has| span.overlaps(*has)))
        };
        let all = 0..messages.len();
        within
            && all.clone().all(|i| all.clone().all(|j| i == j || !clash(messages[i], messages[j])))
    }

    fn surely(messages: &[[Span; 4]]) -> bool {
        let spans = |[out, tag, read, key]: &[Span; 4]| {
            [*out, *tag, Span::NOTHING, *read, Span::NOTHING, *key]
        };
        let order = if messages.len() > GROUP { Order::Ascending } else { Order::Any };
        surely_apart::<_, 6, 2>(messages, spans, order, |_| true)
    }

    #[test]
    fn rows_and_packets_are_certain() {
        let rows = |i: usize| [1000 + 16 * i, 3000 + 4 * i, 5000 + 8 * i];
        let packets = |i: usize| [1000 + 64 * i, 1016 + 64 * i, 1020 + 64 * i];
        let shared = |i: usize| [1000 + 16 * i, 3000 + 4 * i, 5000];
        let scattered = |i: usize| packets(i * 29 % 64 + i / 64 * 64);
        let records = |i: usize| [1000 + 16 * i, 5012 + 16 * i, 5000 + 16 * i];
        // Each text is an allocation, and the records are in between.
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
                // Fields in no order are only resolved within a group.
                let certain = !matches!(layout, 3 | 5) || count <= GROUP;
                assert_eq!(surely(&messages), certain, "{count} messages in layout {layout}");
            }
        }
    }

    /// Few addresses and lengths, so that most layouts overlap somewhere, and lengths of 0 and NULL are frequent.
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
            let (count, equal) = (1 + random(7) as usize, random(2) > 0);
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
                        let len = if equal { 4 } else { random(6) };
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
