//! Python's `marshal`, as far as a profile needs it: numbers, texts, tuples, dictionaries, shared
//! objects.
//!
//! The format is that of CPython's `Python/marshal.c`, versions 2 to 5. No length is believed before
//! its bytes are there.

use std::sync::Arc;

/// Deeper than any profile.
const MAX_DEPTH: u32 = 32;
/// Values kept, shared ones once.
const MAX_VALUES: usize = 20_000_000;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(i64),
    Text(Arc<str>),
    Tuple(Arc<[Self]>),
    Dictionary(Arc<[(Self, Self)]>),
    /// Anything that a profile does not need, times above all.
    Other,
}

impl Value {
    pub(super) fn entries(&self) -> &[(Self, Self)] {
        match self {
            Self::Dictionary(entries) => entries,
            _ => &[],
        }
    }

    pub(super) fn items(&self) -> Option<&[Self]> {
        match self {
            Self::Tuple(items) => Some(items),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn count(&self) -> Option<u64> {
        match self {
            Self::Number(number) => u64::try_from(*number).ok(),
            _ => None,
        }
    }
}

/// The value, as far as it can be read, and where and why that ended before its end.
/// It goes on for as long as `goes_on` says so, which is asked for each.
pub(super) fn read(
    bytes: &[u8],
    goes_on: &mut dyn FnMut() -> bool,
) -> (Option<Value>, Option<(u64, &'static str)>) {
    let mut reader = ByteReader {
        bytes,
        goes_on,
        at: 0,
        shared: Vec::new(),
        n_values: 0,
        problem: None,
    };
    let value = reader.value(0);
    (value, reader.problem)
}

struct ByteReader<'b> {
    bytes: &'b [u8],
    goes_on: &'b mut dyn FnMut() -> bool,
    at: usize,
    shared: Vec<Value>,
    n_values: usize,
    problem: Option<(u64, &'static str)>,
}

impl ByteReader<'_> {
    fn value(&mut self, depth: u32) -> Option<Value> {
        let code = self.byte()?;
        let is_shared = code & 0x80 != 0;
        self.n_values += 1;
        if depth > MAX_DEPTH || self.n_values > MAX_VALUES || !(self.goes_on)() {
            return self.fail("deeper or larger than a profile");
        }
        // What holds others takes its place before they take theirs.
        let place = is_shared.then(|| {
            self.shared.push(Value::Other);
            self.shared.len() - 1
        });
        let value = self.plain(code & 0x7f, depth)?;
        if let Some(place) = place {
            self.shared[place] = value.clone();
        }
        Some(value)
    }

    fn plain(&mut self, code: u8, depth: u32) -> Option<Value> {
        Some(match code {
            b'N' | b'T' | b'F' | b'.' => Value::Other,
            b'i' => Value::Number(i64::from(self.int()?)),
            b'l' => self.long()?,
            b'g' => self.skip(8)?,
            b'f' => {
                let n = usize::from(self.byte()?);
                self.skip(n)?
            }
            b'z' | b'Z' => {
                let n = usize::from(self.byte()?);
                self.text(n)?
            }
            b's' | b'a' | b'A' | b'u' | b't' => {
                let n = self.length()?;
                self.text(n)?
            }
            b'r' => {
                let place = self.length()?;
                match self.shared.get(place) {
                    Some(value) => value.clone(),
                    None => return self.fail("an object that was never there"),
                }
            }
            b')' => {
                let n = usize::from(self.byte()?);
                self.tuple(n, depth)?
            }
            b'(' => {
                let n = self.length()?;
                self.tuple(n, depth)?
            }
            b'{' => self.dictionary(depth),
            _ => return self.fail("a kind of value that no profile has"),
        })
    }

    fn tuple(&mut self, n: usize, depth: u32) -> Option<Value> {
        let mut items = Vec::new();
        for _ in 0..n {
            items.push(self.value(depth + 1)?);
        }
        Some(Value::Tuple(items.into()))
    }

    /// The entries up to the end or the damage.
    fn dictionary(&mut self, depth: u32) -> Value {
        let mut entries = Vec::new();
        loop {
            if self.bytes.get(self.at) == Some(&b'0') {
                self.at += 1;
                break;
            }
            let Some(key) = self.value(depth + 1) else {
                break;
            };
            let Some(value) = self.value(depth + 1) else {
                break;
            };
            entries.push((key, value));
            if self.problem.is_some() {
                break;
            }
        }
        Value::Dictionary(entries.into())
    }

    /// Digits of 15 bits; more than 64 bits are no count.
    fn long(&mut self) -> Option<Value> {
        let n = self.int()?;
        let mut number: Option<i64> = Some(0);
        for place in 0..n.unsigned_abs() {
            let digits = self.take(2)?;
            let digit = i64::from(u16::from_le_bytes([digits[0], digits[1]]) & 0x7fff);
            let scale = place.checked_mul(15).and_then(|by| 1_i64.checked_shl(by));
            let part = scale
                .filter(|_| place < 4)
                .and_then(|by| digit.checked_mul(by));
            number = match part {
                Some(part) => number.and_then(|sum| sum.checked_add(part)),
                None => None,
            };
        }
        Some(match number {
            Some(number) if n >= 0 => Value::Number(number),
            Some(number) => Value::Number(-number),
            None => Value::Other,
        })
    }

    fn text(&mut self, n: usize) -> Option<Value> {
        let text = self.take(n)?;
        Some(Value::Text(String::from_utf8_lossy(text).into()))
    }

    fn length(&mut self) -> Option<usize> {
        match usize::try_from(self.int()?) {
            Ok(length) => Some(length),
            Err(_) => self.fail("a length below zero"),
        }
    }

    fn int(&mut self) -> Option<i32> {
        let bytes = self.take(4)?;
        Some(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn skip(&mut self, n: usize) -> Option<Value> {
        self.take(n).map(|_| Value::Other)
    }

    fn take(&mut self, n: usize) -> Option<&[u8]> {
        let end = self
            .at
            .checked_add(n)
            .filter(|end| *end <= self.bytes.len());
        let Some(end) = end else {
            return self.fail("the file ends within a value");
        };
        let start = std::mem::replace(&mut self.at, end);
        Some(&self.bytes[start..end])
    }

    fn fail<T>(&mut self, message: &'static str) -> Option<T> {
        self.problem.get_or_insert((self.at as u64, message));
        None
    }
}
