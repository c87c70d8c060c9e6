//! Trellis-coded quantization: twice the levels for the same bits (Marcellin, Fischer 1990).
//!
//! Levels are dealt out in turn to four quarters. A component has a bit that says which branch of a
//! trellis is taken, and the others say which level of a quarter; the quarter follows from the last nine
//! branches, of this component and the eight before it. The trellis is Ungerboeck's of 256 states for
//! one dimension (1987, part II, table I): each of the two bits of a quarter's number is the parity of
//! some of these branches. So what took a search to find is read back by shifting one plane of bits.
//!
//! A search goes through all components and states (Viterbi 1967): a few ten thousand steps, done for 16
//! or 32 states side by side.

use super::Isa;

/// Components before this one whose branches tell its quarter.
const MEMORY: u32 = 8;

pub(crate) const STATES: usize = 1 << MEMORY;

const HALF: usize = STATES / 2;

/// Branches whose parity is a bit of the quarter's number, the upper bit first; this component's is
/// the lowest.
const TAPS: [u16; 2] = [0o515, 0o362];

/// The taps with nothings between them, those of both bits side by side, the upper bit's in front.
#[cfg(target_arch = "x86_64")]
pub(super) const INTERLEAVED: i64 = (spread(TAPS[0]) << 1) | spread(TAPS[1]);

#[cfg(target_arch = "x86_64")]
const fn spread(taps: u16) -> i64 {
    let (mut all, mut at) = (0, 0);
    while at <= MEMORY {
        all |= (taps as i64 >> at & 1) << (2 * at);
        at += 1;
    }
    all
}

/// Costs are even: the lowest bit says where a path came from.
pub(crate) type Costs = [u16; STATES];

/// What each quarter costs in a component.
pub(crate) type Quarters = [u16; 4];

/// More than paths differ by.
pub(crate) const FAR: u16 = 30_000;

/// Components between two looks at how far costs have risen.
const RENEW: usize = 16;

/// The quarter's number for each of 128 branches, in two planes: upper and lower bits.
pub(crate) fn quarters(branches: u128) -> [u128; 2] {
    TAPS.map(|taps| {
        let tap = |at: u32| match taps >> at & 1 {
            1 => branches << at,
            _ => 0,
        };
        (0..=MEMORY).fold(0, |all, at| all ^ tap(at))
    })
}

/// All bits set where the quarter's number of the branch 0 from a state has its upper bit, and its lower.
static SIDES: [[u16; HALF]; 2] = [sides(0), sides(1)];

const fn sides(bit: usize) -> [u16; HALF] {
    let mut sides = [0; HALF];
    let mut state = 0;
    while state < HALF {
        if ((state << 1) as u16 & TAPS[bit]).count_ones() & 1 == 1 {
            sides[state] = u16::MAX;
        }
        state += 1;
    }
    sides
}

/// The branches of the least cost from state 0; `history` is room for as many and one.
pub(crate) fn search(isa: Isa, costs: &[Quarters], history: &mut Vec<Costs>) -> u128 {
    debug_assert!(costs.len() <= 128);
    history.resize(costs.len() + 1, [0; STATES]);
    history[0] = [FAR; STATES];
    history[0][0] = 0;
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            #[expect(unsafe_code, reason = "calls code compiled for AVX2 or AVX-512")]
            // SAFETY: `Isa::Avx2` is only made by `detect`; the rest was found.
            unsafe {
                if is_x86_feature_detected!("avx512bw") {
                    forward_512(costs, history)
                } else {
                    forward_256(costs, history)
                }
            }
        }
        _ => forward(costs, history),
    }
    back(history)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512bw")]
