//! Languages that share rules for imports and scopes.

use std::sync::OnceLock;

use whyrank_syntax::{NameRules, SymbolKind, name_rules};

/// Languages that see each other's modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Family {
    Script,
    Python,
    Go,
    Rust,
    Jvm,
    Native,
    Ruby,
    Php,
    Dotnet,
    Lua,
    Elixir,
    Haskell,
    Zig,
    Swift,
    Other,
}

impl Family {
    pub(crate) fn of(language: &str) -> Self {
        match language {
            "typescript" | "tsx" | "javascript" | "jsx" | "vue" | "svelte" => Self::Script,
            "python" => Self::Python,
            "go" => Self::Go,
            "rust" => Self::Rust,
            "java" | "kotlin" | "scala" | "groovy" => Self::Jvm,
            "c" | "cpp" | "c++" | "objc" | "objective-c" | "cuda" => Self::Native,
            "ruby" => Self::Ruby,
            "php" => Self::Php,
            "csharp" | "c_sharp" | "c-sharp" | "c#" => Self::Dotnet,
            "lua" => Self::Lua,
            "elixir" => Self::Elixir,
            "haskell" => Self::Haskell,
            "zig" => Self::Zig,
            "swift" => Self::Swift,
            _ => Self::Other,
        }
    }

    /// How many there are.
    pub(crate) const N: usize = Self::Other as usize + 1;

    /// What a name can mean, as the languages say; they agree within a family.
    pub(crate) fn rules(self) -> &'static NameRules {
        static RULES: OnceLock<[&NameRules; Family::N]> = OnceLock::new();
        let rules = || LANGUAGES.map(name_rules);
        RULES.get_or_init(rules)[self as usize]
    }
}

/// A language of each family, in their order.
const LANGUAGES: [&str; Family::N] = [
    "javascript",
    "python",
    "go",
    "rust",
    "java",
    "c",
    "ruby",
    "php",
    "csharp",
    "lua",
    "elixir",
    "haskell",
    "zig",
    "swift",
    "",
];

/// Says whether a definition of this kind belongs to a type.
pub(crate) fn is_member(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Method
            | SymbolKind::Constructor
            | SymbolKind::Field
            | SymbolKind::EnumMember
            | SymbolKind::Property
    )
}

/// Says whether a definition of this kind has members.
pub(crate) fn has_members(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Enum
            | SymbolKind::Interface
            | SymbolKind::Trait
            | SymbolKind::Impl
            | SymbolKind::TypeAlias
    )
}

#[cfg(test)]
mod tests {
    use super::{Family, LANGUAGES};
    use whyrank_syntax::{NameRules, OverrideWord, name_rules};

    #[test]
    fn languages_of_a_family_agree_on_names() {
        for (family, language) in LANGUAGES.iter().enumerate() {
            assert_eq!(Family::of(language) as usize, family, "{language}");
        }
        let shared = |language: &str| NameRules {
            last_value_is_result: false,
            makes_with_new: false,
            functions_need_brackets: false,
            override_word: OverrideWord::Optional,
            values_are_untyped: false,
            ..*name_rules(language)
        };
        for language in [
            "typescript",
            "tsx",
            "vue",
            "svelte",
            "kotlin",
            "scala",
            "groovy",
            "cpp",
            "objc",
        ] {
            let first = LANGUAGES[Family::of(language) as usize];
            assert_eq!(shared(language), shared(first), "{language}");
        }
    }
}
