//! SCIP indexes: where each symbol is defined and used, as a compiler or type checker knows it.
//!
//! The format is that of `scip.proto` (github.com/scip-code/scip). Documents are read one by one; a
//! damaged one is a problem and the others stay.

use crate::Budget;
use ::scip::types::{self, PositionEncoding, SymbolRole, occurrence::Typed_range};
use protobuf::{CodedInputStream, Enum as _, Message};
use std::collections::HashMap;
use std::io::BufRead;

/// A longer document is left out.
const MAX_DOCUMENT_BYTES: u32 = 64 << 20;
/// Occurrences and relations kept of an index, 20 bytes each.
const MAX_OCCURRENCES: usize = 8_000_000;
const MAX_PROBLEMS: usize = 20;
const SPENT: &str = "more work than an index of its size may make; the rest is left out";
/// Bytes kept of what says who wrote an index: several are joined.
const MAX_TOOL_BYTES: usize = 1000;
/// A longer occurrence or symbol of a document is left out.
const MAX_PART_BYTES: u32 = 1 << 18;
/// A longer head of an index is left out.
const MAX_METADATA_BYTES: u32 = 1 << 18;

/// `Index.metadata`, `documents` and `external_symbols` with their wire type.
const METADATA: u32 = 1 << 3 | 2;
const DOCUMENTS: u32 = 2 << 3 | 2;

/// The same of `Document`.
const PATH: u32 = 1 << 3 | 2;
const OCCURRENCES: u32 = 2 << 3 | 2;
const SYMBOLS: u32 = 3 << 3 | 2;
const ENCODING: u32 = 6 << 3;

/// What an index says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// Who wrote it: `scip-typescript 0.3.1`; empty when it does not say.
    pub tool: String,
    /// The folder that its paths stand in, as a path or URL.
    pub project_root: String,
    /// Its documents.
    pub documents: Vec<Document>,
    /// Its symbols; occurrences name them by their place here.
    pub symbols: Vec<Symbol>,
    /// (symbol, other): what refers to the other refers to the symbol, too (it overrides it).
    pub shared: Vec<(u32, u32)>,
    /// (symbol, other): the symbol implements, extends or overrides the other.
    pub implementations: Vec<(u32, u32)>,
    /// What could not be read.
    pub problems: Vec<String>,
}

/// A symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its bare name; empty for locals, which have none.
    pub name: String,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Its path from the project's root.
    pub path: String,
    /// What columns count; `None` when it does not say.
    pub encoding: Option<Encoding>,
    /// Its occurrences on one line each, by place.
    pub occurrences: Vec<Occurrence>,
}

/// What a column counts from the start of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

/// A place where a symbol stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Line, from 1.
    pub line: u32,
    /// First column, from 0, in the document's units.
    pub start: u32,
    /// One past the last column.
    pub end: u32,
    /// Index into [`Index::symbols`].
    pub symbol: u32,
    /// What it does there.
    pub role: Role,
}

/// What an occurrence does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum Role {
    Definition,
    Import,
    Write,
    Read,
}

/// Reads an index; whatever the bytes, it gives what it could. O(bytes), one document in memory at
/// a time beside what it keeps. The budget must allow what its size allows.
pub fn read(input: &mut dyn BufRead, budget: &mut Budget<'_>) -> Index {
    let mut reader = IndexReader::default();
    reader.read("", input, budget);
    reader.finish()
}

/// Reads several indexes into one: a symbol that two of them name is the same symbol.
#[derive(Default)]
pub struct IndexReader {
    index: Index,
    ids: HashMap<String, u32>,
    n_kept: usize,
    /// What comes before the paths of the index at work: empty, or a folder with its `/`.
    folder: String,
}

