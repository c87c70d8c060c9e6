//! A table as Markdown and HTML share it: what is in it, not how it looks.

use super::numbers::{NONE, interval, score};
use super::text::one_line;
use super::view::View;
use super::words::SHORT;
use crate::summary::SummaryRow;

/// How a cell is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ColumnKind {
    #[default]
    Text,
    Number,
    /// Names and places, each on a line.
    Code,
}

/// A cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub(super) kind: ColumnKind,
    pub(super) text: String,
    /// Smaller print behind it: figures and our own words, never a string from data.
    pub(super) detail: String,
    /// What it sorts by, and is compared by.
    pub(super) order: Option<f64>,
    /// The best of those that it is compared with.
    pub(super) is_best: bool,
    /// Whether its background shows its score.
    pub(super) has_heat: bool,
    /// Subject whose marker stands before it.
    pub(super) series: Option<usize>,
    /// Where on the page it leads.
    pub(super) link: Option<String>,
    /// Whether it may be called best.
    pub(super) competes: bool,
}

impl Cell {
    pub(super) fn text(text: &str) -> Self {
        Self {
            text: one_line(text, SHORT),
            ..Self::default()
        }
    }

    pub(super) fn code(text: &str) -> Self {
        Self {
            kind: ColumnKind::Code,
            ..Self::text(text)
        }
    }

    pub(super) fn number(order: f64, text: String) -> Self {
        let order = order.is_finite().then_some(order);
        Self {
            kind: ColumnKind::Number,
            text,
            order,
            ..Self::default()
        }
    }

    pub(super) fn none() -> Self {
        Self {
            kind: ColumnKind::Number,
            text: NONE.to_owned(),
            ..Self::default()
        }
    }

    pub(super) fn score(row: &SummaryRow) -> Self {
        let cell = Self::number(row.value.mean, score(row.value.mean));
        cell.detail(interval(&row.value))
    }

    pub(super) fn detail(self, detail: String) -> Self {
        Self { detail, ..self }
    }

    pub(super) fn subject(view: &View<'_>, name: &str) -> Self {
        Self {
            series: Some(view.series(name)),
            ..Self::text(name)
        }
    }
}

/// A table.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Heads; numbers are set to the right.
    pub(super) columns: Vec<(String, ColumnKind)>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn new(columns: &[(&str, ColumnKind)]) -> Self {
        Self {
            columns: columns
                .iter()
                .map(|(name, kind)| ((*name).to_owned(), *kind))
                .collect(),
            rows: Vec::new(),
        }
    }

    /// A column's cells from top to bottom.
    pub(super) fn column(&mut self, column: usize) -> impl Iterator<Item = &mut Cell> {
        self.rows
            .iter_mut()
            .filter_map(move |row| row.get_mut(column))
    }

    /// Leaves out columns that say the same nothing in every row.
    pub(super) fn without_empty(mut self) -> Self {
        for column in (0..self.columns.len()).rev() {
            if self
                .column(column)
                .all(|cell| cell.text == NONE || cell.text.is_empty())
            {
                self.columns.remove(column);
                self.rows
                    .iter_mut()
                    .for_each(|row| drop(row.remove(column)));
            }
        }
        self
    }
}

/// A column of figures.
pub(super) fn number(name: &str) -> (&str, ColumnKind) {
    (name, ColumnKind::Number)
}

/// Which end of a scale is the good one.
#[derive(Clone, Copy)]
pub(super) enum Best {
    High,
    Low,
}

/// Marks the best of those that compete, and all that read the same; none where all read the same.
pub(super) fn mark_best<'c>(cells: impl Iterator<Item = &'c mut Cell>, best: Best) {
    let mut cells: Vec<&mut Cell> = cells
        .filter(|cell| cell.competes && cell.order.is_some())
        .collect();
    let better = |a: &&&mut Cell, b: &&&mut Cell| {
        let (a, b) = (a.order.unwrap_or_default(), b.order.unwrap_or_default());
        match best {
            Best::High => a.total_cmp(&b),
            Best::Low => b.total_cmp(&a),
        }
    };
    let Some(text) = cells.iter().max_by(better).map(|cell| cell.text.clone()) else {
        return;
    };
    if cells.iter().any(|cell| cell.text != text) {
        cells
            .iter_mut()
            .for_each(|cell| cell.is_best = cell.text == text);
    }
}
