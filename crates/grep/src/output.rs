//! The output of a file, before it goes out: in colour where that is wanted, and on a terminal without what
//! would command it.

use std::io::{self, Write};
use termcolor::{Ansi, ColorSpec, WriteColor};
use whyrank_system::visible;

/// Bytes on their way to standard output.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    bytes: Vec<u8>,
    is_coloured: bool,
    is_terminal: bool,
}

impl Output {
    pub(crate) fn new(is_coloured: bool, is_terminal: bool) -> Self {
        Self {
            bytes: Vec::new(),
            is_coloured,
            is_terminal,
        }
    }

    /// Takes what is there.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}

impl Write for Output {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        if !self.is_terminal || text.iter().all(is_plain) {
            self.bytes.extend_from_slice(text);
        } else {
            let shown = String::from_utf8_lossy(text);
            self.bytes
                .extend_from_slice(visible::text(&shown).as_bytes());
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl WriteColor for Output {
    fn supports_color(&self) -> bool {
        self.is_coloured
    }

    fn set_color(&mut self, spec: &ColorSpec) -> io::Result<()> {
        if self.is_coloured {
            Ansi::new(&mut self.bytes).set_color(spec)?;
        }
        Ok(())
    }

    fn reset(&mut self) -> io::Result<()> {
        if self.is_coloured {
            Ansi::new(&mut self.bytes).reset()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_command_of_a_file_and_a_pipe_gets_the_bytes() {
        let text = b"a\x1b]52;c;aGk=\x07\xff\tb\n";
        let written = |is_terminal| {
            let mut output = Output::new(true, is_terminal);
            output.write_all(text).expect("memory");
            output
                .set_color(ColorSpec::new().set_bold(true))
                .expect("memory");
            output.take()
        };
        assert!(written(false).starts_with(text));
        let shown = String::from_utf8(written(true)).expect("text");
        assert_eq!(
            shown,
            "a\\u001b]52;c;aGk=\\u0007\u{fffd}\tb\n\u{1b}[0m\u{1b}[1m"
        );
    }
}