impl IndexReader {
    /// Adds the documents of an index whose paths start in `folder` (empty: as they are written).
    /// Whatever the bytes, it takes what it can; the rest is named in [`Index::problems`].
    pub fn read(&mut self, folder: &str, input: &mut dyn BufRead, budget: &mut Budget<'_>) {
        self.folder = match folder.trim_end_matches('/') {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let mut stream = CodedInputStream::from_buf_read(input);
        loop {
            let at = stream.pos();
            if !budget.step(1) {
                self.problem(SPENT.to_owned());
                break;
            }
            match self.field(&mut stream, budget) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.problem(format!("byte {at}: the file is damaged or cut: {error}"));
                    break;
                }
            }
        }
    }

    /// Returns the documents read so far.
    pub fn n_documents(&self) -> usize {
        self.index.documents.len()
    }

    /// Notes what kept an index from being read.
    pub fn problem(&mut self, problem: String) {
        if self.index.problems.len() < MAX_PROBLEMS {
            self.index.problems.push(problem);
        }
    }

    /// Returns the documents of all indexes, in the order in which they were read.
    pub fn finish(self) -> Index {
        self.index
    }

    /// Whether there was one.
    fn field(
        &mut self,
        stream: &mut CodedInputStream<'_>,
        budget: &mut Budget<'_>,
    ) -> protobuf::Result<bool> {
        let at = stream.pos();
        let Some(tag) = stream.read_raw_tag_or_eof()? else {
            return Ok(false);
        };
        // No field has the number 0: a sparse file would be read through to its end.
        if tag >> 3 == 0 {
            self.problem(format!("byte {at}: this is not a SCIP index"));
            return Ok(false);
        }
        match tag {
            METADATA => {
                let n_bytes = stream.read_raw_varint32()?;
                if n_bytes > MAX_METADATA_BYTES {
                    stream.skip_raw_bytes(n_bytes)?;
                    return Ok(true);
                }
                let bytes = stream.read_raw_bytes(n_bytes)?;
                let metadata = types::Metadata::parse_from_bytes(&bytes)?;
                self.tool(&metadata.tool_info.name, &metadata.tool_info.version);
                self.index.project_root = metadata.project_root;
            }
            DOCUMENTS => {
                let n_bytes = stream.read_raw_varint32()?;
                if n_bytes > MAX_DOCUMENT_BYTES {
                    self.problem(format!(
                        "byte {at}: a document of {n_bytes} bytes is left out"
                    ));
                    stream.skip_raw_bytes(n_bytes)?;
                    return Ok(true);
                }
                let bytes = stream.read_raw_bytes(n_bytes)?;
                if let Err(error) = self.document(&bytes, budget) {
                    self.problem(format!("byte {at}: a document is damaged: {error}"));
                }
            }
            _ => {
                let wire_type = protobuf::rt::WireType::new(tag & 7)
                    .ok_or_else(|| std::io::Error::other("no field starts here"))?;
                stream.skip_field(wire_type)?;
            }
        }
        Ok(true)
    }

    fn tool(&mut self, name: &str, version: &str) {
        let tool = format!("{name} {version}");
        let tool = tool.trim_end();
        let known = &mut self.index.tool;
        let is_full = known.len() + tool.len() > MAX_TOOL_BYTES;
        if is_full || known.split(", ").any(|one| one == tool) {
            return;
        }
        if !known.is_empty() {
            known.push_str(", ");
        }
        known.push_str(tool);
    }

    /// Reads a document part by part: as a whole it may take a hundred times its bytes.
    fn document(&mut self, bytes: &[u8], budget: &mut Budget<'_>) -> protobuf::Result<()> {
        let mut kept = Document::default();
        let mut stream = CodedInputStream::from_bytes(bytes);
        // What is left over is said where the next document would be read.
        while budget.step(1)
            && let Some(tag) = stream.read_raw_tag_or_eof()?
        {
            match tag {
                PATH => {
                    let path = stream.read_string()?;
                    kept.path = format!("{}{path}", self.folder);
                }
                ENCODING => kept.encoding = encoding(stream.read_raw_varint32()?),
                OCCURRENCES | SYMBOLS => {
                    let n_bytes = stream.read_raw_varint32()?;
                    if n_bytes > MAX_PART_BYTES {
                        stream.skip_raw_bytes(n_bytes)?;
                        continue;
                    }
                    let part = stream.read_raw_bytes(n_bytes)?;
                    if tag == OCCURRENCES {
                        let occurrence = types::Occurrence::parse_from_bytes(&part)?;
                        kept.occurrences.extend(self.occurrence(&occurrence));
                    } else {
                        self.relations(&types::SymbolInformation::parse_from_bytes(&part)?);
                    }
                }
                _ => {
                    let wire_type = protobuf::rt::WireType::new(tag & 7)
                        .ok_or_else(|| std::io::Error::other("no field starts here"))?;
                    stream.skip_field(wire_type)?;
                }
            }
        }
        kept.occurrences
            .sort_by_key(|at| (at.line, at.start, at.end));
        self.index.documents.push(kept);
        Ok(())
    }

    fn occurrence(&mut self, occurrence: &types::Occurrence) -> Option<Occurrence> {
        let (line, start, end) = place(occurrence)?;
        if occurrence.symbol.is_empty() || !self.has_room() {
            return None;
        }
        Some(Occurrence {
            line,
            start,
            end,
            symbol: self.id(&occurrence.symbol),
            role: role(occurrence.symbol_roles),
        })
    }

    fn relations(&mut self, symbol: &types::SymbolInformation) {
        for relation in &symbol.relationships {
            if !self.has_room() {
                return;
            }
            let pair = (self.id(&symbol.symbol), self.id(&relation.symbol));
            if relation.is_reference {
                self.index.shared.push(pair);
            }
            if relation.is_implementation {
                self.index.implementations.push(pair);
            }
        }
    }

    /// Says whether one more occurrence or relation is kept.
    fn has_room(&mut self) -> bool {
        if self.n_kept == MAX_OCCURRENCES {
            return false;
        }
        self.n_kept += 1;
        if self.n_kept == MAX_OCCURRENCES {
            self.problem("too many occurrences; the rest is left out".to_owned());
        }
        true
    }

    /// Locals mean something in their document alone.
    fn id(&mut self, symbol: &str) -> u32 {
        let document = self.index.documents.len();
        let is_local = symbol.starts_with("local ");
        let key = if is_local {
            format!("{document} {symbol}")
        } else {
            symbol.to_owned()
        };
        let symbols = &mut self.index.symbols;
        *self.ids.entry(key).or_insert_with(|| {
            let name = if is_local { "" } else { bare_name(symbol) };
            symbols.push(Symbol {
                name: name.to_owned(),
            });
            symbols.len() as u32 - 1
        })
    }
}

