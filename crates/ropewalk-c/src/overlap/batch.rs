//! Many messages: what one of them writes must overlap nothing that another one reads or writes.
//!
//! Nearly always its buffers lie in rows, or each message is a packet, and one look at each message tells. Where they lie in no
//! order they are sorted. Where some overlap, all are compared with all, which finds the first that does.

use std::array;

use super::Span;
use crate::enter::{Failure, Result, Why};

/// Messages that are compared with others at once.
const TILE: usize = 64;

/// From a first address up to a last one, which is not in it. Nothing is where the first is greater.
#[derive(Clone, Copy)]
struct Hull {
    from: usize,
    to: usize,
}

impl Hull {
    const NOTHING: Self = Self { from: usize::MAX, to: 0 };

    #[inline(always)]
    fn with(self, span: Span) -> Self {
        if span.len == 0 {
            return self;
        }
        Self { from: self.from.min(span.at), to: self.to.max(span.at.wrapping_add(span.len)) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self { from: self.from.min(other.from), to: self.to.max(other.to) }
    }

    #[inline(always)]
    fn overlaps(self, other: Self) -> bool {
        (self.from < other.to) & (other.from < self.to)
    }
}

/// Refuses messages of which one writes what another has. Each has `F` spans, of which the first `written` are written; they
/// have been found apart within each.
///
/// # Errors
/// [`Why::Overlap`], with the index of the later message.
#[inline]
pub(crate) fn apart<T, const F: usize>(
    messages: &[T],
    written: usize,
    spans: impl Fn(&T) -> [Span; F],
) -> Result<()> {
    let count = messages.len();
    let spans = |i: usize| spans(&messages[i]);
    // What is of one kind lies in one row; rows that lie among each other are looked at together.
    let mut rows = [Hull::NOTHING; F];
    for i in 0..count {
        let spans = spans(i);
        rows = array::from_fn(|f| rows[f].with(spans[f]));
    }
    // The messages themselves are read too.
    let array = Span::new(messages.as_ptr().cast(), size_of_val(messages));
    if rows[..written].iter().any(|row| row.overlaps(Hull::NOTHING.with(array))) {
        for i in 0..count {
            if spans(i)[..written].iter().any(|span| span.overlaps(array)) {
                return Err(Failure::from(Why::Overlap("output")).at(i));
            }
        }
    }
    let mut row_of: [usize; F] = array::from_fn(|f| f);
    for f in 0..F {
        for g in 0..f {
            if rows[f].overlaps(rows[g]) {
                let (old, new) = (row_of[f], row_of[g]);
                row_of = row_of.map(|row| if row == old { new } else { row });
            }
        }
    }
    for row in 0..F {
        let fields: [bool; F] = array::from_fn(|f| row_of[f] == row);
        let certain =
            || in_order(count, fields, &spans) || sorted_apart(count, written, fields, &spans);
        if fields[..written].contains(&true) && !certain() {
            compare_all(count, written, fields, &spans)?;
        }
    }
    Ok(())
}

/// Refuses messages of which one has bytes in their array, whose results are written.
///
/// # Errors
/// [`Why::Overlap`], with the index of the first such message.
#[inline]
pub(crate) fn apart_from_array<T, const F: usize>(
    what: &'static str,
    messages: &[T],
    spans: impl Fn(&T) -> [Span; F],
) -> Result<()> {
    let array = Span::new(messages.as_ptr().cast(), size_of_val(messages));
    for (i, message) in messages.iter().enumerate() {
        if spans(message).iter().fold(false, |some, span| some | span.overlaps(array)) {
            return Err(Failure::from(Why::Overlap(what)).at(i));
        }
    }
    Ok(())
}

/// Whether each message begins where the one before has ended, or all the other way round.
#[inline]
fn in_order<const F: usize>(
    count: usize,
    fields: [bool; F],
    spans: &impl Fn(usize) -> [Span; F],
) -> bool {
    let (mut up, mut down) = (true, true);
    let (mut end, mut start) = (0, usize::MAX);
    for i in 0..count {
        let hull = hull(fields, spans(i));
        if hull.from < hull.to {
            (up, down) = (up & (hull.from >= end), down & (hull.to <= start));
            (end, start) = (hull.to, hull.from);
        }
    }
    up | down
}

/// Whether nothing that is written overlaps anything else of these fields, found by sorting all of it. False too where there is no
/// memory to sort it in.
#[cold]
fn sorted_apart<const F: usize>(
    count: usize,
    written: usize,
    fields: [bool; F],
    spans: &impl Fn(usize) -> [Span; F],
) -> bool {
    let mut all = Vec::<(Hull, bool)>::new();
    if all.try_reserve_exact(count * fields.iter().filter(|used| **used).count()).is_err() {
        return false;
    }
    for i in 0..count {
        let of = spans(i).into_iter().enumerate().filter(|(f, _)| fields[*f]);
        all.extend(of.map(|(f, span)| (Hull::NOTHING.with(span), f < written)));
    }
    all.sort_unstable_by_key(|(hull, _)| hull.from);
    let (mut end, mut end_of_written) = (0, 0);
    // What has no bytes comes last, and begins behind everything.
    for (hull, is_written) in all {
        if hull.from < if is_written { end } else { end_of_written } {
            return false;
        }
        end = end.max(hull.to);
        end_of_written = end_of_written.max(if is_written { hull.to } else { 0 });
    }
    true
}

/// Compares each with all before it.
#[cold]
fn compare_all<const F: usize>(
    count: usize,
    written: usize,
    fields: [bool; F],
    spans: &impl Fn(usize) -> [Span; F],
) -> Result<()> {
    let mut first_wrong = None;
    for tile in (0..count).step_by(TILE) {
        let within = TILE.min(count - tile);
        let hulls: [Hull; TILE] = array::from_fn(|i| match i < within {
            true => hull(fields, spans(tile + i)),
            false => Hull::NOTHING,
        });
        for later in tile + 1..first_wrong.unwrap_or(count) {
            let one = hull(fields, spans(later));
            let before = &hulls[..within.min(later - tile)];
            if !before.iter().fold(false, |some, hull| some | hull.overlaps(one)) {
                continue;
            }
            let clash = |i: usize| clashes(written, spans(tile + i), spans(later));
            if (0..before.len()).any(|i| before[i].overlaps(one) && clash(i)) {
                first_wrong = Some(later);
                break;
            }
        }
    }
    match first_wrong {
        None => Ok(()),
        Some(index) => Err(Failure::from(Why::Overlap("output")).at(index)),
    }
}

/// Whether one of them writes what the other has.
fn clashes<const F: usize>(written: usize, one: [Span; F], other: [Span; F]) -> bool {
    let writes = |one: [Span; F], other: [Span; F]| {
        one[..written].iter().any(|span| other.iter().any(|has| span.overlaps(*has)))
    };
    writes(one, other) || writes(other, one)
}

/// All that a message has in a row.
#[inline(always)]
fn hull<const F: usize>(fields: [bool; F], spans: [Span; F]) -> Hull {
    let mut all = Hull::NOTHING;
    for f in 0..F {
        if fields[f] {
            all = all.and(Hull::NOTHING.with(spans[f]));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each message writes and reads, found by comparing all with all.
    fn plain(messages: &[[Span; 3]]) -> Option<usize> {
        (0..messages.len()).find(|&i| (0..i).any(|j| clashes(1, messages[i], messages[j])))
    }

    fn found(messages: &[[Span; 3]]) -> Option<usize> {
        apart(messages, 1, |message| *message).err().and_then(|failure| failure.index)
    }

    #[test]
    fn rows_and_packets_in_any_order() {
        // Miri is slow.
        let counts = [0, 1, 2, 3, 63, 64, 65, 200];
        for count in counts.into_iter().take(if cfg!(miri) { 5 } else { 8 }) {
            for layout in 0..4 {
                let mut messages: Vec<[Span; 3]> = (0..count)
                    .map(|i: usize| {
                        let i = match layout {
                            0 | 1 => i,
                            2 => count - 1 - i,
                            _ => (i * 77 + 5) % 257,
                        };
                        let starts = match layout {
                            0 => [10_000 + 16 * i, 20_000 + 16 * i, 77],
                            _ => [1_000 + 48 * i, 1_016 + 48 * i, 1_032 + 48 * i],
                        };
                        starts.map(|at| Span { at, len: 16 })
                    })
                    .collect();
                assert_eq!(found(&messages), None, "{count} in layout {layout}");
                for wrong in (1..count).step_by(31) {
                    let before = messages[wrong][0];
                    messages[wrong][0].at = messages[wrong - 1][1].at + 15;
                    assert_eq!(found(&messages), plain(&messages), "{wrong} of {count}, {layout}");
                    messages[wrong][0] = before;
                }
            }
        }
    }

    #[test]
    fn what_is_only_read_may_be_shared_and_nothing_is_nowhere() {
        let shared = Span { at: 500, len: 100 };
        let message = |at| [Span { at, len: 10 }, shared, Span { at: 503, len: 0 }];
        assert_eq!(found(&[message(10), message(20), message(30)]), None);
        assert_eq!(found(&[message(10), message(590), message(30)]), Some(1));
        assert_eq!(found(&[message(10), message(30), message(19)]), Some(2));
        let empty = [Span { at: 12, len: 0 }; 3];
        assert_eq!(found(&[message(10), empty, message(20)]), None);
    }
}
