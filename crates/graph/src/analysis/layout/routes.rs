//! The grid of cells: boxes, and stand-ins where a long edge passes a column; and the drawing of it.

use std::collections::BTreeMap;

use super::columns::Columns;
use super::frame::{Layout, MARGIN, NodeFrame, Placed, Route};

/// Stand-ins at most; longer edges than there is room for run straight.
const MAX_LINES: usize = 4_000;
/// Height that a passing edge takes.
const LINE_HEIGHT: f64 = 2.0;
/// Between columns: at least, for each edge that runs there, and at most.
const COLUMN_GAP: f64 = 56.0;
const GAP_PER_EDGE: f64 = 1.5;
const MAX_COLUMN_GAP: f64 = 120.0;
/// How far an edge bends out that returns to its own column.
const BEND: f64 = 22.0;

/// Cells in columns. Cell `i` is box `i`; what follows are stand-ins.
pub(super) struct Grid {
    /// Cells of each column, from the top.
    pub(super) columns: Vec<Vec<usize>>,
    /// Row of each cell.
    pub(super) row: Vec<usize>,
    /// Height of each cell.
    pub(super) height: Vec<f64>,
    /// Neighbours in the column before, and in the one after.
    pub(super) left: Vec<Vec<usize>>,
    pub(super) right: Vec<Vec<usize>>,
    column: Vec<usize>,
    n_boxes: usize,
    /// The stand-ins of each pair of boxes, left to right.
    lines: BTreeMap<(usize, usize), Vec<usize>>,
}

impl Grid {
    pub(super) fn new(boxes: &[NodeFrame], edges: &[(usize, usize)], columns: &Columns) -> Self {
        let n = boxes.len();
        let mut grid = Self {
            columns: vec![Vec::new(); columns.n],
            row: Vec::new(),
            height: boxes.iter().map(|one| one.height).collect(),
            left: vec![Vec::new(); n],
            right: vec![Vec::new(); n],
            column: columns.of.clone(),
            n_boxes: n,
            lines: BTreeMap::new(),
        };
        for (at, column) in columns.of.iter().enumerate() {
            grid.columns[*column].push(at);
        }
        let mut pairs: Vec<(usize, usize)> = edges
            .iter()
            .filter(|(from, to)| *from < n && *to < n)
            .filter_map(|(from, to)| grid.left_to_right(*from, *to))
            .collect();
        pairs.sort_by_key(|pair| (grid.span(*pair), *pair));
        pairs.dedup();
        for pair in pairs {
            grid.add_line(pair);
        }
        grid.number_rows();
        grid
    }

    /// The pair with the one further left first; none within a column.
    fn left_to_right(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        match self.column[from].cmp(&self.column[to]) {
            std::cmp::Ordering::Less => Some((from, to)),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some((to, from)),
        }
    }

    fn span(&self, (from, to): (usize, usize)) -> usize {
        self.column[to] - self.column[from]
    }

    fn add_line(&mut self, (from, to): (usize, usize)) {
        let n_lines = self.height.len() - self.n_boxes;
        let n_needed = self.span((from, to)) - 1;
        if n_lines + n_needed > MAX_LINES {
            return;
        }
        let mut before = from;
        let mut cells = Vec::with_capacity(n_needed);
        for column in self.column[from] + 1..self.column[to] {
            let cell = self.height.len();
            self.height.push(LINE_HEIGHT);
            self.column.push(column);
            self.left.push(vec![before]);
            self.right.push(Vec::new());
            self.right[before].push(cell);
            self.columns[column].push(cell);
            cells.push(cell);
            before = cell;
        }
        self.right[before].push(to);
        self.left[to].push(before);
        self.lines.insert((from, to), cells);
    }

    pub(super) fn number_rows(&mut self) {
        self.row = vec![0; self.height.len()];
        for cells in &self.columns {
            for (row, cell) in cells.iter().enumerate() {
                self.row[*cell] = row;
            }
        }
    }

    pub(super) fn is_line(&self, cell: usize) -> bool {
        cell >= self.n_boxes
    }

    /// A cell's row as a share of its column, so that long and short columns compare.
    pub(super) fn share(&self, cell: usize) -> f64 {
        let n_rows = self.columns[self.column[cell]].len();
        (self.row[cell] as f64 + 0.5) / n_rows as f64
    }

