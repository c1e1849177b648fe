//! All memory of the cases, and one call after another.

use std::{cell::RefCell, collections::BTreeMap, ffi::CString};

use super::{
    super::Calls,
    LEFT_OUT,
    arguments::NAMES,
    header::{Function, Header, Kind, Parameter},
    judged::OK,
    library,
    memory::{Arena, ROOM, Span},
    objects::OF_A_KIND,
};
use crate::{Case, text};

thread_local! {
    /// All memory of the cases: each case begins with the same.
    pub(super) static WORLD: RefCell<World> = RefCell::new(World::new());
}

/// Buffers for bytes.
pub(super) const BUFFERS: usize = 6;
/// What rows of messages lie in.
pub(super) const ROWS: usize = BUFFERS;
/// What errors, and rooms for numbers, lie in.
pub(super) const SMALL: usize = BUFFERS + 1;
/// Bytes of an error.
pub(super) const ERROR: usize = 192;

pub(super) struct World {
    pub(super) arenas: Vec<Arena>,
    pub(super) slots: Vec<Slot>,
    pub(super) names: Vec<CString>,
    /// How much of each buffer this call has left.
    pub(super) free: [usize; BUFFERS],
    /// The addresses that this call may read or write.
    pub(super) spans: Vec<Span>,
    pub(super) rows: Vec<RowsOf>,
}

/// Room for an object.
pub(super) struct Slot {
    pub(super) kind: String,
    arena: usize,
    /// From the start of the arena.
    from: usize,
    pub(super) len: usize,
    touched: bool,
}

/// The rows of messages of a call.
pub(super) struct RowsOf {
    pub(super) members: Vec<BTreeMap<String, usize>>,
}

impl World {
    fn new() -> Self {
        let mut arenas: Vec<_> = (0..BUFFERS + 2).map(|_| Arena::new(ROOM)).collect();
        let mut slots = Vec::new();
        for (kind, len) in Header::get().objects() {
            for i in 0..OF_A_KIND {
                let arena = Arena::new(4096);
                // At different distances from what vectors are aligned to.
                let from = 4096 - len - 8 * [0, 1, 5][i];
                slots.push(Slot {
                    kind: kind.into(),
                    arena: arenas.len(),
                    from,
                    len,
                    touched: false,
                });
                arenas.push(arena);
            }
        }
        let names = NAMES.iter().map(|name| CString::new(*name).expect("no zero within")).collect();
        Self { arenas, slots, names, free: [ROOM; BUFFERS], spans: Vec::new(), rows: Vec::new() }
    }

    /// Makes memory what it is at the beginning of each case.
    pub(super) fn begin(&mut self, case: &mut Case<'_>) {
        let from = case.below(text::LONGEST - BUFFERS * ROOM);
        let all = text::all()[from..].chunks(ROOM);
        self.arenas[..BUFFERS].iter_mut().zip(all).for_each(|(arena, text)| {
            arena.bytes().copy_from_slice(text);
        });
        self.arenas[BUFFERS..].iter_mut().for_each(|arena| arena.bytes().fill(0));
        self.slots.iter_mut().for_each(|slot| slot.touched = false);
    }

    /// Makes one call.
    pub(super) fn call(&mut self, case: &mut Case<'_>, calls: &mut Calls) {
        let header = Header::get();
        let function = &header.functions[case.below(header.functions.len())];
        if LEFT_OUT.iter().any(|(name, _)| *name == function.name) {
            return;
        }
        // It takes longer than a hundred others.
        if function.name == "self_test" && !case.rarely(50) {
            return;
        }
        self.disturb(case, calls);
        self.free = [ROOM; BUFFERS];
        self.spans.clear();
        self.rows.clear();
        let arguments = self.arguments(case, function);
        let inverse = self.inverse(case, function, &arguments);
        self.arenas.iter_mut().for_each(Arena::settle);
        calls.begin(|| self.told(function, &arguments));
        let returned = library::call(function, &arguments);
        calls.returned(returned);
        self.judge(function, &arguments, returned);
        if let Some(inverse) = inverse.filter(|_| returned == OK) {
            self.take_back(&inverse, calls);
        }
    }

    /// At times an object is copied to where another one is, or overwritten.
    fn disturb(&mut self, case: &mut Case<'_>, calls: &mut Calls) {
        if !case.rarely(16) {
            return;
        }
        let kind = case.below(self.slots.len() / OF_A_KIND) * OF_A_KIND;
        let [to, from] = [(); 2].map(|()| kind + case.below(OF_A_KIND));
        let what = case.pick(&[None, None, Some(0), Some(0xff), Some(0x55)]);
        let kind = &self.slots[to].kind;
        // A key on the heap that was wiped, and is copied back, points at memory that was freed: no mark can show that.
        let what = if kind == "rsa_key" { what.or(Some(0)) } else { what };
        calls.begin(|| match what {
            None => format!("{kind} {from} is copied to {to}"),
            Some(byte) => format!("{kind} {to} is overwritten by {byte:#x}"),
        });
        let bytes = match what {
            None => self.object(from).to_vec(),
            Some(byte) => vec![byte; self.slots[to].len],
        };
        self.slots[to].touched = true;
        self.object(to).copy_from_slice(&bytes);
    }

