//! The grams of a text.

use crate::{Gram, gram};
use memchr::memmem;

/// Letters outside of ASCII that are one inside where case does not count, as UTF-8.
const FOLD_TO_ASCII: [&[u8]; 2] = ["\u{212a}".as_bytes(), "\u{17f}".as_bytes()];
/// Grams there can be.
const ALL: usize = 1 << 24;

/// Reads the grams of texts, one after the other. It holds two megabytes.
pub struct GramReader {
    /// A bit for each gram of the text at hand.
    seen: Vec<u64>,
    grams: Vec<Gram>,
}

impl Default for GramReader {
    fn default() -> Self {
        Self {
            seen: vec![0; ALL / 64],
            grams: Vec::new(),
        }
    }
}

impl GramReader {
    /// Returns each gram of a text once, in no order; `None` for a text that is to be read whatever is asked.
    pub fn grams(&mut self, text: &[u8]) -> Option<&[Gram]> {
        if FOLD_TO_ASCII
            .iter()
            .any(|letter| memmem::find(text, letter).is_some())
        {
            return None;
        }
        for gram in &self.grams {
            self.seen[(gram >> 6) as usize] = 0;
        }
        self.grams.clear();
        let Some((first, rest)) = text.split_at_checked(2) else {
            return Some(&[]);
        };
        let mut last = gram(first);
        for byte in rest {
            last = (last << 8 | u32::from(byte.to_ascii_lowercase())) & (ALL as u32 - 1);
            let (word, bit) = (&mut self.seen[(last >> 6) as usize], 1u64 << (last & 63));
            if *word & bit == 0 {
                *word |= bit;
                self.grams.push(last);
            }
        }
        Some(&self.grams)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(reader: &mut GramReader, text: &str) -> Option<Vec<Gram>> {
        let mut grams = reader.grams(text.as_bytes())?.to_vec();
        grams.sort_unstable();
        Some(grams)
    }

    #[test]
    fn each_gram_is_told_once_and_nothing_of_the_text_before() {
        let mut reader = GramReader::default();
        let abc = gram(b"abc");
        assert_eq!(
            sorted(&mut reader, "ABCabc"),
            Some(vec![abc, gram(b"bca"), gram(b"cab")])
        );
        assert_eq!(sorted(&mut reader, "abc"), Some(vec![abc]));
        assert_eq!(sorted(&mut reader, "ab"), Some(vec![]));
        assert_eq!(sorted(&mut reader, "abc"), Some(vec![abc]));
    }

    #[test]
    fn texts_with_letters_that_fold_to_ascii_are_always_read() {
        let mut reader = GramReader::default();
        assert_eq!(sorted(&mut reader, "273 \u{212a}"), None);
        assert_eq!(sorted(&mut reader, "wa\u{17f}t"), None);
        assert!(sorted(&mut reader, "Größe").is_some());
    }
}
