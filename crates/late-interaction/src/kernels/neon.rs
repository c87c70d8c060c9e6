//! NEON: codes become levels by a table look-up, products are widened to 16 bits and then to 32.

use super::layout::TABLES;
use super::{BLOCK, CodeLayout, Codes, LANES, PART, PLANE, PackedRows};
use std::arch::aarch64::{
    int8x16_t, uint8x16_t, vaddvq_s32, vaddw_u8, vandq_u8, vceqq_u8, vdupq_n_s32, vdupq_n_u8,
    vdupq_n_u16, vget_high_s8, vget_high_u8, vget_low_s8, vget_low_u8, vmlal_s8, vmull_s8,
    vorrq_u8, vpadalq_s16, vqtbl1q_u8, vreinterpretq_s8_u8, vshlq_n_u8, vshlq_u8, vshrq_n_u8,
};

/// Levels of a part.
type Levels = [uint8x16_t; 2];

pub(super) fn products(codes: &Codes<'_>, rows: &PackedRows, out: &mut [i32]) {
    let n_rows = rows.n_rows();
    let layout = codes.layout;
    let tokens = codes.bytes.chunks_exact(layout.stride());
    for (token, out) in tokens.zip(out.chunks_exact_mut(n_rows)) {
        out.fill(0);
        for (at, block) in token.chunks_exact(layout.block_bytes()).enumerate() {
            #[expect(unsafe_code, reason = "calls code compiled for NEON")]
            // SAFETY: this module is used only where `detect` has found NEON.
            unsafe {
                add_block(layout, block, (rows, at), out);
            }
        }
    }
}

pub(super) fn look_up(planes: &[u8], tables: &[u8]) -> [u16; LANES] {
    #[expect(unsafe_code, reason = "calls code compiled for NEON")]
    // SAFETY: this module is used only where `detect` has found NEON.
    unsafe {
        look_up_block(planes, tables)
    }
}

#[target_feature(enable = "neon")]
fn look_up_block(block: &[u8], tables: &[u8]) -> [u16; LANES] {
    let mask = vdupq_n_u8(0x0f);
    let mut sums = [vdupq_n_u16(0); 4];
    let (planes, tables) = (block.as_chunks::<PLANE>().0, tables.as_chunks::<PLANE>().0);
    for (plane, table) in planes.iter().zip(tables) {
        let plane: uint8x16_t = bytemuck::cast(*plane);
        let table: uint8x16_t = bytemuck::cast(*table);
        let low = vqtbl1q_u8(table, vandq_u8(plane, mask));
        let high = vqtbl1q_u8(table, vshrq_n_u8::<4>(plane));
        sums = [
            vaddw_u8(sums[0], vget_low_u8(low)),
            vaddw_u8(sums[1], vget_high_u8(low)),
            vaddw_u8(sums[2], vget_low_u8(high)),
            vaddw_u8(sums[3], vget_high_u8(high)),
        ];
    }
    bytemuck::cast(sums)
}

#[target_feature(enable = "neon")]
fn add_block(layout: &CodeLayout, block: &[u8], (rows, at): (&PackedRows, usize), out: &mut [i32]) {
    for (group, bits) in layout.bits.iter().enumerate() {
        let (part, tables) = (&block[layout.parts[group]..], &layout.tables[group]);
        let levels = expand(*bits, tables, part);
        for (row, out) in out.iter_mut().enumerate() {
            let values: &[i8; BLOCK] = &rows.blocks[rows.place(row, at)];
            *out += product(&levels, &values[group * PART..(group + 1) * PART]);
        }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn product(levels: &Levels, values: &[i8]) -> i32 {
    let mut sum = vdupq_n_s32(0);
    for (level, values) in levels.iter().zip(values.chunks_exact(16)) {
        let level = vreinterpretq_s8_u8(*level);
        let values: int8x16_t = bytemuck::pod_read_unaligned(bytemuck::cast_slice(values));
        let low = vmull_s8(vget_low_s8(level), vget_low_s8(values));
        let both = vmlal_s8(low, vget_high_s8(level), vget_high_s8(values));
        sum = vpadalq_s16(sum, both);
    }
    vaddvq_s32(sum)
}

#[inline]
#[target_feature(enable = "neon")]
fn expand(bits: u8, tables: &[[u8; 16]; TABLES], part: &[u8]) -> Levels {
    let tables: [uint8x16_t; TABLES] = bytemuck::cast(*tables);
    let look_up = |codes: Levels| codes.map(|codes| vqtbl1q_u8(tables[0], codes));
    let join =
        |upper: Levels, lower: Levels| [vorrq_u8(upper[0], lower[0]), vorrq_u8(upper[1], lower[1])];
    match bits {
        0 => [vdupq_n_u8(0); 2],
        1 => look_up(ones(part)),
        2 => look_up(twos(part)),
        3 => look_up(join(
            twos(part).map(|codes| vshlq_n_u8::<1>(codes)),
            ones(&part[8..]),
        )),
        4 => look_up(fours(part)),
        5 => choose(&tables[..2], fours(part), ones(&part[16..])),
        _ => choose(&tables, fours(part), twos(&part[16..])),
    }
}

/// Levels by the upper bits of codes, from the table that the lower ones say.
#[inline]
#[target_feature(enable = "neon")]
fn choose(tables: &[uint8x16_t], upper: Levels, lower: Levels) -> Levels {
    let mut levels = [vdupq_n_u8(0); 2];
    for (table, number) in tables.iter().zip(0u8..) {
        for ((level, upper), lower) in levels.iter_mut().zip(upper).zip(lower) {
            let is_it = vceqq_u8(lower, vdupq_n_u8(number));
            *level = vorrq_u8(*level, vandq_u8(is_it, vqtbl1q_u8(*table, upper)));
        }
    }
    levels
}

/// `plane` repeated, byte `k` of each half shifted right by what `by` says and masked.
#[inline]
#[target_feature(enable = "neon")]
fn shifted(plane: &[u8], bits: i8) -> Levels {
    let all: [u8; 16] = std::array::from_fn(|at| plane[at % plane.len()]);
    let all: uint8x16_t = bytemuck::cast(all);
    let mask = vdupq_n_u8((1 << bits) - 1);
    [0, 16].map(|first| {
        let by: [i8; 16] = std::array::from_fn(|at| -(((first + at) / plane.len()) as i8 * bits));
        vandq_u8(vshlq_u8(all, bytemuck::cast(by)), mask)
    })
}

#[inline]
#[target_feature(enable = "neon")]
fn fours(plane: &[u8]) -> Levels {
    shifted(&plane[..16], 4)
}

#[inline]
#[target_feature(enable = "neon")]
fn twos(plane: &[u8]) -> Levels {
    shifted(&plane[..8], 2)
}

#[inline]
#[target_feature(enable = "neon")]
fn ones(plane: &[u8]) -> Levels {
    shifted(&plane[..4], 1)
}