    pub(super) fn object(&mut self, slot: usize) -> &mut [u8] {
        let Slot { arena, from, len, .. } = self.slots[slot];
        &mut self.arenas[arena].bytes()[from..from + len]
    }

    pub(super) fn address(&mut self, slot: usize) -> usize {
        self.object(slot).as_mut_ptr().expose_provenance()
    }

    /// Whether these bytes lie where objects do.
    pub(super) fn slots_hold(&mut self, at: usize, len: usize) -> bool {
        self.arenas[SMALL + 1..].iter_mut().any(|arena| arena.before(at, len).is_some())
    }

    /// Bytes of an object of that kind.
    pub(super) fn len_of(&self, kind: &str) -> usize {
        self.slots.iter().find(|slot| slot.kind == kind).expect("a kind of the header").len
    }

    /// Any bytes that an object can be made of.
    pub(super) fn some_bytes(&mut self, case: &mut Case<'_>) -> usize {
        self.arenas[case.below(BUFFERS)].start() + case.below(1000)
    }

    fn any_slot(&mut self, case: &mut Case<'_>, kind: &str) -> usize {
        let first =
            self.slots.iter().position(|slot| slot.kind == kind).expect("a kind of the header");
        first + case.below(OF_A_KIND)
    }

    /// Where an object of a kind is, or can be.
    pub(super) fn slot(&mut self, case: &mut Case<'_>, kind: &str) -> usize {
        let slot = self.any_slot(case, kind);
        self.slots[slot].touched = true;
        self.address(slot)
    }

    /// Where an object of a kind is: one that is made, but where it was made and spoilt before, or seldom.
    pub(super) fn made(&mut self, case: &mut Case<'_>, kind: &str) -> usize {
        let slot = self.any_slot(case, kind);
        let at = self.address(slot);
        let again = case.rarely(8);
        if (!self.slots[slot].touched || again) && !case.rarely(12) {
            self.make(case, kind, at);
        }
        self.slots[slot].touched = true;
        at
    }

    /// What lay at an address before the call.
    pub(super) fn before(&mut self, at: usize, len: usize) -> Option<Vec<u8>> {
        if len == 0 {
            return Some(Vec::new());
        }
        self.arenas.iter_mut().find_map(|arena| arena.before(at, len).map(<[u8]>::to_vec))
    }

    /// What lies there now.
    pub(super) fn now(&mut self, at: usize, len: usize) -> Option<Vec<u8>> {
        self.arenas.iter_mut().for_each(Arena::settle);
        self.before(at, len)
    }

    pub(super) fn rows(&self) -> &[RowsOf] {
        &self.rows
    }

    /// The call in words, with addresses by what they are in.
    pub(super) fn told(&mut self, function: &Function, arguments: &[usize]) -> String {
        let parameters = function.parameters.iter().zip(arguments);
        let told: Vec<_> = parameters
            .map(|(parameter, argument)| {
                format!("{} {}", parameter.name, self.place_of(parameter, *argument))
            })
            .collect();
        let rows: Vec<_> = self.rows.iter().flat_map(|rows| &rows.members).cloned().collect();
        let rows: Vec<_> = rows
            .iter()
            .map(|row| {
                let members =
                    row.iter().map(|(name, value)| format!("{name} {}", self.value(*value)));
                format!("\n      {}", members.collect::<Vec<_>>().join(", "))
            })
            .collect();
        format!("{}({}){}", function.name, told.join(", "), rows.concat())
    }

    fn place_of(&mut self, parameter: &Parameter, argument: usize) -> String {
        match parameter.kind {
            Kind::Size | Kind::U32 | Kind::U64 | Kind::Algorithm(_) => format!("{argument}"),
            _ => self.value(argument),
        }
    }

    /// A number, or an address by what it is in.
    fn value(&mut self, value: usize) -> String {
        for slot in 0..self.slots.len() {
            if self.address(slot) == value {
                return format!("{}#{}", self.slots[slot].kind, slot % OF_A_KIND);
            }
        }
        for (i, arena) in self.arenas.iter_mut().enumerate() {
            let start = arena.start();
            if (start..=arena.end()).contains(&value) {
                return format!("memory {i}+{:#x}", value - start);
            }
        }
        format!("{value}")
    }
}
