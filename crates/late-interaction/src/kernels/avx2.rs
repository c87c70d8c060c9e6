//! AVX2: codes become levels by a byte shuffle, levels and query values are added up by `maddubs`.

use super::centroids::{CentroidRows, TILE, WholeRows, each_tile};
use super::layout::TABLES;
use super::planes::HEAD;
use super::rows::{ROWS_AT_A_TIME, RowBlock};
use super::{
    BLOCK, Cell, CellQuery, CodeLayout, Codes, GROUPS, LANES, Maxima, PLANE, PackedRows, ROW_GROUP,
    scalar,
};
use crate::MAX_DIM;
use std::arch::x86_64::{
    __m128i, __m256, __m256i, _CMP_GT_OQ, _MM_HINT_T0, _mm_add_epi16, _mm_add_epi32, _mm_prefetch,
    _mm_unpackhi_epi16, _mm_unpacklo_epi16, _mm256_add_epi8, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_and_si256, _mm256_blendv_epi8, _mm256_broadcastsi128_si256, _mm256_castsi256_ps,
    _mm256_castsi256_si128, _mm256_cmp_ps, _mm256_cvtepi32_ps, _mm256_cvtepu16_epi32,
    _mm256_extracti128_si256, _mm256_fmadd_ps, _mm256_hadd_epi32, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_movemask_ps, _mm256_mul_ps, _mm256_or_si256, _mm256_set1_epi8,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_set1_ps, _mm256_setr_epi32,
    _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16,
    _mm256_slli_epi32, _mm256_srli_epi16, _mm256_srlv_epi32, _mm256_srlv_epi64, _mm256_sub_epi16,
};

const MAX_BLOCKS: usize = MAX_DIM.div_ceil(BLOCK);

/// Levels of a group.
type Tables = [[u8; 16]; TABLES];

/// 128 levels.
pub(super) type Levels = [__m256i; GROUPS];

/// Tokens whose codes become levels at a time.
pub(super) const TOKENS: usize = 8;

#[target_feature(enable = "avx2,fma")]
pub(super) fn products(codes: &Codes<'_>, rows: &PackedRows, out: &mut [i32]) {
    let layout = codes.layout;
    let mut levels = [[[_mm256_setzero_si256(); GROUPS]; TOKENS]; MAX_BLOCKS];
    let levels = &mut levels[..layout.n_blocks];
    let (rows, _) = rows.blocks.as_chunks::<ROWS_AT_A_TIME>();
    let n_rows = rows.len() / layout.n_blocks * ROWS_AT_A_TIME;
    let some = codes.bytes.chunks(TOKENS * layout.stride());
    for (tokens, out) in some.zip(out.chunks_mut(TOKENS * n_rows)) {
        for (at, levels) in levels.iter_mut().enumerate() {
            expand(layout, tokens, at, levels);
        }
        for (token, out) in out.chunks_exact_mut(n_rows).enumerate() {
            let (out, _) = out.as_chunks_mut::<ROWS_AT_A_TIME>();
            for (rows, out) in rows.chunks_exact(layout.n_blocks).zip(out) {
                let mut sums = [_mm256_setzero_si256(); ROWS_AT_A_TIME];
                for (levels, rows) in levels.iter().zip(rows) {
                    for (sum, row) in sums.iter_mut().zip(rows) {
                        *sum = _mm256_add_epi32(*sum, block(&levels[token], row));
                    }
                }
                *out = bytemuck::cast(totals(sums));
            }
        }
    }
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn visit_cell(
    cell: &Cell<'_>,
    next: &[u8],
    wanted: &CellQuery<'_>,
    mut visit: impl FnMut(u32, f32),
) {
    let block_bytes = HEAD + wanted.tables.len();
    let mut to_fetch = next.chunks(block_bytes);
    for (block, lanes) in cell.blocks(block_bytes) {
        if let Some(bytes) = to_fetch.next() {
            fetch(bytes);
        }
        let (head, planes) = block.split_at(HEAD);
        let sums = look_up(planes, wanted.tables);
        let (scores, above) = scores(head, &sums, wanted);
        let mut left = above & lanes;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            visit(Cell::document(head, lane), scores[lane % LANES]);
        }
    }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn fetch(bytes: &[u8]) {
    const LINE: usize = 64;
    for line in bytes.iter().step_by(LINE) {
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast());
    }
}

/// Scores of a block's tokens, and a bit for each above the floor.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn scores(head: &[u8], sums: &[u16; LANES], wanted: &CellQuery<'_>) -> ([f32; LANES], u32) {
    let (norms, scales) = head[4 * LANES..].split_at(2 * LANES);
    let eights = norms
        .as_chunks::<16>()
        .0
        .iter()
        .zip(scales.as_chunks::<16>().0);
    let sums = sums.as_chunks::<8>().0;
    let [base, factor, offset, floor] =
        [wanted.base, wanted.factor, wanted.offset, wanted.floor].map(|x| _mm256_set1_ps(x));
    let mut scores = [[0.0f32; 8]; LANES / 8];
    let mut above = 0;
    for (at, (((norms, scales), sums), scores)) in eights.zip(sums).zip(&mut scores).enumerate() {
        let sums = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(bytemuck::cast(*sums)));
        let rest = _mm256_fmadd_ps(sums, factor, offset);
        let all = _mm256_fmadd_ps(halves(norms), base, _mm256_mul_ps(halves(scales), rest));
        let mask = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(all, floor));
        above |= mask.cast_unsigned() << (8 * at);
        *scores = bytemuck::cast(all);
    }
    (bytemuck::cast(scores), above)
}

