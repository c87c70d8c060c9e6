//! How high each cell lies: near its neighbours, in order, without overlap.

use super::routes::Grid;

const N_SWEEPS: usize = 8;
/// Free space between boxes, and between the lines of long edges.
const BOX_GAP: f64 = 18.0;
const LINE_GAP: f64 = 4.0;
/// A long edge runs straight before a box lies in the middle of its neighbours.
const LINE_WEIGHT: f64 = 4.0;

/// The vertical centre of every cell.
pub(super) fn assign(grid: &Grid) -> Vec<f64> {
    let mut centres = vec![0.0; grid.row.len()];
    for cells in &grid.columns {
        let offsets = offsets(grid, cells);
        let middle = offsets.last().copied().unwrap_or(0.0) / 2.0;
        for (cell, offset) in cells.iter().zip(offsets) {
            centres[*cell] = offset - middle;
        }
    }
    for sweep in 0..N_SWEEPS {
        let n = grid.columns.len();
        for step in 0..n {
            let column = if sweep % 2 == 0 { step } else { n - 1 - step };
            let sides = match sweep {
                _ if sweep + 2 >= N_SWEEPS => (true, true),
                _ if sweep % 2 == 0 => (true, false),
                _ => (false, true),
            };
            settle(grid, &grid.columns[column], sides, &mut centres);
        }
    }
    centres
}

/// Least distance of each cell's centre from the first one's.
fn offsets(grid: &Grid, cells: &[usize]) -> Vec<f64> {
    let mut offsets = Vec::with_capacity(cells.len());
    let mut at = 0.0;
    for (row, cell) in cells.iter().enumerate() {
        if let Some(above) = row.checked_sub(1).map(|row| cells[row]) {
            let are_lines = grid.is_line(above) && grid.is_line(*cell);
            let gap = if are_lines { LINE_GAP } else { BOX_GAP };
            at += (grid.height[above] + grid.height[*cell]) / 2.0 + gap;
        }
        offsets.push(at);
    }
    offsets
}

/// Moves a column's cells as near to their neighbours as order and size allow: the least sum of
/// squares, by pooling adjacent violators.
fn settle(grid: &Grid, cells: &[usize], (left, right): (bool, bool), centres: &mut [f64]) {
    let offsets = offsets(grid, cells);
    // Sum of weighted wishes, weight, cells.
    let mut pools: Vec<(f64, f64, usize)> = Vec::with_capacity(cells.len());
    for (cell, offset) in cells.iter().zip(&offsets) {
        let (wish, weight) = wish(grid, *cell, (left, right), centres);
        let mut pool = ((wish - offset) * weight, weight, 1);
        while let Some(above) = pools.last() {
            if above.0 / above.1 <= pool.0 / pool.1 {
                break;
            }
            pool = (pool.0 + above.0, pool.1 + above.1, pool.2 + above.2);
            pools.pop();
        }
        pools.push(pool);
    }
    let mut at = 0;
    for (sum, weight, n_cells) in pools {
        for _ in 0..n_cells {
            centres[cells[at]] = sum / weight + offsets[at];
            at += 1;
        }
    }
}

/// Where a cell would like to be, and how much.
fn wish(grid: &Grid, cell: usize, (left, right): (bool, bool), centres: &[f64]) -> (f64, f64) {
    let mut neighbours: Vec<usize> = Vec::new();
    if left {
        neighbours.extend(&grid.left[cell]);
    }
    if right {
        neighbours.extend(&grid.right[cell]);
    }
    if neighbours.is_empty() {
        return (centres[cell], 0.1);
    }
    let (mut sum, mut weight) = (0.0, 0.0);
    for other in neighbours {
        let is_straight = grid.is_line(cell) && grid.is_line(other);
        let one = if is_straight { LINE_WEIGHT } else { 1.0 };
        sum += centres[other] * one;
        weight += one;
    }
    (sum / weight, weight)
}
