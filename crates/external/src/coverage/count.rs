//! Counts in JSON, and where they stand.

use serde::Deserializer;
use serde::de::Visitor;
use std::fmt;

use super::At;

/// Where a reader of JSON stands: it does not know its own line.
pub(super) const SOMEWHERE: At = At::Line(0);

/// A count as any number: below zero is zero, what is too large is the largest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count(pub(super) u64);

impl<'de> serde::Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = Count;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_u64<E>(self, n: u64) -> Result<Count, E> {
                Ok(Count(n))
            }

            fn visit_i64<E>(self, n: i64) -> Result<Count, E> {
                Ok(Count(u64::try_from(n).unwrap_or(0)))
            }

            fn visit_f64<E>(self, n: f64) -> Result<Count, E> {
                Ok(Count(n as u64))
            }

            fn visit_unit<E>(self) -> Result<Count, E> {
                Ok(Count(0))
            }
        }
        reader.deserialize_any(Number)
    }
}

/// A line from a count.
pub(super) fn line(count: Count) -> u32 {
    u32::try_from(count.0).unwrap_or(u32::MAX)
}