/// As [`half_from`](super::half_from).
#[inline]
#[target_feature(enable = "avx2,fma")]
fn halves(bits: &[u8; 16]) -> __m256 {
    let wide = _mm256_slli_epi32::<13>(_mm256_cvtepu16_epi32(bytemuck::cast(*bits)));
    _mm256_castsi256_ps(_mm256_add_epi32(wide, _mm256_set1_epi32(112 << 23)))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn look_up(planes: &[u8], tables: &[u8]) -> [u16; LANES] {
    let mask = _mm256_set1_epi8(0x0f);
    // Of the first and the last 16 tokens: sums of all bytes as pairs, and of the odd ones.
    let mut sums = [[_mm256_setzero_si256(); 2]; 2];
    let tables = tables.as_chunks::<{ 2 * PLANE }>().0;
    let planes = planes.as_chunks::<{ 2 * PLANE }>().0;
    for (planes, tables) in planes.iter().zip(tables) {
        let (planes, tables) = (bytemuck::cast(*planes), bytemuck::cast(*tables));
        let high = _mm256_srli_epi16::<4>(planes);
        for ([all, odd], codes) in sums.iter_mut().zip([planes, high]) {
            let found = _mm256_shuffle_epi8(tables, _mm256_and_si256(codes, mask));
            *all = _mm256_add_epi16(*all, found);
            *odd = _mm256_add_epi16(*odd, _mm256_srli_epi16::<8>(found));
        }
    }
    bytemuck::cast(sums.map(|[all, odd]| {
        let even = _mm256_sub_epi16(all, _mm256_slli_epi16::<8>(odd));
        let (even, odd) = (both_halves(even), both_halves(odd));
        [_mm_unpacklo_epi16(even, odd), _mm_unpackhi_epi16(even, odd)]
    }))
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn centroid_scores(work: &CentroidRows<'_>, rows: &WholeRows) -> Vec<f32> {
    let rows_of = rows.side_by_side::<2, 16, ROW_GROUP>();
    each_tile::<_, ROW_GROUP>(work, &rows.steps, i16::from, |tile, group| {
        let mut sums = [_mm256_setzero_si256(); TILE];
        for (centroids, pairs) in tile.iter().zip(rows_of.group(group)) {
            for (at, pairs) in pairs.iter().enumerate() {
                let rows: __m256i = bytemuck::cast(*pairs);
                for (sum, centroid) in sums.iter_mut().zip(centroids) {
                    let numbers =
                        _mm256_set1_epi32(bytemuck::cast([centroid[2 * at], centroid[2 * at + 1]]));
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(numbers, rows));
                }
            }
        }
        bytemuck::cast::<_, [[i32; ROW_GROUP]; TILE]>(sums)
    })
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn both_halves(sums: __m256i) -> __m128i {
    let high = _mm256_extracti128_si256::<1>(sums);
    _mm_add_epi16(_mm256_castsi256_si128(sums), high)
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

/// The levels of some tokens' codes in a block, group by group: what a group's bits need is asked once.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn expand(
    layout: &CodeLayout,
    tokens: &[u8],
    block: usize,
    levels: &mut [Levels; TOKENS],
) {
    let stride = layout.stride();
    let first = block * layout.block_bytes();
    for group in 0..GROUPS {
        let bits = layout.bits[group];
        let some = Some {
            tokens: (tokens, stride),
            first: first + layout.parts[group],
            tables: &layout.tables[group],
        };
        match bits {
            0 => levels
                .iter_mut()
                .for_each(|levels| levels[group] = _mm256_setzero_si256()),
            1 => expand_some::<1>(&some, group, levels),
            2 => expand_some::<2>(&some, group, levels),
            3 => expand_some::<3>(&some, group, levels),
            4 => expand_some::<4>(&some, group, levels),
            5 => expand_some::<5>(&some, group, levels),
            _ => expand_some::<6>(&some, group, levels),
        }
    }
}

/// Tokens' codes in a group of a block.
struct Some<'a> {
    /// With the bytes of each.
    tokens: (&'a [u8], usize),
    /// Where the part is in a token.
    first: usize,
    tables: &'a Tables,
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn expand_some<const BITS: u8>(some: &Some<'_>, group: usize, levels: &mut [Levels; TOKENS]) {
    let (tokens, stride) = some.tokens;
    for (token, levels) in tokens.chunks_exact(stride).zip(levels) {
        levels[group] = expand_bits::<BITS>(some.tables, &token[some.first..]);
    }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn expand_bits<const BITS: u8>(tables: &Tables, part: &[u8]) -> __m256i {
    let table = load_table(&tables[0]);
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
            let upper = fours(part);
            // The bit that decides is the highest of each byte.
            let last = _mm256_slli_epi16::<7>(ones(&part[16..]));
            either(upper, &tables[..2], last)
        }
        _ => {
            let (upper, lower) = (fours(part), twos(&part[16..]));
            let last = _mm256_slli_epi16::<7>(lower);
            let front = either(upper, &tables[..2], last);
            let back = either(upper, &tables[2..], last);
            _mm256_blendv_epi8(front, back, _mm256_slli_epi16::<6>(lower))
        }
    }
}

/// Of two tables, the second where `choice` says so.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn either(codes: __m256i, tables: &[[u8; 16]], choice: __m256i) -> __m256i {
    let first = _mm256_shuffle_epi8(load_table(&tables[0]), codes);
    let second = _mm256_shuffle_epi8(load_table(&tables[1]), codes);
    _mm256_blendv_epi8(first, second, choice)
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
    let [a, b, c, d] = [(0, a), (1, b), (2, c), (3, d)]
        .map(|(group, row)| _mm256_madd_epi16(_mm256_maddubs_epi16(levels[group], row), ones));
    _mm256_add_epi32(_mm256_add_epi32(a, b), _mm256_add_epi32(c, d))
}
