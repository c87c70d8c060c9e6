//! Rows of a query, in the orders in which kernels read them.

use super::layout::BLOCK;

/// Rows of a query are filled up to a multiple of this.
pub(crate) const ROW_GROUP: usize = 8;

/// Rows that are multiplied at a time.
pub(super) const ROWS_AT_A_TIME: usize = 4;

/// 128 components of a query row.
pub(super) type RowBlock = [i8; BLOCK];

/// Rows of a register.
#[cfg(target_arch = "x86_64")]
pub(super) const QUAD_ROWS: usize = 16;

/// Bytes that are multiplied at a time.
#[cfg(target_arch = "x86_64")]
pub(super) const QUAD: usize = 4;

/// Quads of a block.
#[cfg(target_arch = "x86_64")]
pub(super) const QUADS: usize = BLOCK / QUAD;

/// A quad of each row.
#[cfg(target_arch = "x86_64")]
pub(super) type Quads = [[i8; QUAD]; QUAD_ROWS];

/// Query rows in the order in which kernels read them: four rows' first blocks, their second ones
/// and so on, then the next four rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedRows {
    pub(super) blocks: Vec<RowBlock>,
    pub(super) n_blocks: usize,
    /// The same, four components of 16 rows side by side.
    #[cfg(target_arch = "x86_64")]
    pub(super) quads: Vec<Quads>,
}

impl PackedRows {
    /// `n_rows` rows of zeros, a multiple of [`ROW_GROUP`].
    pub(crate) fn new(n_rows: usize, n_blocks: usize) -> Self {
        debug_assert!(n_rows.is_multiple_of(ROW_GROUP));
        Self {
            blocks: vec![[0; BLOCK]; n_rows * n_blocks],
            n_blocks,
            #[cfg(target_arch = "x86_64")]
            quads: no_quads(n_rows, n_blocks),
        }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.blocks.len() / self.n_blocks.max(1)
    }

    pub(super) fn place(&self, row: usize, block: usize) -> usize {
        let (group, inside) = (row / ROWS_AT_A_TIME, row % ROWS_AT_A_TIME);
        (group * self.n_blocks + block) * ROWS_AT_A_TIME + inside
    }

    /// `slot` as of [`CodeLayout::slot`](super::CodeLayout::slot).
    pub(crate) fn set(&mut self, row: usize, slot: usize, value: i8) {
        let place = self.place(row, slot / BLOCK);
        self.blocks[place][slot % BLOCK] = value;
        #[cfg(target_arch = "x86_64")]
        set_quad(&mut self.quads, self.n_blocks, (row, slot), value);
    }

    pub(super) fn get(&self, row: usize, slot: usize) -> i8 {
        self.blocks[self.place(row, slot / BLOCK)][slot % BLOCK]
    }
}

/// Room for rows.
#[cfg(target_arch = "x86_64")]
fn no_quads(n_rows: usize, n_blocks: usize) -> Vec<Quads> {
    vec![[[0; QUAD]; QUAD_ROWS]; n_rows.div_ceil(QUAD_ROWS) * n_blocks * QUADS]
}

#[cfg(target_arch = "x86_64")]
fn set_quad(quads: &mut [Quads], n_blocks: usize, (row, slot): (usize, usize), value: i8) {
    let at = row / QUAD_ROWS * n_blocks * QUADS + slot / QUAD;
    quads[at][row % QUAD_ROWS][slot % QUAD] = value;
}
