//! The two inner loops: Hamming distances over sketches, and dot products of bytes.

/// Distances of all rows of `query.len()` words each, in order; those that `mask` leaves out are
/// `u16::MAX`. `mask` has a bit for each row; `None` takes all.
pub(super) fn distances(rows: &[u64], query: &[u64], mask: Option<&[u64]>, out: &mut Vec<u16>) {
    out.clear();
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("popcnt") {
        #[expect(
            unsafe_code,
            reason = "the processor has just said that it counts bits"
        )]
        // SAFETY: the feature was detected.
        return unsafe { distances_popcnt(rows, query, mask, out) };
    }
    by_width(rows, query, mask, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn distances_popcnt(rows: &[u64], query: &[u64], mask: Option<&[u64]>, out: &mut Vec<u16>) {
    by_width(rows, query, mask, out);
}

/// The usual widths as constants: the loop over words unrolls.
#[inline(always)]
fn by_width(rows: &[u64], query: &[u64], mask: Option<&[u64]>, out: &mut Vec<u16>) {
    out.resize(rows.len() / query.len().max(1), 0);
    match query.len() {
        4 => fixed::<4>(rows, query, out),
        6 => fixed::<6>(rows, query, out),
        12 => fixed::<12>(rows, query, out),
        n => {
            for (to, row) in out.iter_mut().zip(rows.chunks_exact(n.max(1))) {
                *to = far(row, query);
            }
        }
    }
    if mask.is_some() {
        for (at, to) in out.iter_mut().enumerate() {
            if !is_in(mask, at) {
                *to = u16::MAX;
            }
        }
    }
}

/// Loops, not iterator adapters: what is not inlined here is compiled without `popcnt`.
#[inline(always)]
fn fixed<const W: usize>(rows: &[u64], query: &[u64], out: &mut [u16]) {
    let mut words = [0; W];
    words.copy_from_slice(query);
    for (to, row) in out.iter_mut().zip(rows.as_chunks::<W>().0) {
        *to = far(row, &words);
    }
}

#[inline(always)]
fn far(row: &[u64], query: &[u64]) -> u16 {
    let mut n_bits = 0_u32;
    for (a, b) in row.iter().zip(query) {
        n_bits = n_bits.wrapping_add((a ^ b).count_ones());
    }
    n_bits as u16
}

#[inline(always)]
fn is_in(mask: Option<&[u64]>, at: usize) -> bool {
    mask.is_none_or(|mask| {
        mask.get(at / 64)
            .is_some_and(|word| word >> (at % 64) & 1 == 1)
    })
}

/// Sum of products of bytes; at most 2^17 components.
pub(super) fn dot(a: &[i8], b: &[i8]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "the processor has just said that it has AVX2")]
        // SAFETY: the feature was detected.
        return unsafe { dot_avx2(a, b) };
    }
    plain_dot(a, b)
}

/// Sum of products of a query's bytes with a row's half bytes, 8 added to each: the low halves are of
/// the first half of the components.
pub(super) fn nibble_dot(row: &[u8], query: &[i8]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "the processor has just said that it has AVX2")]
        // SAFETY: the feature was detected.
        return unsafe { nibble_dot_avx2(row, query) };
    }
    plain_nibble_dot(row, query)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn nibble_dot_avx2(row: &[u8], query: &[i8]) -> i32 {
    plain_nibble_dot(row, query)
}

#[inline(always)]
fn plain_nibble_dot(row: &[u8], query: &[i8]) -> i32 {
    let (first, second) = query.split_at(row.len().min(query.len()));
    let product = |code: u8, value: &i8| (i32::from(code) - 8) * i32::from(*value);
    let low = row
        .iter()
        .zip(first)
        .map(|(both, value)| product(both & 15, value));
    let high = row
        .iter()
        .zip(second)
        .map(|(both, value)| product(both >> 4, value));
    low.fold(0, i32::wrapping_add)
        .wrapping_add(high.fold(0, i32::wrapping_add))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dot_avx2(a: &[i8], b: &[i8]) -> i32 {
    plain_dot(a, b)
}

#[inline(always)]
fn plain_dot(a: &[i8], b: &[i8]) -> i32 {
    let products = a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b));
    // Checked additions would keep the loop from being done eight at a time.
    products.fold(0, i32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_and_masks_agree_with_counting() {
        for width in [1, 4, 6, 7, 12] {
            let rows: Vec<u64> = (0..width as u64 * 70)
                .map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .collect();
            let query: Vec<u64> = rows[width..2 * width].to_vec();
            let mut found = Vec::new();
            distances(&rows, &query, None, &mut found);
            let counted = |row: &[u64]| {
                row.iter()
                    .zip(&query)
                    .map(|(a, b)| (a ^ b).count_ones() as u16)
                    .sum::<u16>()
            };
            let expected: Vec<u16> = rows.chunks(width).map(counted).collect();
            assert_eq!(found, expected);
            assert_eq!(found[1], 0);
            let mask = [!2_u64, 1];
            distances(&rows, &query, Some(&mask), &mut found);
            let masked =
                |(at, far): (usize, &u16)| if at == 1 || at > 64 { u16::MAX } else { *far };
            assert_eq!(
                found,
                expected.iter().enumerate().map(masked).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn dot_of_extremes_does_not_overflow() {
        assert_eq!(dot(&[-127; 768], &[127; 768]), -127 * 127 * 768);
    }
}
