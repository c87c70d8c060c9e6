//! Byte order mark and line ends: taken off before an edit, put on again after it.

const MARK: char = '\u{feff}';

/// How a text is wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    has_mark: bool,
    /// Every line ends with `\r\n`. Mixed ends stay as they are.
    has_crlf: bool,
}

impl Shape {
    pub(super) fn take_off(text: &str) -> (Self, String) {
        let body = text.strip_prefix(MARK).unwrap_or(text);
        let n_ends = body.matches('\n').count();
        let shape = Self {
            has_mark: body.len() < text.len(),
            has_crlf: n_ends > 0 && body.matches("\r\n").count() == n_ends,
        };
        let body = if shape.has_crlf {
            body.replace("\r\n", "\n")
        } else {
            body.to_owned()
        };
        (shape, body)
    }

    pub(super) fn put_on(self, text: &str) -> String {
        let text = if self.has_crlf {
            text.replace('\n', "\r\n")
        } else {
            text.to_owned()
        };
        if self.has_mark {
            format!("{MARK}{text}")
        } else {
            text
        }
    }
}
