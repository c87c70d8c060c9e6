//! Coverage in JSON, read as a stream: what was read before damage stays.

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

use super::{At, Collector, Unreadable, coverage_py, istanbul, v8};

pub(super) fn read(bytes: &[u8], found: &mut Collector) -> Result<(), Unreadable> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let outcome = Document(found).deserialize(&mut reader);
    let outcome = outcome.and_then(|()| reader.end());
    if found.format.is_none() {
        return Err(Unreadable::OtherJson);
    }
    if let Err(error) = outcome {
        let at = At::Line(error.line() as u64);
        let text = error.to_string();
        let message = text.split(" at line ").next().unwrap_or(&text);
        let column = error.column();
        found.problem(
            at,
            &format!("the JSON is damaged at column {column}: {message}"),
        );
    }
    Ok(())
}

/// The whole: what its keys are tells the format.
struct Document<'c>(&'c mut Collector);

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of coverage")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "result" => map.next_value_seed(Each(self.0, v8::script))?,
                "files" => map.next_value_seed(Entries(self.0, coverage_py::file))?,
                "meta" => {
                    let meta: coverage_py::Meta = map.next_value()?;
                    meta.note(self.0);
                }
                "totals" | "timestamp" | "source-map-cache" => {
                    map.next_value::<IgnoredAny>()?;
                }
                _ => {
                    let entry: istanbul::Entry = map.next_value()?;
                    istanbul::file(self.0, &key, entry);
                }
            }
        }
        Ok(())
    }
}

/// A list, an element at a time.
struct Each<'c, T>(&'c mut Collector, fn(&mut Collector, T));

impl<'de, T: serde::Deserialize<'de>> DeserializeSeed<'de> for Each<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'de, T: serde::Deserialize<'de>> Visitor<'de> for Each<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element()? {
            self.1(self.0, element);
        }
        Ok(())
    }
}

/// An object, an entry at a time.
struct Entries<'c, T>(&'c mut Collector, fn(&mut Collector, &str, T));

impl<'de, T: serde::Deserialize<'de>> DeserializeSeed<'de> for Entries<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de, T: serde::Deserialize<'de>> Visitor<'de> for Entries<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value()?;
            self.1(self.0, &key, value);
        }
        Ok(())
    }
}
