//! AVX2: codes become levels by a byte shuffle, levels and query values are added up by `maddubs`.

use super::layout::part_bytes;
use super::{BLOCK, Codes, GROUPS, Layout, Maxima, PART, ROWS_AT_A_TIME, RowBlock, Rows, scalar};
use crate::MAX_DIM;
use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi32, _mm256_add_epi8, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_hadd_epi32, _mm256_madd_epi16, _mm256_maddubs_epi16,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_set1_epi64x,
    _mm256_setr_epi32, _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_slli_epi16, _mm256_srlv_epi32, _mm256_srlv_epi64,
};

const MAX_BLOCKS: usize = MAX_DIM.div_ceil(BLOCK);

/// 128 levels.
type Levels = [__m256i; 4];

#[target_feature(enable = "avx2,fma")]
pub(super) fn products(codes: &Codes<'_>, rows: &Rows, out: &mut [i32]) {
    let layout = codes.layout;
    let mut levels: [Levels; MAX_BLOCKS] = [[_mm256_setzero_si256(); 4]; MAX_BLOCKS];
    let levels = &mut levels[..layout.n_blocks];
    let (rows, _) = rows.blocks.as_chunks::<ROWS_AT_A_TIME>();
    let n_rows = rows.len() / layout.n_blocks * ROWS_AT_A_TIME;
    let tokens = codes.bytes.chunks_exact(layout.stride());
    for (token, out) in tokens.zip(out.chunks_exact_mut(n_rows)) {
        for (levels, block) in levels
            .iter_mut()
            .zip(token.chunks_exact(layout.block_bytes()))
        {
            *levels = expand(layout, block);
        }
        let (out, _) = out.as_chunks_mut::<ROWS_AT_A_TIME>();
        for (rows, out) in rows.chunks_exact(layout.n_blocks).zip(out) {
            let mut sums = [_mm256_setzero_si256(); ROWS_AT_A_TIME];
            for (levels, rows) in levels.iter().zip(rows) {
                for (sum, row) in sums.iter_mut().zip(rows) {
                    *sum = _mm256_add_epi32(*sum, block(levels, row));
                }
            }
            *out = bytemuck::cast(totals(sums));
        }
    }
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn products_of_lead(leads: &Codes<'_>, row: &[RowBlock], out: &mut [i32]) {
    let layout = leads.layout;
    let mut skip = 0;
    for (group, bits) in layout.bits[..layout.n_lead].iter().enumerate() {
        let values: Vec<__m256i> = row
            .iter()
            .map(|row| {
                bytemuck::pod_read_unaligned(bytemuck::cast_slice(&row[group * PART..][..PART]))
            })
            .collect();
        let part = Part {
            table: load_table(&layout.tables[group]),
            values: &values,
            stride: layout.lead_stride(),
            block: layout.lead_bytes(),
            skip,
        };
        // The compiler leaves out what other numbers of bits need.
        match bits {
            0 => {}
            1 => add_parts::<1>(&part, leads.bytes, out),
            2 => add_parts::<2>(&part, leads.bytes, out),
            3 => add_parts::<3>(&part, leads.bytes, out),
            4 => add_parts::<4>(&part, leads.bytes, out),
            5 => add_parts::<5>(&part, leads.bytes, out),
            _ => add_parts::<6>(&part, leads.bytes, out),
        }
        skip += part_bytes(*bits);
    }
}

/// A group of tokens' leads, and what it is multiplied with.
struct Part<'a> {
    table: __m256i,
    values: &'a [__m256i],
    stride: usize,
    block: usize,
    /// Bytes of a block before the group.
    skip: usize,
}

