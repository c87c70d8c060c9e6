//! Lists of values, one for each number, in two pieces of memory.

/// Values by row.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    /// Where each row begins, and where the last ends.
    starts: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy> Rows<T> {
    /// Sorts values into rows; those of a row stay in their order. Goes over `pairs` twice. O(rows + values).
    pub(crate) fn new(n_rows: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0u32; n_rows + 1];
        let Some((_, any)) = pairs.clone().next() else {
            return Self {
                starts,
                values: Vec::new(),
            };
        };
        for (row, _) in pairs.clone() {
            starts[row as usize + 1] += 1;
        }
        for row in 0..n_rows {
            starts[row + 1] += starts[row];
        }
        let mut values = vec![any; starts[n_rows] as usize];
        for (row, value) in pairs {
            let next = &mut starts[row as usize];
            values[*next as usize] = value;
            *next += 1;
        }
        // Each start has come to the end of its row, which is where the next begins.
        starts.copy_within(..n_rows, 1);
        starts[0] = 0;
        Self { starts, values }
    }

    /// The values of a row; none of one that is not there.
    pub(crate) fn row(&self, row: usize) -> &[T] {
        match (self.starts.get(row), self.starts.get(row + 1)) {
            (Some(start), Some(end)) => &self.values[*start as usize..*end as usize],
            _ => &[],
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &[T]> {
        (0..self.starts.len().saturating_sub(1)).map(|row| self.row(row))
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;

    #[test]
    fn values_keep_their_order_within_rows() {
        let pairs = [(2, 'a'), (0, 'b'), (2, 'c'), (4, 'd'), (2, 'e')];
        let rows = Rows::new(6, pairs.into_iter());
        let all: Vec<String> = rows.all().map(|row| row.iter().collect()).collect();
        assert_eq!(all, ["b", "", "ace", "", "d", ""]);
        assert_eq!(rows.row(2), ['a', 'c', 'e']);
        assert!(rows.row(5).is_empty() && rows.row(6).is_empty() && rows.row(99).is_empty());
        let none = Rows::<u8>::new(0, std::iter::empty());
        assert!(none.row(0).is_empty() && none.all().count() == 0);
    }
}
