//! What the names of one file mean in it: names that imports bind, modules that they open.

use rustc_hash::FxHashMap;
use whyrank_syntax::{Import, Reference};

/// The names of a file.
pub(crate) struct FileScope<'a> {
    pub(crate) bound: FxHashMap<&'a str, Vec<Binding<'a>>>,
    /// Modules whose names are all visible.
    pub(crate) open: Vec<u32>,
    /// Those among them that are opened for whoever opens the file.
    pub(crate) passed_on: Vec<u32>,
    /// Names that the file gives to whoever imports it, with the files that they are of.
    pub(crate) passed_by_name: FxHashMap<&'a str, Vec<u32>>,
    /// Names that an import or an export of all others leaves out.
    pub(crate) left_out: Vec<&'a str>,
    /// The uses of types as bases, by the definition around them.
    pub(crate) inherits: FxHashMap<u32, Vec<&'a Reference>>,
    /// Those in the heads of `impl` blocks, by the name of the type.
    pub(crate) inherits_by_impl: FxHashMap<&'a str, Vec<&'a Reference>>,
    /// Something is opened that is not in the view.
    pub(crate) open_external: bool,
    /// Local names that say what they hold, by name.
    pub(crate) locals: FxHashMap<&'a str, Vec<u32>>,
    /// Fields set through the object itself, by name.
    pub(crate) fields: FxHashMap<&'a str, Vec<u32>>,
    /// Values of variables of the file and its classes beside the lines that define them, by name.
    pub(crate) settings: FxHashMap<&'a str, Vec<u32>>,
    /// The decorators of its definitions.
    pub(crate) decorators: Vec<&'a Reference>,
    /// What functions return whose heads do not say it, by function.
    pub(crate) returns: FxHashMap<u32, Vec<u32>>,
    /// The namespaces that the file declares.
    pub(crate) spaces: Vec<&'a str>,
}

/// What an import binds a name to; no files: not in the view.
#[derive(Clone, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) files: Vec<u32>,
    pub(crate) what: Bound<'a>,
    pub(crate) line: u32,
    /// The last part of the path that the import writes before the name.
    pub(crate) owner: &'a str,
    /// It leads to a file of the view that is not there: moved, not written yet, made by a build.
    pub(crate) is_lost: bool,
}

impl<'a> Binding<'a> {
    /// What an import binds a name to, by the files that it leads to.
    pub(crate) fn of(import: &'a Import, files: Vec<u32>, what: Bound<'a>) -> Self {
        Self {
            is_lost: files.is_empty() && names_own_file(import),
            files,
            what,
            line: import.line,
            owner: import.module.rsplit('.').next().unwrap_or_default(),
        }
    }
}

/// The part of a module that a name is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bound<'a> {
    /// The module itself.
    Module,
    /// What the module is as a value: `module.exports`, a default export.
    Default,
    /// A name in it.
    Name(&'a str),
}

impl<'a> FileScope<'a> {
    /// Says whether an import gives a name that leads nowhere, though it names a file beside it.
    pub(crate) fn is_lost(&self, name: &str) -> bool {
        let bindings = self.bound.get(name).into_iter().flatten();
        bindings.into_iter().any(|binding| binding.is_lost)
    }

    pub(crate) fn add(&mut self, local: &'a str, binding: Binding<'a>) {
        self.bound.entry(local).or_default().push(binding);
    }
}

/// Says whether an import names a file beside it, or one by an alias that is no name of a package: no library
/// can give it.
fn names_own_file(import: &Import) -> bool {
    import.module.starts_with(['.', '$', '~', '#']) || import.module.starts_with("@/")
}
