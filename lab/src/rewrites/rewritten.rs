//! A rewritten text as pieces of the old one, so that lines of the one are known in the other.

use std::collections::HashMap;
use std::ops::Range;

use super::view::View;

/// A part of a new text.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// Bytes of an old file.
    Kept { file: usize, range: Range<usize> },
    /// New text, in place of bytes of an old file; of none where it stands for nothing.
    Fresh {
        text: String,
        of: Option<(usize, Range<usize>)>,
    },
}

/// A file that is other than before, or new.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) path: String,
    /// Index of the old file.
    pub(super) old: Option<usize>,
    pub(super) pieces: Vec<Piece>,
}

impl Written {
    /// A new file that stands for nothing.
    pub(super) fn fresh(path: String, text: String) -> Self {
        Self {
            path,
            old: None,
            pieces: vec![Piece::Fresh { text, of: None }],
        }
    }

    pub(super) fn text(&self, view: &View) -> String {
        let parts = self.pieces.iter().map(|piece| match piece {
            Piece::Kept { file, range } => &view.files[*file].text[range.clone()],
            Piece::Fresh { text, .. } => text,
        });
        parts.collect()
    }
}

/// What a rewrite does.
#[derive(Clone, Debug, Default)]
pub(super) struct Rewritten {
    pub(super) files: Vec<Written>,
    /// Names that it is about, beside those on the lines that it touches.
    pub(super) names: Vec<String>,
    /// New text that stands for nothing uses what it names.
    pub(super) uses_anew: bool,
}

impl From<Edits> for Rewritten {
    fn from(edits: Edits) -> Self {
        Self {
            files: vec![edits.written()],
            ..Self::default()
        }
    }
}

impl Rewritten {
    pub(super) fn about(mut self, name: &str) -> Self {
        self.names.push(name.to_owned());
        self
    }

    pub(super) fn using_anew(mut self) -> Self {
        self.uses_anew = true;
        self
    }

    pub(super) fn and(mut self, file: Written) -> Self {
        self.files.push(file);
        self
    }
}

/// Edits of one file.
#[derive(Clone, Debug)]
pub(super) struct Edits {
    file: usize,
    path: String,
    n_bytes: usize,
    edits: Vec<(Range<usize>, Vec<Piece>)>,
}

impl Edits {
    pub(super) fn of(view: &View, file: usize) -> Self {
        Self {
            file,
            path: view.files[file].path.clone(),
            n_bytes: view.files[file].text.len(),
            edits: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// New text in place of a range, meaning what stood there.
    pub(super) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        let text = text.into();
        let of = Some((self.file, range.clone()));
        self.edits.push((range, vec![Piece::Fresh { text, of }]));
    }

    /// New text that means what stands there.
    pub(super) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    /// New text that stands for nothing.
    pub(super) fn add(&mut self, at: usize, text: impl Into<String>) {
        let text = text.into();
        self.edits
            .push((at..at, vec![Piece::Fresh { text, of: None }]));
    }

    /// Old text of the file in place of a range.
    pub(super) fn put(&mut self, range: Range<usize>, kept: Range<usize>) {
        let file = self.file;
        self.edits
            .push((range, vec![Piece::Kept { file, range: kept }]));
    }

    /// The file with these edits; of two that overlap the first stands.
    pub(super) fn written(mut self) -> Written {
        self.edits
            .sort_by_key(|(range, _)| (range.start, range.end));
        let (mut pieces, mut done) = (Vec::new(), 0);
        let file = self.file;
        for (range, new) in self.edits {
            if range.start < done {
                continue;
            }
            let range_before = done..range.start;
            pieces.push(Piece::Kept {
                file,
                range: range_before,
            });
            pieces.extend(new);
            done = range.end;
        }
        pieces.push(Piece::Kept {
            file,
            range: done..self.n_bytes,
        });
        Written {
            path: self.path,
            old: Some(file),
            pieces,
        }
    }
}

/// A line of the old checkout, or one of new text that stands for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub(super) file: u32,
    pub(super) line: u32,
    pub(super) is_fresh: bool,
}

/// Which old line each line of a rewritten checkout is. Old lines that became one, or parts of one, are one.
#[derive(Debug, Default)]
pub(super) struct LineMap {
    /// The first of the lines that became one, where that is another.
    first: HashMap<(u32, u32), (u32, u32)>,
    /// The old line of each new one, by file of the new checkout.
    old: HashMap<u32, Vec<Option<(u32, u32)>>>,
}

impl LineMap {
    /// `files` are the indices that the written files have in the new checkout.
    pub(super) fn new(view: &View, rewritten: &Rewritten, files: &[u32]) -> Self {
        let mut map = Self::default();
        for (written, file) in rewritten.files.iter().zip(files) {
            let lines = map.lines_of(view, written);
            map.old.insert(*file, lines);
        }
        map
    }

    fn lines_of(&mut self, view: &View, written: &Written) -> Vec<Option<(u32, u32)>> {
        let mut lines = vec![None];
        for piece in &written.pieces {
            let (text, file, mut line) = match piece {
                Piece::Kept { file, range } => {
                    let text = &view.files[*file].text;
                    (&text[range.clone()], *file, line_at(text, range.start))
                }
                Piece::Fresh { text, of: None } => {
                    lines.extend(text.matches('\n').map(|_| None));
                    continue;
                }
                Piece::Fresh {
                    text,
                    of: Some((file, range)),
                } => {
                    let old = &view.files[*file].text;
                    let first = line_at(old, range.start);
                    for other in first..line_at(old, range.end) {
                        self.join((*file as u32, first), (*file as u32, other + 1));
                    }
                    for (n, part) in text.split('\n').enumerate() {
                        if n > 0 {
                            lines.push(None);
                        }
                        self.note(&mut lines, part, (*file as u32, first));
                    }
                    continue;
                }
            };
            for (n, part) in text.split('\n').enumerate() {
                if n > 0 {
                    lines.push(None);
                    line += 1;
                }
                self.note(&mut lines, part, (file as u32, line));
            }
        }
        lines
    }

    /// Notes that the last line has text of an old one.
    fn note(&mut self, lines: &mut [Option<(u32, u32)>], text: &str, old: (u32, u32)) {
        if text.trim().is_empty() {
            return;
        }
        let Some(last) = lines.last_mut() else {
            return;
        };
        match *last {
            Some(known) => self.join(known, old),
            None => *last = Some(old),
        }
    }

    fn join(&mut self, a: (u32, u32), b: (u32, u32)) {
        let (a, b) = (self.first_of(a), self.first_of(b));
        if a != b {
            self.first.insert(a.max(b), a.min(b));
        }
    }

    fn first_of(&self, mut line: (u32, u32)) -> (u32, u32) {
        while let Some(first) = self.first.get(&line) {
            line = *first;
        }
        line
    }

    /// A line of the old checkout.
    pub(super) fn of_old(&self, (file, line): (u32, u32)) -> Place {
        let (file, line) = self.first_of((file, line));
        Place {
            file,
            line,
            is_fresh: false,
        }
    }

    /// A line of the new checkout.
    pub(super) fn of_new(&self, (file, line): (u32, u32)) -> Place {
        let Some(lines) = self.old.get(&file) else {
            return self.of_old((file, line));
        };
        match lines.get(line as usize - 1).copied().flatten() {
            Some(old) => self.of_old(old),
            None => Place {
                file,
                line,
                is_fresh: true,
            },
        }
    }
}

/// The line of a byte, from 1.
fn line_at(text: &str, byte: usize) -> u32 {
    1 + text.as_bytes()[..byte]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count() as u32
}
