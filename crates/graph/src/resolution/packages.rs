//! Files that share their names without an import: packages, as folders and heads of files tell them.

use whyrank_syntax::{Local, OUTER_PACKAGE};

use crate::{
    input::{family::Family, paths},
    resolution::resolver::Resolver,
};

/// What tells a package from others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Package<'a> {
    pub(crate) family: Family,
    pub(crate) folder: &'a str,
    /// Go: it tests the one of its folder from outside.
    pub(crate) is_outer: bool,
}

impl<'a> Resolver<'a> {
    /// What tells a file's package from others.
    pub(crate) fn package(&self, file: u32) -> Option<Package<'a>> {
        let family = self.family(file);
        let path = self.view_paths.path(file);
        family.rules().folder_is_scope.then(|| Package {
            family,
            folder: package_of(family, path),
            is_outer: self.is_outer(file),
        })
    }

    /// Says whether two files see each other without an import.
    pub(crate) fn same_package(&self, left: u32, right: u32) -> bool {
        let family = self.family(left);
        family == self.family(right)
            && family.rules().folder_is_scope
            && package_of(family, self.view_paths.path(left))
                == package_of(family, self.view_paths.path(right))
            && self.is_outer(left) == self.is_outer(right)
    }

    /// Go: says whether a file tests the package of its folder from outside.
    fn is_outer(&self, file: u32) -> bool {
        let input = &self.files[file as usize];
        let is_test = input.language == "go" && input.path.ends_with("_test.go");
        let says = |local: &Local| local.name == OUTER_PACKAGE;
        is_test && input.facts().locals.iter().any(says)
    }
}

/// The folder as a package: what follows `java/`, `kotlin/` or `scala/`, so that tests are inside.
fn package_of(family: Family, path: &str) -> &str {
    let folder = paths::parent(path);
    if family == Family::Swift {
        // A target is a folder of `Sources`; an app without it is one module.
        let at = path.find("Sources/").map(|at| at + "Sources/".len());
        let end = at.and_then(|at| Some(at + path[at..].find('/')?));
        return end.map_or("", |end| &path[..end]);
    }
    if family != Family::Jvm {
        return folder;
    }
    ["java/", "kotlin/", "scala/"]
        .iter()
        .find_map(|root| folder.rfind(root).map(|at| &folder[at + root.len()..]))
        .unwrap_or(folder)
}
