//! The grams of a view: which of its files a pattern can match in.

use super::segment::Segment;
use super::{open_all, remove_damaged};
use crate::error::Result;
use crate::names::blob_start;
use roaring::RoaringBitmap;
use std::collections::HashMap;
use std::path::Path;
use whyrank_grams::{Gram, GramQuery};
use whyrank_source::BlobId;

/// No segment has the content.
const NONE: u32 = u32::MAX;

/// The grams of a view's files, as far as segments have them.
#[derive(Debug)]
pub struct ViewGrams {
    segments: Vec<Segment>,
    /// Segment and content of each file.
    places: Vec<FilePlace>,
}

#[derive(Clone, Copy, Debug)]
struct FilePlace {
    segment: u32,
    content: u32,
}

impl ViewGrams {
    /// Opens the grams of a view's files, in the order that they are given in.
    pub(crate) fn open(folder: &Path, files: &[(i64, BlobId)]) -> Self {
        let segments: Vec<Segment> = open_all(folder)
            .into_iter()
            .map(|(_, segment)| segment)
            .collect();
        let mut by_content: HashMap<i64, Vec<u32>> = HashMap::with_capacity(files.len());
        for (file, (content_id, _)) in (0u32..).zip(files) {
            by_content.entry(*content_id).or_default().push(file);
        }
        let nowhere = FilePlace {
            segment: NONE,
            content: NONE,
        };
        let mut places = vec![nowhere; files.len()];
        // What two segments have is read from the newer.
        for (number, segment) in segments.iter().enumerate().rev() {
            for (content, entry) in (0u32..).zip(segment.contents()) {
                let of_content = by_content.get(&entry.content_id).into_iter().flatten();
                for file in of_content {
                    let is_it = entry.blob == blob_start(files[*file as usize].1);
                    if is_it && entry.is_known {
                        places[*file as usize] = FilePlace {
                            segment: number as u32,
                            content,
                        };
                    }
                }
            }
        }
        Self { segments, places }
    }

    /// Says whether a file's text is its bytes: nothing was struck out of it.
    pub fn knows(&self, file: u32) -> bool {
        let place = self.places.get(file as usize);
        place.is_some_and(|place| place.segment != NONE)
    }

    /// Returns the files that may hold what is asked for: all but those that are known not to. A damaged segment
    /// knows nothing, and is taken away.
    pub fn candidates(&self, query: &GramQuery) -> RoaringBitmap {
        let parts: Vec<Option<RoaringBitmap>> = self
            .segments
            .iter()
            .map(|segment| {
                let contents = Answer::of(query, segment);
                let contents = contents.inspect_err(|error| remove_damaged(segment.path(), error));
                contents.ok().and_then(Answer::contents)
            })
            .collect();
        let may_hold = |place: &FilePlace| match parts.get(place.segment as usize) {
            Some(Some(contents)) => contents.contains(place.content),
            _ => true,
        };
        let files = (0u32..).zip(&self.places);
        files
            .filter(|(_, place)| may_hold(place))
            .map(|(file, _)| file)
            .collect()
    }
}

/// The contents of a segment that may hold something.
enum Answer {
    All,
    These(RoaringBitmap),
}

impl Answer {
    fn of(query: &GramQuery, segment: &Segment) -> Result<Self> {
        Ok(match query {
            GramQuery::Any => Self::All,
            GramQuery::Gram(gram) => Self::These(with(segment, *gram)?),
            GramQuery::All(parts) => {
                let mut answer = Self::All;
                for part in parts {
                    answer = answer.and(Self::of(part, segment)?);
                    if answer.is_nothing() {
                        break;
                    }
                }
                answer
            }
            GramQuery::OneOf(parts) => {
                let mut answer = RoaringBitmap::new();
                for part in parts {
                    match Self::of(part, segment)? {
                        Self::All => return Ok(Self::All),
                        Self::These(contents) => answer |= contents,
                    }
                }
                Self::These(answer)
            }
        })
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, other) | (other, Self::All) => other,
            (Self::These(some), Self::These(others)) => Self::These(some & others),
        }
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Self::These(contents) if contents.is_empty())
    }

    fn contents(self) -> Option<RoaringBitmap> {
        match self {
            Self::All => None,
            Self::These(contents) => Some(contents),
        }
    }
}

fn with(segment: &Segment, gram: Gram) -> Result<RoaringBitmap> {
    let mut rising = Vec::new();
    segment.contents_with(gram, |content| rising.push(content))?;
    let sorted = RoaringBitmap::from_sorted_iter(rising);
    Ok(sorted.unwrap_or_default())
}