fn forward_512(costs: &[Quarters], history: &mut [Costs]) {
    forward(costs, history);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn forward_256(costs: &[Quarters], history: &mut [Costs]) {
    forward(costs, history);
}

#[inline(always)]
fn forward(costs: &[Quarters], history: &mut [Costs]) {
    for (at, quarters) in costs.iter().enumerate() {
        let (before, after) = history.split_at_mut(at + 1);
        let (before, after) = (&mut before[at], &mut after[0]);
        if at % RENEW == 0 {
            let least = before.iter().fold(u16::MAX, |least, cost| least.min(*cost)) & !1;
            before.iter_mut().for_each(|cost| *cost -= least);
        }
        step(before, *quarters, after);
    }
}

/// A state is the last eight branches, the newest lowest: two lead to each, and they differ in the
/// oldest. The upper bit of a quarter's number changes with the newest and with the oldest.
#[inline(always)]
fn step(before: &Costs, [a, b, c, d]: Quarters, after: &mut Costs) {
    let (young, old) = before.split_at(HALF);
    let after = after.as_chunks_mut::<2>().0.iter_mut();
    let before = young.iter().zip(old);
    let sides = SIDES[0].iter().zip(&SIDES[1]);
    for ((after, (young, old)), (upper, lower)) in after.zip(before).zip(sides) {
        let (own, other) = (a ^ (a ^ b) & lower, c ^ (c ^ d) & lower);
        let swap = (own ^ other) & upper;
        let (own, other) = (own ^ swap, other ^ swap);
        let (young, old) = (young & !1, old & !1);
        let from = |young: u16, old: u16| young.min(old | 1);
        *after = [
            from(young.saturating_add(own), old.saturating_add(other)),
            from(young.saturating_add(other), old.saturating_add(own)),
        ];
    }
}

fn back(history: &[Costs]) -> u128 {
    let last = history.last().map_or(&[][..], |costs| costs);
    let least = last.iter().enumerate().min_by_key(|(_, cost)| **cost);
    let mut state = least.map_or(0, |(state, _)| state);
    let mut branches = 0;
    for costs in history[1..].iter().rev() {
        branches = branches << 1 | (state & 1) as u128;
        state = state >> 1 | usize::from(costs[state] & 1) << (MEMORY - 1);
    }
    branches
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cost(costs: &[Quarters], branches: u128) -> u32 {
        let [upper, lower] = quarters(branches);
        let quarter = |at: usize| (upper >> at & 1) * 2 + (lower >> at & 1);
        let costs = costs.iter().enumerate();
        costs
            .map(|(at, costs)| u32::from(costs[quarter(at) as usize]))
            .sum()
    }

    proptest! {
        #[test]
        fn no_path_costs_less(
            costs in prop::collection::vec(prop::array::uniform4(0u16..500), 1..12),
        ) {
            let costs: Vec<Quarters> = costs.iter().map(|four| four.map(|cost| cost * 2)).collect();
            let found = search(Isa::detect(), &costs, &mut Vec::new());
            let all = 0..1u128 << costs.len();
            let least = all.map(|branches| cost(&costs, branches)).min();
            prop_assert_eq!(Some(cost(&costs, found)), least);
        }

        #[test]
        fn all_paths_through_the_trellis_agree(
            costs in prop::collection::vec(prop::array::uniform4(0u16..20_000), 0..=128),
        ) {
            let costs: Vec<Quarters> = costs.iter().map(|four| four.map(|cost| cost * 2)).collect();
            let native = search(Isa::detect(), &costs, &mut Vec::new());
            prop_assert_eq!(search(Isa::Scalar, &costs, &mut Vec::new()), native);
            #[cfg(target_arch = "x86_64")]
            if Isa::detect() == Isa::Avx2 {
                let mut history = vec![[0; STATES]; costs.len() + 1];
                history[0] = [FAR; STATES];
                history[0][0] = 0;
                #[expect(unsafe_code, reason = "calls code compiled for AVX2")]
                // SAFETY: the feature was found.
                unsafe {
                    forward_256(&costs, &mut history);
                }
                prop_assert_eq!(back(&history), native);
            }
        }
    }
}
