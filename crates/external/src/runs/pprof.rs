//! pprof's profiles (Go's `runtime/pprof`, and many others): stacks by number in a protocol buffer.
//!
//! The fields are those of `profile.proto` (github.com/google/pprof). A stack stands leaf first, and
//! in a location what was inlined stands before what it was inlined into.

use std::collections::HashMap;

use protobuf::CodedInputStream;
use protobuf::rt::WireType;

use super::collector::{Collector, Frame, MAX_DEPTH, MAX_NAME_BYTES};
use super::run::{RunFunction, Scope};
use super::symbol_name;
use crate::coverage::At;

/// Fields read of `Profile`.
const SAMPLE_TYPE: u32 = 1;
const SAMPLE: u32 = 2;
const LOCATION: u32 = 4;
const FUNCTION: u32 = 5;
const STRING_TABLE: u32 = 6;
/// A field that is only looked for.
const PERIOD_TYPE: u32 = 11;
/// Samples kept, and numbers, lines and texts of all.
const MAX_SAMPLES: usize = 2_000_000;
const MAX_KEPT: usize = 16_000_000;

/// Fields looked at to recognise the format.
const HEAD_FIELDS: usize = 8;

/// The first fields are those of a profile, one that says what is counted among them.
pub(super) fn is_pprof(bytes: &[u8]) -> bool {
    let mut stream = CodedInputStream::from_bytes(bytes);
    let (mut n_fields, mut has_type) = (0, false);
    while let Ok(Some(tag)) = stream.read_raw_tag_or_eof() {
        let (field, wire) = (tag >> 3, tag & 7);
        let expected = match field {
            1..=6 | 11 => 2,
            7..=10 | 12 | 14 | 15 => 0,
            13 if wire == 0 || wire == 2 => wire,
            _ => return false,
        };
        if wire != expected {
            return false;
        }
        has_type |= field == SAMPLE_TYPE || field == PERIOD_TYPE;
        n_fields += 1;
        let skipped = WireType::new(wire).map(|wire| stream.skip_field(wire));
        if n_fields == HEAD_FIELDS || !matches!(skipped, Some(Ok(()))) {
            break;
        }
    }
    has_type && n_fields > 2
}

#[derive(Default)]
struct Profile {
    /// Unit of each value of a sample.
    units: Vec<u64>,
    samples: Vec<Sample>,
    /// Lines by location: function and line.
    locations: HashMap<u64, Vec<(u64, u32)>>,
    functions: HashMap<u64, Function>,
    strings: Vec<String>,
    /// Lines, texts and numbers kept.
    n_kept: usize,
}

#[derive(Default)]
struct Sample {
    locations: Vec<u64>,
    values: Vec<i64>,
}

#[derive(Default)]
struct Function {
    name: u64,
    path: u64,
    start_line: u32,
}

pub(super) fn read(bytes: &[u8], found: &mut Collector<'_, '_>) {
    let mut profile = Profile::default();
    let mut stream = CodedInputStream::from_bytes(bytes);
    if let Err(error) = profile.read(&mut stream, found) {
        let at = At::Byte(stream.pos());
        if !found.is_over() {
            found.problem(at, &format!("the profile is damaged: {error}"));
        }
    }
    profile.give(found);
}

impl Profile {
    fn read(
        &mut self,
        stream: &mut CodedInputStream<'_>,
        found: &mut Collector<'_, '_>,
    ) -> protobuf::Result<()> {
        fields(stream, |field, wire, stream| {
            if !found.step(1, At::Byte(0)) {
                return Err(std::io::Error::other("nobody wants the rest").into());
            }
            match (field, wire) {
                (SAMPLE_TYPE, WireType::LengthDelimited) => {
                    let mut unit = 0;
                    message(stream, |field, value| {
                        if field == 2 {
                            unit = value;
                        }
                    })?;
                    if self.has_room() {
                        self.units.push(unit);
                    }
                }
                (SAMPLE, WireType::LengthDelimited) => {
                    let sample = sample(stream, &mut self.n_kept)?;
                    if self.samples.len() < MAX_SAMPLES {
                        self.samples.push(sample);
                    }
                }
                (LOCATION, WireType::LengthDelimited) => self.location(stream)?,
                (FUNCTION, WireType::LengthDelimited) => self.function(stream)?,
                (STRING_TABLE, WireType::LengthDelimited) => {
                    let text = stream.read_bytes()?;
                    if self.has_room() {
                        self.strings
                            .push(String::from_utf8_lossy(&text).into_owned());
                    }
                }
                _ => stream.skip_field(wire)?,
            }
            Ok(())
        })
    }

    fn location(&mut self, stream: &mut CodedInputStream<'_>) -> protobuf::Result<()> {
        let mut id = 0;
        let mut lines = Vec::new();
        within(stream, |field, wire, stream| {
            match (field, wire) {
                (1, WireType::Varint) => id = stream.read_uint64()?,
                (4, WireType::LengthDelimited) => {
                    let (mut function, mut line) = (0, 0);
                    message(stream, |field, value| match field {
                        1 => function = value,
                        2 => line = u32::try_from(value).unwrap_or(0),
                        _ => {}
                    })?;
                    if has_room(&mut self.n_kept) {
                        lines.push((function, line));
                    }
                }
                _ => stream.skip_field(wire)?,
            }
            Ok(())
        })?;
        self.locations.insert(id, lines);
        Ok(())
    }

    fn function(&mut self, stream: &mut CodedInputStream<'_>) -> protobuf::Result<()> {
        let mut id = 0;
        let mut function = Function::default();
        message(stream, |field, value| match field {
            1 => id = value,
            2 => function.name = value,
            4 => function.path = value,
            5 => function.start_line = u32::try_from(value).unwrap_or(0),
            _ => {}
        })?;
        if self.has_room() {
            self.functions.insert(id, function);
        }
        Ok(())
    }

