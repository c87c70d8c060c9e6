//! Puts each column in an order with few crossings.

use super::routes::Grid;

/// Sweeps there and back; more bring nothing on graphs of this size.
const N_SWEEPS: usize = 12;

/// Sweeps to and fro over the columns by barycentre, and keeps the best order met.
pub(super) fn reduce_crossings(grid: &mut Grid) {
    let mut best = grid.columns.clone();
    let mut fewest = crossings(grid);
    for sweep in 0..N_SWEEPS {
        if fewest == 0 {
            break;
        }
        let is_right = sweep % 2 == 0;
        let n = grid.columns.len();
        for step in 1..n {
            let column = if is_right { step } else { n - 1 - step };
            sort_column(grid, column, is_right);
        }
        let n_crossings = crossings(grid);
        if n_crossings < fewest {
            fewest = n_crossings;
            best.clone_from(&grid.columns);
        }
    }
    grid.columns = best;
    grid.number_rows();
}

/// Sorts a column by the mean row of each cell's neighbours in the column before (or after) it.
fn sort_column(grid: &mut Grid, column: usize, by_left: bool) {
    let mut cells: Vec<(f64, usize)> = grid.columns[column]
        .iter()
        .map(|cell| {
            let cell_at = *cell;
            let neighbours = if by_left {
                &grid.left[cell_at]
            } else {
                &grid.right[cell_at]
            };
            let sum: f64 = neighbours.iter().map(|other| grid.share(*other)).sum();
            let mean = if neighbours.is_empty() {
                grid.share(cell_at)
            } else {
                sum / neighbours.len() as f64
            };
            (mean, cell_at)
        })
        .collect();
    cells.sort_by(|a, b| a.0.total_cmp(&b.0));
    grid.columns[column] = cells.into_iter().map(|(_, cell)| cell).collect();
    for (row, cell) in grid.columns[column].iter().enumerate() {
        grid.row[*cell] = row;
    }
}

/// Crossings between neighbouring columns, counted with a tree of sums (Barth, Jünger, Mutzel 2002).
fn crossings(grid: &Grid) -> u64 {
    let mut n_crossings = 0;
    for (column, cells) in grid.columns.iter().enumerate() {
        let n_rows = grid.columns.get(column + 1).map_or(0, Vec::len);
        let mut sums = vec![0u64; n_rows + 1];
        let mut n_before = 0;
        for cell in cells {
            let mut ends: Vec<usize> = grid.right[*cell].iter().map(|to| grid.row[*to]).collect();
            ends.sort_unstable();
            for end in &ends {
                n_crossings += n_before - sum_to(&sums, end + 1);
            }
            for end in &ends {
                add_at(&mut sums, end + 1);
                n_before += 1;
            }
        }
    }
    n_crossings
}

fn sum_to(sums: &[u64], mut at: usize) -> u64 {
    let mut sum = 0;
    while at > 0 {
        sum += sums[at];
        at &= at - 1;
    }
    sum
}

fn add_at(sums: &mut [u64], mut at: usize) {
    while at < sums.len() {
        sums[at] += 1;
        at += at & at.wrapping_neg();
    }
}
