//! NEON: codes become levels by a table look-up, products are widened to 16 bits and then to 32.

use super::{BLOCK, Codes, RowBlock, Rows};
use crate::codec::Bits;
use std::arch::aarch64::{
    uint8x16_t, vaddvq_s32, vandq_u8, vceqq_u8, vdupq_n_s32, vdupq_n_u8, vget_high_s8, vget_low_s8,
    vmlal_s8, vmull_s8, vpadalq_s16, vqtbl1q_u8, vreinterpretq_s8_u8, vshrq_n_u8,
};

/// 128 levels.
type Levels = [uint8x16_t; 8];

pub(super) fn products(codes: &Codes<'_>, rows: &Rows, out: &mut [i32]) {
    let n_rows = rows.n_rows();
    let mut of_row = vec![0; codes.n_tokens()];
    for row in 0..n_rows {
        products_of_row(codes, &rows.row(row), &mut of_row);
        let places = out.iter_mut().skip(row).step_by(n_rows);
        places
            .zip(&of_row)
            .for_each(|(out, product)| *out = *product);
    }
}

pub(super) fn products_of_row(codes: &Codes<'_>, row: &[RowBlock], out: &mut [i32]) {
    let lookup: uint8x16_t = bytemuck::cast(*codes.levels);
    for (token, out) in codes.bytes.chunks_exact(codes.stride()).zip(out) {
        let blocks = token.chunks_exact(codes.bits.block_bytes());
        #[expect(unsafe_code, reason = "calls code compiled for NEON")]
        // SAFETY: this module is used only where `detect` has found NEON.
        unsafe {
            *out = row
                .iter()
                .zip(blocks)
                .map(|(row, block)| one(codes.bits, lookup, block, row))
                .sum();
        }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8]) -> uint8x16_t {
    bytemuck::pod_read_unaligned(bytes)
}

#[inline]
#[target_feature(enable = "neon")]
fn one(bits: Bits, lookup: uint8x16_t, block: &[u8], row: &RowBlock) -> i32 {
    let mut sum = vdupq_n_s32(0);
    let levels = expand(bits, lookup, block);
    for (level, values) in levels.iter().zip(row.chunks_exact(16)) {
        let level = vreinterpretq_s8_u8(*level);
        let values = vreinterpretq_s8_u8(load(bytemuck::cast_slice(values)));
        let low = vmull_s8(vget_low_s8(level), vget_low_s8(values));
        let both = vmlal_s8(low, vget_high_s8(level), vget_high_s8(values));
        sum = vpadalq_s16(sum, both);
    }
    vaddvq_s32(sum)
}

#[inline]
#[target_feature(enable = "neon")]
fn expand(bits: Bits, lookup: uint8x16_t, block: &[u8]) -> Levels {
    let level = |codes: uint8x16_t, mask: u8| vqtbl1q_u8(lookup, vandq_u8(codes, vdupq_n_u8(mask)));
    let mut levels: Levels = bytemuck::cast([0u8; BLOCK]);
    match bits {
        Bits::Four => {
            for (at, bytes) in block.chunks_exact(16).enumerate() {
                let (half, part) = (at / 2, at % 2);
                let codes = load(bytes);
                levels[4 * half + part] = level(codes, 0x0f);
                levels[4 * half + 2 + part] = level(vshrq_n_u8::<4>(codes), 0x0f);
            }
        }
        Bits::Two => {
            for (part, bytes) in block.chunks_exact(16).enumerate() {
                let codes = load(bytes);
                levels[part] = level(codes, 3);
                levels[2 + part] = level(vshrq_n_u8::<2>(codes), 3);
                levels[4 + part] = level(vshrq_n_u8::<4>(codes), 3);
                levels[6 + part] = level(vshrq_n_u8::<6>(codes), 3);
            }
        }
        Bits::One => {
            let codes = load(block);
            for (at, levels) in levels.iter_mut().enumerate() {
                let bit = vdupq_n_u8(1 << at);
                let is_set = vceqq_u8(vandq_u8(codes, bit), bit);
                *levels = level(is_set, 1);
            }
        }
    }
    levels
}
