//! The files that an import leads to, and the paths that it writes.

use whyrank_syntax::Import;

/// A file that an import means; `name_idx` when one of its names is that file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lead {
    pub(crate) file: u32,
    pub(crate) name_idx: Option<u32>,
}

impl Lead {
    pub(crate) fn to(file: u32) -> Self {
        Self {
            file,
            name_idx: None,
        }
    }
}

pub(crate) fn to_leads(files: impl IntoIterator<Item = u32>) -> Vec<Lead> {
    files.into_iter().map(Lead::to).collect()
}

/// The dotted paths that an import names: the module, and the module with each name added.
pub(crate) fn full_paths<'a>(
    import: &'a Import,
    separator: &'a str,
) -> Vec<(Vec<&'a str>, Option<u32>)> {
    let module: Vec<&str> = split(&import.module, separator).collect();
    if import.names.is_empty() {
        return vec![(module, None)];
    }
    let with_name = |(idx, name): (u32, &'a whyrank_syntax::ImportedName)| {
        let mut path = module.clone();
        let parts: Vec<&str> = split(&name.name, separator).collect();
        if !path.ends_with(&parts) {
            path.extend(parts);
        }
        (path, Some(idx))
    };
    (0u32..).zip(&import.names).map(with_name).collect()
}

pub(crate) fn split<'a>(path: &'a str, separator: &'a str) -> impl Iterator<Item = &'a str> {
    path.split(separator)
        .map(str::trim)
        .filter(|part| !part.is_empty())
}
