//! Rising numbers in few bits: each as its distance to the one before, in the code of Rice and Golomb, whose
//! parameter is the one that fits their mean.

/// Packs rising numbers below `end`.
pub(super) fn pack(numbers: &[u32], end: u32) -> Vec<u8> {
    let shift = parameter(numbers.len(), end);
    let mut bits = BitWriter::default();
    let mut next = 0;
    for number in numbers {
        let gap = number - next;
        for _ in 0..gap >> shift {
            bits.put(1, 1);
        }
        bits.put(0, 1);
        bits.put(gap & ((1 << shift) - 1), shift);
        next = number + 1;
    }
    bits.finish()
}

/// Calls `each` with `n` numbers below `end`; `None` where the bytes are not what was packed.
pub(super) fn each(bytes: &[u8], n: usize, end: u32, mut each: impl FnMut(u32)) -> Option<()> {
    let shift = parameter(n, end);
    let mut bits = BitReader { bytes, at: 0 };
    let mut next = 0u32;
    for _ in 0..n {
        let high = bits.take_unary()?;
        let gap = high.checked_shl(shift)? | bits.take(shift)?;
        let number = next.checked_add(gap).filter(|number| *number < end)?;
        each(number);
        next = number + 1;
    }
    Some(())
}

/// The bits of a distance that are written as they are.
fn parameter(n: usize, end: u32) -> u32 {
    let n = n.max(1) as u64;
    let mean = u64::from(end).saturating_sub(n) / n;
    // ln 2, as 7/10: where half of the distances are longer.
    (mean * 7 / 10).checked_ilog2().unwrap_or(0).min(31)
}

#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    open: u64,
    n_open: u32,
}

impl BitWriter {
    fn put(&mut self, value: u32, n: u32) {
        self.open |= u64::from(value) << self.n_open;
        self.n_open += n;
        while self.n_open >= 8 {
            self.bytes.push(self.open as u8);
            self.open >>= 8;
            self.n_open -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.n_open > 0 {
            self.bytes.push(self.open as u8);
        }
        self.bytes
    }
}

struct BitReader<'b> {
    bytes: &'b [u8],
    /// In bits.
    at: usize,
}

impl BitReader<'_> {
    /// The next 32 bits and more, as far as there are any.
    fn ahead(&self) -> u64 {
        let start = self.at / 8;
        let mut window = [0; 8];
        let rest = self.bytes.get(start..).unwrap_or_default();
        let n = rest.len().min(8);
        window[..n].copy_from_slice(&rest[..n]);
        u64::from_le_bytes(window) >> (self.at % 8)
    }

    fn left(&self) -> usize {
        (8 * self.bytes.len()).saturating_sub(self.at)
    }

    fn take(&mut self, n: u32) -> Option<u32> {
        if self.left() < n as usize {
            return None;
        }
        let value = self.ahead() & ((1 << n) - 1);
        self.at += n as usize;
        Some(value as u32)
    }

    /// The number of ones before the next zero.
    fn take_unary(&mut self) -> Option<u32> {
        let mut n = 0;
        loop {
            // At least 57 bits lie in the window; beyond the end they are zeros.
            let ones = self.ahead().trailing_ones().min(56);
            n += ones;
            self.at += ones as usize;
            if ones < 56 {
                self.take(1)?;
                return Some(n);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn unpacked(bytes: &[u8], n: usize, end: u32) -> Option<Vec<u32>> {
        let mut numbers = Vec::new();
        each(bytes, n, end, |number| numbers.push(number))?;
        Some(numbers)
    }

    proptest! {
        #[test]
        fn numbers_come_back(set: BTreeSet<u32>, few in prop::collection::btree_set(0u32..300, 0..300)) {
            for (numbers, end) in [(set, u32::MAX), (few, 300)] {
                let numbers: Vec<u32> = numbers.into_iter().filter(|number| *number < end).collect();
                let packed = pack(&numbers, end);
                prop_assert_eq!(unpacked(&packed, numbers.len(), end), Some(numbers));
            }
        }

        #[test]
        fn damage_is_no_panic(bytes: Vec<u8>, n in 0usize..100, end in 0u32..1000) {
            let _ = unpacked(&bytes, n, end);
        }
    }

    #[test]
    fn a_list_of_nearly_all_takes_a_bit_each() {
        let numbers: Vec<u32> = (0..8000).filter(|number| number % 10 != 3).collect();
        assert!(pack(&numbers, 8000).len() <= 1001);
    }
}
