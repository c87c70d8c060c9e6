//! Modules that are paths with dots, and files that are modules by their own name.

use whyrank_syntax::Import;

use crate::{
    input::paths,
    resolution::{
        resolver::Resolver,
        scope::{Binding, Bound, FileScope},
    },
};

/// `import a.b` binds `a`, and is used as `a.b`.
pub(super) fn bind_dotted<'a>(scope: &mut FileScope<'a>, import: &'a Import, files: Vec<u32>) {
    let module = import.module.as_str();
    scope.add(module, Binding::of(import, files, Bound::Module));
    if let Some((head, _)) = module.split_once('.').filter(|(head, _)| !head.is_empty())
        && !scope.bound.contains_key(head)
    {
        scope.add(head, Binding::of(import, Vec::new(), Bound::Module));
    }
}

/// The file itself, where it is the module of a name.
pub(super) fn own_module(resolver: &Resolver<'_>, file: u32, name: &str) -> Option<u32> {
    let path = resolver.view_paths.path(file);
    let base = paths::base_name(paths::without_extension(path));
    let own_name = match base {
        "mod" | "__init__" | "index" => paths::base_name(paths::parent(path)),
        base => base,
    };
    (own_name == name).then_some(file)
}
