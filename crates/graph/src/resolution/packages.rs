//! Files that share their names without an import.

use crate::resolution::resolver::Resolver;

impl Resolver<'_> {
    /// The package of a file, as a number.
    pub(crate) fn package(&self, file: u32) -> Option<u32> {
        self.graph.packages().of(file)
    }

    /// Says whether two files see each other without an import.
    pub(crate) fn same_package(&self, left: u32, right: u32) -> bool {
        let left = self.package(left);
        left.is_some() && left == self.package(right)
    }
}