    /// Turns columns and centres into places.
    pub(super) fn draw(
        &self,
        boxes: &[NodeFrame],
        edges: &[(usize, usize)],
        centres: &[f64],
    ) -> Layout {
        let spans = self.column_spans(boxes);
        let tops = centres.iter().zip(&self.height);
        let top = tops.fold(f64::INFINITY, |top, (y, height)| top.min(y - height / 2.0));
        let y_of: Vec<f64> = centres.iter().map(|y| round(y - top + MARGIN)).collect();
        let nodes: Vec<Placed> = (0..self.n_boxes)
            .map(|at| {
                let (left, right) = spans[self.column[at]];
                Placed {
                    x: round((left + right - boxes[at].width) / 2.0),
                    y: round(y_of[at] - boxes[at].height / 2.0),
                    layer: self.column[at] as u32,
                }
            })
            .collect();
        let pen = Pen {
            grid: self,
            boxes,
            nodes: &nodes,
            spans: &spans,
            y_of: &y_of,
        };
        let edges: Vec<Route> = edges.iter().map(|edge| pen.route(*edge)).collect();
        let lowest = y_of.iter().zip(&self.height);
        let height = lowest.fold(0.0f64, |low, (y, height)| low.max(y + height / 2.0));
        let right = spans.last().map_or(0.0, |(_, right)| *right);
        let points = edges.iter().flat_map(|edge| &edge.points);
        let width = points.fold(right, |width, [x, _]| width.max(*x));
        Layout {
            nodes,
            edges,
            width: (width + MARGIN).ceil(),
            height: (height + MARGIN).ceil(),
        }
    }

    /// Left and right end of each column.
    fn column_spans(&self, boxes: &[NodeFrame]) -> Vec<(f64, f64)> {
        let mut spans = Vec::with_capacity(self.columns.len());
        let mut x = MARGIN;
        for cells in &self.columns {
            let widths = cells.iter().filter_map(|cell| boxes.get(*cell));
            let width = widths.fold(0.0f64, |widest, one| widest.max(one.width));
            spans.push((x, x + width));
            let n_edges: usize = cells.iter().map(|cell| self.right[*cell].len()).sum();
            x += width + (COLUMN_GAP + n_edges as f64 * GAP_PER_EDGE).min(MAX_COLUMN_GAP);
        }
        spans
    }
}

/// What the routes are drawn from.
struct Pen<'a> {
    grid: &'a Grid,
    boxes: &'a [NodeFrame],
    nodes: &'a [Placed],
    spans: &'a [(f64, f64)],
    y_of: &'a [f64],
}

impl Pen<'_> {
    fn route(&self, (from, to): (usize, usize)) -> Route {
        if from >= self.boxes.len() || to >= self.boxes.len() {
            return Route::default();
        }
        let is_back = self.grid.column[from] >= self.grid.column[to];
        let points = match self.grid.left_to_right(from, to) {
            None if from == to => self.loop_at(from),
            None => self.bend(from, to),
            Some(pair) => {
                let mut points = self.line(pair);
                if is_back {
                    points.reverse();
                }
                points
            }
        };
        Route { points, is_back }
    }

    fn right_of(&self, at: usize) -> f64 {
        round(self.nodes[at].x + self.boxes[at].width)
    }

    fn line(&self, (left, right): (usize, usize)) -> Vec<[f64; 2]> {
        let mut points = vec![[self.right_of(left), self.y_of[left]]];
        for cell in self.grid.lines.get(&(left, right)).into_iter().flatten() {
            let (start, end) = self.spans[self.grid.column[*cell]];
            points.push([round(start), self.y_of[*cell]]);
            points.push([round(end), self.y_of[*cell]]);
        }
        points.push([self.nodes[right].x, self.y_of[right]]);
        points
    }

    /// Within a column: out to the right and back.
    fn bend(&self, from: usize, to: usize) -> Vec<[f64; 2]> {
        let x = round(self.spans[self.grid.column[from]].1 + BEND);
        let (start, end) = (self.y_of[from], self.y_of[to]);
        vec![
            [self.right_of(from), start],
            [x, start],
            [x, end],
            [self.right_of(to), end],
        ]
    }

    fn loop_at(&self, at: usize) -> Vec<[f64; 2]> {
        let (x, y) = (self.right_of(at), self.y_of[at]);
        let quarter = self.boxes[at].height / 4.0;
        let (above, below, out) = (round(y - quarter), round(y + quarter), round(x + BEND));
        vec![[x, above], [out, above], [out, below], [x, below]]
    }
}

/// Tenths: enough for a screen, and short as text.
fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