/// The unit that the columns of a document count, by the number of `PositionEncoding`.
fn encoding(number: u32) -> Option<Encoding> {
    match PositionEncoding::from_i32(number as i32)? {
        PositionEncoding::UTF8CodeUnitOffsetFromLineStart => Some(Encoding::Utf8),
        PositionEncoding::UTF16CodeUnitOffsetFromLineStart => Some(Encoding::Utf16),
        PositionEncoding::UTF32CodeUnitOffsetFromLineStart => Some(Encoding::Utf32),
        PositionEncoding::UnspecifiedPositionEncoding => None,
    }
}

/// Line from 1 and columns; `None` for what spans lines or is no range.
fn place(occurrence: &types::Occurrence) -> Option<(u32, u32, u32)> {
    let (line, start, end) = match (&occurrence.typed_range, occurrence.range.as_slice()) {
        (Some(Typed_range::SingleLineRange(range)), _) => {
            (range.line, range.start_character, range.end_character)
        }
        (Some(Typed_range::MultiLineRange(range)), _) if range.start_line == range.end_line => {
            (range.start_line, range.start_character, range.end_character)
        }
        (None, [line, start, end]) => (*line, *start, *end),
        (None, [line, start, last, end]) if line == last => (*line, *start, *end),
        _ => return None,
    };
    let line = u32::try_from(line).ok()?.checked_add(1)?;
    let (start, end) = (u32::try_from(start).ok()?, u32::try_from(end).ok()?);
    (start <= end).then_some((line, start, end))
}

fn role(roles: i32) -> Role {
    let has = |role: SymbolRole| roles & role as i32 != 0;
    match () {
        () if has(SymbolRole::Definition) => Role::Definition,
        () if has(SymbolRole::Import) => Role::Import,
        () if has(SymbolRole::WriteAccess) => Role::Write,
        () => Role::Read,
    }
}

/// The name in a symbol's last descriptor: `use` of `npm p 1.0 lib/``a.ts``/App#use().`.
///
/// Parameters and type parameters represent their owner's text elsewhere and have no name here.
fn bare_name(symbol: &str) -> &str {
    let end = symbol.trim_end_matches(['/', '#', '.', ':', '!']);
    // `name(+1)`: a disambiguator; `(name)`: a parameter.
    let end = match end.strip_suffix(')') {
        Some(_) if end.len() == symbol.len() => return "",
        Some(inner) => inner.rfind('(').map_or("", |at| &inner[..at]),
        None => end,
    };
    if end.ends_with(']') {
        return "";
    }
    if let Some(escaped) = end.strip_suffix('`') {
        return escaped.rfind('`').map_or("", |at| &escaped[at + 1..]);
    }
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '+' | '-');
    let start = end
        .char_indices()
        .rev()
        .take_while(|(_, char)| is_part(*char))
        .last();
    start.map_or("", |(at, _)| &end[at..])
}

#[cfg(test)]
mod tests {
    use super::bare_name;

    #[test]
    fn the_last_descriptor_bears_the_name() {
        let cases = [
            ("scip-typescript npm p 1.0 lib/`a.ts`/App#use().", "use"),
            ("scip-typescript npm p 1.0 lib/`a.ts`/App#", "App"),
            ("scip-typescript npm p 1.0 lib/`a.ts`/", "a.ts"),
            ("rust-analyzer cargo p 1.0 impl#[Foo]bar().", "bar"),
            ("rust-analyzer cargo p 1.0 m/mac!", "mac"),
            ("x . . . f(+1).", "f"),
            ("x . . . f().(param)", ""),
            ("x . . . T#[U]", ""),
            ("x . . . A#`<constructor>`().", "<constructor>"),
            ("x . . . VALUE.", "VALUE"),
            ("", ""),
            ("`", ""),
            ("().", ""),
        ];
        for (symbol, name) in cases {
            assert_eq!(bare_name(symbol), name, "{symbol}");
        }
    }
}
