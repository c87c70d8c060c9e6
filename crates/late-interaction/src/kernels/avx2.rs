//! AVX2: codes become levels by a byte shuffle, levels and query values are added up by `maddubs`.

use super::{BLOCK, Codes, Maxima, ROWS_AT_A_TIME, RowBlock, Rows, scalar};
use crate::MAX_DIM;
use crate::codec::Bits;
use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi32, _mm_set1_epi8, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8,
    _mm256_extracti128_si256, _mm256_hadd_epi32, _mm256_madd_epi16, _mm256_maddubs_epi16,
    _mm256_set_m128i, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_srli_epi16,
};

const MAX_BLOCKS: usize = MAX_DIM.div_ceil(BLOCK);

/// 128 levels.
type Levels = [__m256i; 4];

#[target_feature(enable = "avx2,fma")]
pub(super) fn products(codes: &Codes<'_>, rows: &Rows, out: &mut [i32]) {
    let lookup = _mm256_broadcastsi128_si256(bytemuck::cast(*codes.levels));
    let mut levels: [Levels; MAX_BLOCKS] = [[_mm256_setzero_si256(); 4]; MAX_BLOCKS];
    let levels = &mut levels[..codes.n_blocks];
    let (rows, _) = rows.blocks.as_chunks::<ROWS_AT_A_TIME>();
    let n_rows = rows.len() / codes.n_blocks * ROWS_AT_A_TIME;
    let tokens = codes.bytes.chunks_exact(codes.stride());
    for (token, out) in tokens.zip(out.chunks_exact_mut(n_rows)) {
        expand_all(codes.bits, lookup, token, levels);
        let (out, _) = out.as_chunks_mut::<ROWS_AT_A_TIME>();
        for (rows, out) in rows.chunks_exact(codes.n_blocks).zip(out) {
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
pub(super) fn products_of_row(codes: &Codes<'_>, row: &[RowBlock], out: &mut [i32]) {
    let lookup = _mm256_broadcastsi128_si256(bytemuck::cast(*codes.levels));
    let (stride, bits) = (codes.stride(), codes.bits);
    let groups = codes.bytes.chunks(ROWS_AT_A_TIME * stride);
    for (tokens, out) in groups.zip(out.chunks_mut(ROWS_AT_A_TIME)) {
        let mut sums = [_mm256_setzero_si256(); ROWS_AT_A_TIME];
        for (sum, token) in sums.iter_mut().zip(tokens.chunks_exact(stride)) {
            for (row, codes) in row.iter().zip(token.chunks_exact(bits.block_bytes())) {
                *sum = _mm256_add_epi32(*sum, block(&expand(bits, lookup, codes), row));
            }
        }
        let totals: [i32; ROWS_AT_A_TIME] = bytemuck::cast(totals(sums));
        out.copy_from_slice(&totals[..out.len()]);
    }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn expand_all(bits: Bits, lookup: __m256i, token: &[u8], levels: &mut [Levels]) {
    for (levels, block) in levels
        .iter_mut()
        .zip(token.chunks_exact(bits.block_bytes()))
    {
        *levels = expand(bits, lookup, block);
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
        (
            _mm256_shuffle_epi8(lookup, low),
            _mm256_shuffle_epi8(lookup, high),
        )
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
        let (low, high) = (
            _mm_set1_epi8(low.cast_signed()),
            _mm_set1_epi8(high.cast_signed()),
        );
        let bit = _mm256_set_m128i(high, low);
        let is_set = _mm256_cmpeq_epi8(_mm256_and_si256(codes, bit), bit);
        _mm256_shuffle_epi8(lookup, _mm256_and_si256(is_set, one))
    };
    [level(1, 2), level(4, 8), level(16, 32), level(64, 128)]
}
