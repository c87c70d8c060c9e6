//! Runs in JSON: told apart by the keys of the outermost object, read one element after another.
//!
//! Of what is not asked for nothing is kept, and lists within an element are cut: three bytes of an empty
//! object would else take a hundred.

use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use super::collector::Collector;
use super::run::RunFormat;
use crate::coverage::At;

/// So much is searched for a key that tells the format.
const HEAD_BYTES: usize = 64 << 10;
/// Elements kept of a list within an element.
const FEW: usize = 200;

pub(super) fn recognise(bytes: &[u8]) -> Option<RunFormat> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]);
    let has = |key: &str| head.contains(key);
    if has("\"resourceSpans\"") {
        Some(RunFormat::OpenTelemetry)
    } else if has("\"traceEvents\"") {
        Some(RunFormat::Viztracer)
    } else if has("\"callFrame\"") && has("\"nodes\"") {
        Some(RunFormat::CpuProfile)
    } else {
        None
    }
}

/// Gives the elements of the lists that these keys lead to, one a level, for as long as `take` says so. Most
/// files have one value, collectors write one a line.
pub(super) fn each<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
    keys: &[&[&str]],
    found: &mut Collector<'_, '_>,
    mut take: impl FnMut(T, &mut Collector<'_, '_>) -> bool,
) {
    let mut stream = serde_json::Deserializer::from_slice(bytes);
    while stream.end().is_err() {
        let mut is_over = false;
        let within = Within {
            keys,
            take: &mut |element| {
                is_over = !(found.step(1, At::Byte(0)) && take(element, found));
                !is_over
            },
            element: PhantomData,
        };
        if let Err(error) = within.deserialize(&mut stream) {
            if !is_over {
                let at = At::Line(error.line() as u64);
                found.problem(at, &format!("the JSON cannot be read: {error}"));
            }
            return;
        }
    }
}

/// The first elements of a list; the others are passed over.
pub(super) fn few<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    struct Few<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Few<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut few = Vec::new();
            while few.len() < FEW {
                match list.next_element()? {
                    Some(element) => few.push(element),
                    None => return Ok(few),
                }
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(few)
        }
    }
    from.deserialize_seq(Few(PhantomData))
}

/// The path between the outermost object and the elements.
struct Within<'k, 't, T> {
    keys: &'k [&'k [&'k str]],
    take: &'t mut dyn FnMut(T) -> bool,
    element: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Within<'_, '_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Within<'_, '_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(Key(key)) = object.next_key()? {
            match self.keys.split_first() {
                Some((names, rest)) if names.contains(&key.as_ref()) => {
                    object.next_value_seed(Within {
                        keys: rest,
                        take: &mut *self.take,
                        element: PhantomData,
                    })?;
                }
                _ => drop(object.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if self.keys.is_empty() {
            while let Some(element) = list.next_element()? {
                if !(self.take)(element) {
                    return Err(A::Error::custom("nobody wants the rest"));
                }
            }
            return Ok(());
        }
        let mut more = Some(());
        while more.is_some() {
            more = list.next_element_seed(Within {
                keys: self.keys,
                take: &mut *self.take,
                element: PhantomData,
            })?;
        }
        Ok(())
    }
}

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);