    fn has_room(&mut self) -> bool {
        has_room(&mut self.n_kept)
    }

    fn give(&self, found: &mut Collector<'_, '_>) {
        let is_count = |unit: &u64| self.string(*unit) == "count";
        let counted = self.units.iter().position(is_count);
        let mut known: HashMap<u64, Option<u32>> = HashMap::new();
        let mut stack: Vec<Frame> = Vec::new();
        for sample in &self.samples {
            let value = counted.and_then(|at| sample.values.get(at));
            // A profile of the heap counts what is no longer there as nothing: it was called all the same.
            let n = value.map_or(1, |n| u64::try_from(*n).unwrap_or(0).max(1));
            stack.clear();
            for (id, line) in self.frames(sample) {
                if stack.len() == MAX_DEPTH {
                    break;
                }
                if !found.step(1, At::Byte(0)) {
                    return;
                }
                // Without the line of its start any line in it says where a function is.
                let function = *known
                    .entry(id)
                    .or_insert_with(|| self.named(id, line, found));
                stack.extend(function.map(|function| Frame { function, line }));
            }
            found.stack(&stack, n, At::Byte(0));
        }
    }

    /// Functions and lines of a stack, its root first. A location may come again, and have any number
    /// of lines: whoever walks here counts.
    fn frames(&self, sample: &Sample) -> impl Iterator<Item = (u64, u32)> {
        let ids = sample.locations.iter().rev();
        let locations = ids.filter_map(move |id| self.locations.get(id));
        locations.flat_map(|lines| lines.iter().rev().copied())
    }

    fn named(&self, id: u64, line: u32, found: &mut Collector<'_, '_>) -> Option<u32> {
        let at = At::Byte(0);
        let Some(function) = self.functions.get(&id) else {
            return found.function(symbol_name::foreign(""), at);
        };
        let (path, name) = (self.string(function.path), self.string(function.name));
        // Texts may be shared: a long one is not taken apart for each function that has it.
        let n_bytes = path.len() + name.len();
        if n_bytes > MAX_NAME_BYTES || !found.step_of_name(n_bytes, at) {
            return None;
        }
        let is_go = path.ends_with(".go");
        let (name, container) = if is_go {
            symbol_name::go(name)
        } else {
            symbol_name::native(name)
        };
        let function = RunFunction {
            path: path.to_owned(),
            name,
            container,
            line: if function.start_line > 0 {
                function.start_line
            } else {
                line
            },
            scope: Scope::Function,
        };
        found.function(function, at)
    }

    fn string(&self, at: u64) -> &str {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        self.strings.get(at).map_or("", String::as_str)
    }
}

/// Says whether one more of what a few bytes can say is kept.
fn has_room(n_kept: &mut usize) -> bool {
    *n_kept += 1;
    *n_kept <= MAX_KEPT
}

fn sample(stream: &mut CodedInputStream<'_>, n_kept: &mut usize) -> protobuf::Result<Sample> {
    let mut sample = Sample::default();
    within(stream, |field, wire, stream| match field {
        1 => numbers(stream, wire, &mut |id| {
            if has_room(n_kept) {
                sample.locations.push(id);
            }
        }),
        // A value is a number of 64 bits with its sign.
        2 => numbers(stream, wire, &mut |value| {
            if has_room(n_kept) {
                sample.values.push(value as i64);
            }
        }),
        _ => stream.skip_field(wire),
    })?;
    Ok(sample)
}

/// Numbers that stand alone or packed.
fn numbers(
    stream: &mut CodedInputStream<'_>,
    wire: WireType,
    take: &mut dyn FnMut(u64),
) -> protobuf::Result<()> {
    match wire {
        WireType::Varint => take(stream.read_uint64()?),
        WireType::LengthDelimited => {
            let n_bytes = stream.read_raw_varint64()?;
            let limit = stream.push_limit(n_bytes)?;
            while !stream.eof()? {
                take(stream.read_uint64()?);
            }
            stream.pop_limit(limit);
        }
        _ => stream.skip_field(wire)?,
    }
    Ok(())
}

/// Reads a message of numbers.
fn message(
    stream: &mut CodedInputStream<'_>,
    mut take: impl FnMut(u32, u64),
) -> protobuf::Result<()> {
    within(stream, |field, wire, stream| {
        match wire {
            WireType::Varint => take(field, stream.read_uint64()?),
            _ => stream.skip_field(wire)?,
        }
        Ok(())
    })
}

/// Reads the fields of a message within a message.
fn within(
    stream: &mut CodedInputStream<'_>,
    take: impl FnMut(u32, WireType, &mut CodedInputStream<'_>) -> protobuf::Result<()>,
) -> protobuf::Result<()> {
    let n_bytes = stream.read_raw_varint64()?;
    let limit = stream.push_limit(n_bytes)?;
    let outcome = fields(stream, take);
    stream.pop_limit(limit);
    outcome
}

fn fields(
    stream: &mut CodedInputStream<'_>,
    mut take: impl FnMut(u32, WireType, &mut CodedInputStream<'_>) -> protobuf::Result<()>,
) -> protobuf::Result<()> {
    while let Some(tag) = stream.read_raw_tag_or_eof()? {
        let wire = WireType::new(tag & 7).ok_or_else(|| {
            std::io::Error::new(std::io::ErrorKind::InvalidData, "an unknown kind of field")
        })?;
        take(tag >> 3, wire, stream)?;
    }
    Ok(())
}
