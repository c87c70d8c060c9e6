//! What is known of the files of a graph in the making, kept so that who is interrupted goes on from there.

/// A file as it is stored.
#[derive(Clone, Copy, Debug)]
pub struct PackedFile<'a> {
    /// Its uses and what they mean.
    pub uses: &'a [u8],
    /// What that rests on.
    pub basis: &'a [u8],
}

/// Keeps what is known of each file, in order, until all is.
pub trait UsesJournal {
    /// Hands over what is kept, from the first file on, as long as `each` says so.
    fn each(&mut self, each: &mut dyn FnMut(PackedFile<'_>) -> bool);

    /// Adds the next file.
    fn add(&mut self, file: PackedFile<'_>);

    /// Lets go of all of it.
    fn clear(&mut self);
}

/// A journal in memory: all files one after the other.
#[derive(Debug, Default)]
pub struct MemoryJournal(Vec<(Vec<u8>, Vec<u8>)>);

impl UsesJournal for MemoryJournal {
    fn each(&mut self, each: &mut dyn FnMut(PackedFile<'_>) -> bool) {
        let mut files = self.0.iter();
        while files
            .next()
            .is_some_and(|(uses, basis)| each(PackedFile { uses, basis }))
        {}
    }

    fn add(&mut self, file: PackedFile<'_>) {
        self.0.push((file.uses.to_vec(), file.basis.to_vec()));
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}