#[target_feature(enable = "avx2,fma")]
fn add_parts<const BITS: u8>(part: &Part<'_>, tokens: &[u8], out: &mut [i32]) {
    let ones = _mm256_set1_epi16(1);
    let len = part_bytes(BITS);
    let groups = tokens.chunks(ROWS_AT_A_TIME * part.stride);
    for (tokens, out) in groups.zip(out.chunks_mut(ROWS_AT_A_TIME)) {
        let mut sums = [_mm256_setzero_si256(); ROWS_AT_A_TIME];
        for (sum, token) in sums.iter_mut().zip(tokens.chunks_exact(part.stride)) {
            for (values, block) in part.values.iter().zip(token.chunks_exact(part.block)) {
                let levels = expand_bits::<BITS>(part.table, &block[part.skip..part.skip + len]);
                let pairs = _mm256_maddubs_epi16(levels, *values);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
            }
        }
        let totals: [i32; ROWS_AT_A_TIME] = bytemuck::cast(totals(sums));
        out.iter_mut()
            .zip(totals)
            .for_each(|(out, total)| *out += total);
    }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn load_table(table: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(bytemuck::cast(*table))
}

/// The scalar loop, compiled for AVX2.
#[target_feature(enable = "avx2,fma")]
pub(super) fn maxima(work: &Maxima<'_>, best: &mut [f32]) {
    scalar::maxima(work, best);
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn expand(layout: &Layout, block: &[u8]) -> Levels {
    let mut levels = [_mm256_setzero_si256(); GROUPS];
    let mut rest = block;
    for (group, levels) in levels.iter_mut().enumerate() {
        let bits = layout.bits[group];
        let (part, after) = rest.split_at(part_bytes(bits));
        *levels = expand_part(bits, load_table(&layout.tables[group]), part);
        rest = after;
    }
    levels
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn expand_part(bits: u8, table: __m256i, part: &[u8]) -> __m256i {
    match bits {
        0 => _mm256_setzero_si256(),
        1 => expand_bits::<1>(table, part),
        2 => expand_bits::<2>(table, part),
        3 => expand_bits::<3>(table, part),
        4 => expand_bits::<4>(table, part),
        5 => expand_bits::<5>(table, part),
        _ => expand_bits::<6>(table, part),
    }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn expand_bits<const BITS: u8>(table: __m256i, part: &[u8]) -> __m256i {
    match BITS {
        1 => _mm256_shuffle_epi8(table, ones(part)),
        2 => _mm256_shuffle_epi8(table, twos(part)),
        3 => {
            let upper = twos(part);
            let codes = _mm256_or_si256(_mm256_add_epi8(upper, upper), ones(&part[8..]));
            _mm256_shuffle_epi8(table, codes)
        }
        4 => _mm256_shuffle_epi8(table, fours(part)),
        5 => {
            // The level is twice the code.
            let upper = _mm256_slli_epi16::<2>(fours(part));
            let lower = ones(&part[16..]);
            _mm256_or_si256(upper, _mm256_add_epi8(lower, lower))
        }
        _ => _mm256_or_si256(_mm256_slli_epi16::<2>(fours(part)), twos(&part[16..])),
    }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn fours(plane: &[u8]) -> __m256i {
    let both = _mm256_broadcastsi128_si256(bytemuck::pod_read_unaligned(&plane[..16]));
    let shifted = _mm256_srlv_epi64(both, _mm256_setr_epi64x(0, 0, 4, 4));
    _mm256_and_si256(shifted, _mm256_set1_epi8(0x0f))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn twos(plane: &[u8]) -> __m256i {
    let all = _mm256_set1_epi64x(bytemuck::pod_read_unaligned(&plane[..8]));
    let shifted = _mm256_srlv_epi64(all, _mm256_setr_epi64x(0, 2, 4, 6));
    _mm256_and_si256(shifted, _mm256_set1_epi8(3))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn ones(plane: &[u8]) -> __m256i {
    let all = _mm256_set1_epi32(bytemuck::pod_read_unaligned(&plane[..4]));
    let shifted = _mm256_srlv_epi32(all, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    _mm256_and_si256(shifted, _mm256_set1_epi8(1))
}

/// The sums of four registers' lanes.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn totals([a, b, c, d]: [__m256i; 4]) -> __m128i {
    let pairs = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    let high = _mm256_extracti128_si256::<1>(pairs);
    _mm_add_epi32(_mm256_castsi256_si128(pairs), high)
}

/// The products of a block, in eight partial sums.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn block(levels: &Levels, row: &RowBlock) -> __m256i {
    let [a, b, c, d]: [__m256i; 4] = bytemuck::pod_read_unaligned(bytemuck::bytes_of(row));
    let ones = _mm256_set1_epi16(1);
    let front = _mm256_add_epi16(
        _mm256_maddubs_epi16(levels[0], a),
        _mm256_maddubs_epi16(levels[1], b),
    );
    let back = _mm256_add_epi16(
        _mm256_maddubs_epi16(levels[2], c),
        _mm256_maddubs_epi16(levels[3], d),
    );
    _mm256_add_epi32(
        _mm256_madd_epi16(front, ones),
        _mm256_madd_epi16(back, ones),
    )
}
