//! Long lists of numbers: in memory, or in sections of a file that is mapped and read where it is asked for.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// Sections of bytes that lie outside of memory until they are read. Little endian.
pub trait Sections: Debug + Send + Sync {
    /// Bytes of a section; 0 for one that is not there.
    fn len_of(&self, section: usize) -> usize;

    /// Some bytes of a section; `None` where they are damaged or not there, which
    /// [`Sections::met_damage`] says from then on.
    fn bytes(&self, section: usize, range: Range<usize>) -> Option<&[u8]>;

    /// Says whether something could not be read: what was made of it must not be used.
    fn met_damage(&self) -> bool;
}

/// A list of numbers.
#[derive(Clone, Debug)]
pub(crate) enum Numbers<T> {
    Owned(Vec<T>),
    Mapped(Arc<dyn Sections>, usize),
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self::Owned(Vec::new())
    }
}

impl<T: bytemuck::Pod> Numbers<T> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Owned(numbers) => numbers.len(),
            Self::Mapped(file, section) => file.len_of(*section) / size_of::<T>(),
        }
    }

    /// Some of them; none where there are no such, or they cannot be read.
    pub(crate) fn get(&self, range: Range<usize>) -> &[T] {
        let found = match self {
            Self::Owned(numbers) => numbers.get(range),
            Self::Mapped(file, section) => {
                let bytes = range.start * size_of::<T>()..range.end * size_of::<T>();
                let bytes = file.bytes(*section, bytes);
                bytes.and_then(|bytes| bytemuck::try_cast_slice(bytes).ok())
            }
        };
        found.unwrap_or(&[])
    }

    pub(crate) fn at(&self, index: usize) -> Option<T> {
        self.get(index..index + 1).first().copied()
    }

    pub(crate) fn all(&self) -> &[T] {
        self.get(0..self.len())
    }

    /// To change them: those of a file are read first.
    pub(crate) fn make_mut(&mut self) -> &mut Vec<T> {
        if let Self::Mapped(..) = self {
            *self = Self::Owned(self.all().to_vec());
        }
        match self {
            Self::Owned(numbers) => numbers,
            Self::Mapped(..) => unreachable!("they were read above"),
        }
    }
}

impl<T: bytemuck::Pod + PartialEq> PartialEq for Numbers<T> {
    fn eq(&self, other: &Self) -> bool {
        self.all() == other.all()
    }
}
