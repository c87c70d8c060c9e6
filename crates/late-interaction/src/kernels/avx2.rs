//! AVX2: codes become levels by a byte shuffle, levels and query values are added up by `maddubs`.

use super::{BLOCK, Maxima, Products, ROW_GROUP, scalar};
use crate::codec::Bits;
use crate::MAX_DIM;
use std::arch::x86_64::*;

const MAX_BLOCKS: usize = MAX_DIM.div_ceil(BLOCK);

/// 128 levels.
type Levels = [__m256i; 4];

#[target_feature(enable = "avx2,fma")]
pub(super) fn products(work: &Products<'_>, out: &mut [i32]) {
    let lookup = _mm256_broadcastsi128_si256(bytemuck::cast(*work.levels));
    let n_rows = work.n_rows();
    let row_len = work.n_blocks * BLOCK;
    let mut levels: [Levels; MAX_BLOCKS] = [[_mm256_setzero_si256(); 4]; MAX_BLOCKS];
    let tokens = work.codes.chunks_exact(work.stride());
    for (token, out) in tokens.zip(out.chunks_exact_mut(n_rows)) {
        let blocks = token.chunks_exact(work.bits.block_bytes());
        for (levels, block) in levels.iter_mut().zip(blocks) {
            *levels = expand(work.bits, lookup, block);
        }
        let levels = &levels[..work.n_blocks];
        let groups = work.rows.chunks_exact(row_len * ROW_GROUP);
        for (rows, out) in groups.zip(out.chunks_exact_mut(ROW_GROUP)) {
            let (low, high) = rows.split_at(row_len * ROW_GROUP / 2);
            let sums = [four_rows(levels, low, row_len), four_rows(levels, high, row_len)];
            out.copy_from_slice(&bytemuck::cast::<[__m128i; 2], [i32; ROW_GROUP]>(sums));
        }
    }
}

/// The scalar loop, compiled for AVX2.
#[target_feature(enable = "avx2,fma")]
pub(super) fn maxima(work: &Maxima<'_>, best: &mut [f32]) {
    scalar::maxima(work, best);
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn expand(bits: Bits, lookup: __m256i, block: &[u8]) -> Levels {
    match bits {
        Bits::One => expand_1(lookup, block),
        Bits::Two => expand_2(lookup, block),
        Bits::Four => expand_4(lookup, block),
    }
}

/// The products of a token with four rows.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn four_rows(levels: &[Levels], rows: &[i8], row_len: usize) -> __m128i {
    let mut sums = [_mm256_setzero_si256(); 4];
    for (sum, row) in sums.iter_mut().zip(rows.chunks_exact(row_len)) {
        for (levels, row) in levels.iter().zip(row.chunks_exact(BLOCK)) {
            *sum = _mm256_add_epi32(*sum, block(levels, row));
        }
    }
    let [a, b, c, d] = sums;
    let pairs = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    let high = _mm256_extracti128_si256::<1>(pairs);
    _mm_add_epi32(_mm256_castsi256_si128(pairs), high)
}

/// The products of a block, in eight partial sums.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn block(levels: &Levels, row: &[i8]) -> __m256i {
    let part = |at: usize| {
        _mm256_maddubs_epi16(levels[at], load(bytemuck::cast_slice(&row[32 * at..32 * at + 32])))
    };
    let ones = _mm256_set1_epi16(1);
    let front = _mm256_madd_epi16(_mm256_add_epi16(part(0), part(1)), ones);
    let back = _mm256_madd_epi16(_mm256_add_epi16(part(2), part(3)), ones);
    _mm256_add_epi32(front, back)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn load(bytes: &[u8]) -> __m256i {
    bytemuck::pod_read_unaligned(bytes)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn expand_4(lookup: __m256i, block: &[u8]) -> Levels {
    let mask = _mm256_set1_epi8(0x0f);
    let pair = |bytes: &[u8]| {
        let codes = load(bytes);
        let low = _mm256_and_si256(codes, mask);
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(codes), mask);
        (_mm256_shuffle_epi8(lookup, low), _mm256_shuffle_epi8(lookup, high))
    };
    let (a, b) = pair(&block[..32]);
    let (c, d) = pair(&block[32..64]);
    [a, b, c, d]
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn expand_2(lookup: __m256i, block: &[u8]) -> Levels {
    let mask = _mm256_set1_epi8(0x03);
    let codes = load(&block[..32]);
    let level = |shifted| _mm256_shuffle_epi8(lookup, _mm256_and_si256(shifted, mask));
    [
        level(codes),
        level(_mm256_srli_epi16::<2>(codes)),
        level(_mm256_srli_epi16::<4>(codes)),
        level(_mm256_srli_epi16::<6>(codes)),
    ]
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn expand_1(lookup: __m256i, block: &[u8]) -> Levels {
    let codes = _mm256_broadcastsi128_si256(bytemuck::pod_read_unaligned(&block[..16]));
    let one = _mm256_set1_epi8(1);
    let level = |low: u8, high: u8| {
        let (low, high) = (_mm_set1_epi8(low.cast_signed()), _mm_set1_epi8(high.cast_signed()));
        let bit = _mm256_set_m128i(high, low);
        let is_set = _mm256_cmpeq_epi8(_mm256_and_si256(codes, bit), bit);
        _mm256_shuffle_epi8(lookup, _mm256_and_si256(is_set, one))
    };
    [level(1, 2), level(4, 8), level(16, 32), level(64, 128)]
}
