//! Columns, as the client counts them.

use lsp_types::{ClientCapabilities, PositionEncodingKind};

/// The unit in which the client counts columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    /// Bytes where the client can count them, else what every client can.
    pub(crate) fn negotiated(client: &ClientCapabilities) -> Self {
        let offered = client.general.as_ref();
        let offered = offered.and_then(|general| general.position_encodings.as_ref());
        match offered.is_some_and(|kinds| kinds.contains(&PositionEncodingKind::UTF8)) {
            true => Self::Utf8,
            false => Self::Utf16,
        }
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// The byte at a column of a line: the line's end for one beyond it, and a character's start for one
    /// inside of it.
    pub(crate) fn byte(self, line: &str, column: u32) -> usize {
        let column = column as usize;
        match self {
            Self::Utf8 => line.floor_char_boundary(column.min(line.len())),
            Self::Utf16 => {
                let mut unit = 0;
                for (start, char) in line.char_indices() {
                    unit += char.len_utf16();
                    if unit > column {
                        return start;
                    }
                }
                line.len()
            }
        }
    }

    /// The column of a byte of a line.
    pub(crate) fn column(self, line: &str, byte: usize) -> u32 {
        let before = &line[..line.floor_char_boundary(byte.min(line.len()))];
        let units = match self {
            Self::Utf8 => before.len(),
            Self::Utf16 => before.encode_utf16().count(),
        };
        u32::try_from(units).unwrap_or(u32::MAX)
    }
}

/// A part of a line by its columns in UTF-16 units.
pub(crate) fn text_of_units(line: &str, (start, end): (u32, u32)) -> &str {
    let byte = |units| Encoding::Utf16.byte(line, units);
    line.get(byte(start)..byte(end)).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_bytes_are_told_apart_beyond_ascii() {
        let line = "é😀x";
        assert_eq!(Encoding::Utf16.byte(line, 3), 6);
        assert_eq!(Encoding::Utf16.column(line, 6), 3);
        assert_eq!(Encoding::Utf8.byte(line, 6), 6);
        assert_eq!(Encoding::Utf8.column(line, 6), 6);
    }

    #[test]
    fn a_column_beyond_a_line_or_inside_a_character_is_brought_back() {
        let line = "é😀x";
        assert_eq!(Encoding::Utf16.byte(line, 99), line.len());
        assert_eq!(Encoding::Utf8.byte(line, 99), line.len());
        assert_eq!(Encoding::Utf16.byte(line, 2), 2);
        assert_eq!(Encoding::Utf8.byte(line, 3), 2);
    }
}
