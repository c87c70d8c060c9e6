//! Cobertura's XML, which coverage.py, Istanbul, gcovr, coverlet, PHPUnit and others write.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::Collector;
use super::report::{At, CoverageFormat, Unreadable};

/// Where in the document the reader is.
#[derive(Default)]
struct Position {
    /// The method at work and whether its first line is still to come.
    method: Option<(String, bool)>,
    in_source: bool,
    has_ended: bool,
}

pub(super) fn read(bytes: &[u8], found: &mut Collector<'_, '_>) -> Result<(), Unreadable> {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader::from_str(&text);
    let mut place = Position::default();
    loop {
        let at = At::Byte(reader.buffer_position());
        if !found.step(at) {
            break;
        }
        match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) if found.format.is_none() => {
                open_root(&tag, found)?;
            }
            Ok(Event::Start(tag)) => open(&tag, &mut place, found, at),
            Ok(Event::Empty(tag)) => {
                open(&tag, &mut place, found, at);
                close(tag.local_name().as_ref(), &mut place);
            }
            Ok(Event::End(tag)) => close(tag.local_name().as_ref(), &mut place),
            Ok(Event::Text(text)) if place.in_source => {
                found.root(text.trim(), at);
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                let at = At::Byte(reader.error_position());
                found.problem(at, &format!("the XML is damaged: {error}"));
                break;
            }
        }
    }
    if found.format.is_none() {
        return Err(Unreadable::Unknown);
    }
    if !place.has_ended && found.step(At::Byte(0)) {
        let at = At::Byte(bytes.len() as u64);
        found.problem(at, "the file ends before </coverage>");
    }
    Ok(())
}

fn open_root(tag: &BytesStart<'_>, found: &mut Collector<'_, '_>) -> Result<(), Unreadable> {
    let name = tag.local_name();
    // Clover's root has the same name.
    if name.as_ref() != "coverage" || attribute(tag, "clover").is_some() {
        let root = name.as_ref().chars().take(40).collect();
        return Err(Unreadable::OtherXml { root });
    }
    found.format = Some(CoverageFormat::Cobertura);
    let written = attribute(tag, "timestamp").and_then(|text| text.parse::<i64>().ok());
    // Some write seconds, some milliseconds.
    found.written_s = written.filter(|stamp| *stamp > 0).map(|stamp| {
        if stamp > 100_000_000_000 {
            stamp / 1000
        } else {
            stamp
        }
    });
    Ok(())
}

fn open(tag: &BytesStart<'_>, place: &mut Position, found: &mut Collector<'_, '_>, at: At) {
    match tag.local_name().as_ref() {
        "source" => place.in_source = true,
        "class" => match attribute(tag, "filename") {
            Some(path) => found.file(&path, at),
            None => found.problem(at, "a class without a file name"),
        },
        "method" => place.method = attribute(tag, "name").map(|name| (name, true)),
        "line" => line(tag, place, found, at),
        _ => {}
    }
}

fn line(tag: &BytesStart<'_>, place: &mut Position, found: &mut Collector<'_, '_>, at: At) {
    let number = |name| attribute(tag, name).and_then(|text| text.parse::<i64>().ok());
    let (Some(line), Some(hits)) = (number("number"), number("hits")) else {
        found.problem(at, "a line without number or hits");
        return;
    };
    let line = u32::try_from(line).unwrap_or(0);
    let hits = u64::try_from(hits).unwrap_or(0);
    match &mut place.method {
        // The lines of a method come again under its class.
        Some((name, is_first)) => {
            if std::mem::take(is_first) {
                found.function(name, line, hits, at);
            }
        }
        None => found.line(line, line, hits, at),
    }
}

fn close(name: &str, place: &mut Position) {
    match name {
        "source" => place.in_source = false,
        "method" => place.method = None,
        "coverage" => place.has_ended = true,
        _ => {}
    }
}

/// Predefined entities are replaced, no others.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.try_get_attribute(name).ok()??;
    match found.normalized_value(XmlVersion::Implicit1_0) {
        Ok(value) => Some(value.into_owned()),
        Err(_) => Some(found.value.into_owned()),
    }
}
