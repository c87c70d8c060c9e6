//! Languages that share rules for imports and scopes.

use whyrank_syntax::SymbolKind;

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

    /// A bare name means something only by definition in the file or by an import.
    pub(crate) fn names_are_imported(self) -> bool {
        matches!(
            self,
            Self::Script | Self::Python | Self::Rust | Self::Go | Self::Zig
        )
    }

    /// Inside a type its members are seen without a qualifier.
    pub(crate) fn members_are_in_scope(self) -> bool {
        matches!(
            self,
            Self::Jvm | Self::Native | Self::Ruby | Self::Dotnet | Self::Swift
        )
    }

    /// Files of one folder (of one target, in Swift) see each other.
    pub(crate) fn folder_is_scope(self) -> bool {
        matches!(
            self,
            Self::Go | Self::Jvm | Self::Php | Self::Dotnet | Self::Swift
        )
    }
}

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
