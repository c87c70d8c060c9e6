//! Python: files and folders are modules, and a name with dots may be one.

pub(crate) mod imports;

use whyrank_syntax::Family;

use super::{modules, rules::LanguageRules};
use crate::{input::paths, resolution::resolver::Resolver};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Python,
    imports_are_names: true,
    unrecorded_words_are_locals: |_| true,
    types_are_hints: true,
    plain_bases: &[
        "object",
        "Generic",
        "Protocol",
        "ABC",
        "NamedTuple",
        "TypedDict",
        "Enum",
        "IntEnum",
        "StrEnum",
        "Flag",
        "IntFlag",
        "BaseException",
        "Exception",
        "ValueError",
        "TypeError",
        "RuntimeError",
        "KeyError",
        "OSError",
        "NotImplementedError",
    ],
    enum_bases: &["Enum", "Flag", "Choices"],
    bases_are_in_order: true,
    class_bodies_are_scopes: true,
    has_special_methods: true,
    is_undeclared_external: |_, _, _| true,
    manifests: &["pyproject.toml", "setup.cfg", "setup.py"],
    provided_names: imports::provided_names,
    imported_files: |imports, file, import| imports.python.resolve(&imports.places, file, import),
    opens_module: |_| false,
    bind_module: modules::bind_dotted,
    submodule,
    ..LanguageRules::PLAIN
};

/// A file beside the `__init__` of its folder.
fn submodule(resolver: &Resolver<'_>, file: u32, name: &str) -> Option<u32> {
    let path = resolver.view_paths.path(file);
    let folder = paths::parent(path);
    resolver.lookups.below(folder, name);
    if paths::base_name(paths::without_extension(path)) != "__init__" {
        return None;
    }
    let ends = [format!("{name}.py"), format!("{name}/__init__.py")];
    let mut files = ends.iter().map(|end| paths::join(folder, end));
    files.find_map(|path| resolver.view_paths.file(&path?))
}
