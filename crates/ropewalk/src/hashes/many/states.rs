//! The states of all lanes, and arrays of one value for each.

use core::ops::{BitXor, BitXorAssign};

/// Lanes of the widest backend: words of that type in 512 bits.
pub(crate) const fn lanes<T>() -> usize {
    64 / size_of::<T>()
}

/// An array with one value for each lane.
pub(crate) trait PerLane<T>: AsRef<[T]> + AsMut<[T]> + IntoIterator<Item = T> {
    fn from_fn(value: impl FnMut(usize) -> T) -> Self;

    /// The same value for all lanes.
    fn splat(value: T) -> Self
    where
        T: Copy;
}

impl<T, const LANES: usize> PerLane<T> for [T; LANES] {
    #[inline(always)]
    fn from_fn(value: impl FnMut(usize) -> T) -> Self {
        core::array::from_fn(value)
    }

    #[inline(always)]
    fn splat(value: T) -> Self
    where
        T: Copy,
    {
        [value; LANES]
    }
}

/// The states of lanes.
pub(crate) trait LaneStates<State>: Copy {
    /// Sets all lanes to one state.
    fn fill(&mut self, state: &State);
    fn lane(&self, lane: usize) -> State;
    fn set_lane(&mut self, lane: usize, state: &State);
}

/// The states of all lanes, transposed: word `i` of message `lane` is `[i][lane]`.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct States<T, const WORDS: usize, const LANES: usize>(pub(crate) [[T; LANES]; WORDS]);

impl<T: Copy, const WORDS: usize, const LANES: usize> States<T, WORDS, LANES> {
    /// The same state in all lanes.
    pub(crate) const fn splat(state: &[T; WORDS]) -> Self {
        let (mut states, mut i) = ([[state[0]; LANES]; WORDS], 0);
        while i < WORDS {
            states[i] = [state[i]; LANES];
            i += 1;
        }
        Self(states)
    }
}

impl<T: Copy, const WORDS: usize, const LANES: usize> LaneStates<[T; WORDS]>
    for States<T, WORDS, LANES>
{
    #[inline]
    fn fill(&mut self, state: &[T; WORDS]) {
        for i in 0..WORDS {
            self.0[i] = [state[i]; LANES];
        }
    }

    #[inline]
    fn lane(&self, lane: usize) -> [T; WORDS] {
        let mut state = [self.0[0][lane]; WORDS];
        for i in 0..WORDS {
            state[i] = self.0[i][lane];
        }
        state
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, state: &[T; WORDS]) {
        for i in 0..WORDS {
            self.0[i][lane] = state[i];
        }
    }
}

/// States that are not transposed, in the layout of instructions for one message.
impl<State: Copy, const LANES: usize> LaneStates<State> for [State; LANES] {
    #[inline]
    fn fill(&mut self, state: &State) {
        *self = [*state; LANES];
    }

    #[inline]
    fn lane(&self, lane: usize) -> State {
        self[lane]
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, state: &State) {
        self[lane] = *state;
    }
}

impl<T, const WORDS: usize, const LANES: usize> BitXorAssign<&Self> for States<T, WORDS, LANES>
where
    T: Copy + BitXor<Output = T>,
{
    #[inline]
    fn bitxor_assign(&mut self, other: &Self) {
        for (words, others) in self.0.iter_mut().zip(&other.0) {
            for (word, other) in words.iter_mut().zip(others) {
                *word = *word ^ *other;
            }
        }
    }
}
