//! Corrections of texts that the grammars cannot read, or read otherwise than compilers do: bytes are blanked or
//! replaced so that positions stay, and the result is kept where it has fewer errors.
//!
//! A language's corrections are one file here. Where nothing helps, `fallback` finds definitions by patterns.

mod asi;
mod c_family;
mod csharp_branches;
mod errors;
mod kotlin_heads;
mod macro_items;
pub(crate) mod macros;
mod php_text;
mod swift_marks;

use tree_sitter::Tree;

use crate::blanked::Blanked;
use crate::language::Language;
use crate::tables::IndexedSpec;

/// The tree of a second reading where the first one shows that the text has to be read otherwise.
pub(crate) fn read_again(
    source: &str,
    tree: Tree,
    blanked: Option<Blanked>,
    language: Language,
    IndexedSpec { spec, tables }: IndexedSpec,
) -> (Tree, Option<Blanked>) {
    match language.name() {
        "c" | "cpp" => c_family::corrected(source, tree, blanked, spec, tables),
        "rust" => match macro_items::read_again(source, &tree, tables) {
            Some((again, blanked)) => (again, Some(blanked)),
            None => (tree, blanked),
        },
        name => {
            let again = match name {
                "kotlin" => kotlin_heads::read_again(source, &tree, tables),
                "csharp" => csharp_branches::read_again(source, &tree, tables),
                "php" => php_text::read_again(source, &tree, tables),
                "swift" => swift_marks::read_again(source, &tree, tables),
                "typescript" | "tsx" => asi::read_again(source, &tree, tables),
                _ => None,
            };
            (again.unwrap_or(tree), blanked)
        }
    }
}
