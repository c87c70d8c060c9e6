//! What a name can mean in a language, as data: each language says it in its own file.
//!
//! What for: rules that several languages share are named here, and resolution asks for them by name.
//! What not: what `graph` alone asks of a family is in its folder `languages`.

use crate::family::Family;

/// Where a member can be meant by its bare name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BareMembers {
    /// Where its type is in scope.
    Anywhere,
    /// There, but not to be called.
    Uncalled,
    /// In its own file.
    OwnFile,
    /// Nowhere: a receiver stands before it.
    Nowhere,
}

/// Where a member has to say that it overrides another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverrideWord {
    /// Nowhere.
    Optional,
    /// Unless an interface promises the other.
    OfClasses,
    /// Everywhere.
    Always,
}

/// The rules of a language for names, scopes and types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameRules {
    /// The languages whose modules it sees.
    pub family: Family,
    /// A bare name means something only by definition in the file or by an import.
    pub names_are_imported: bool,
    /// Inside a type its members are seen without a qualifier.
    pub members_are_in_scope: bool,
    /// Files of one folder (of one target, in Swift) see each other.
    pub folder_is_scope: bool,
    /// What a module exports may be one value: `module.exports = f`, `return M`.
    pub modules_are_values: bool,
    /// A file is a module inside the module of its folder.
    pub files_are_submodules: bool,
    /// A name with dots may be a module: `os.path.join`.
    pub modules_have_dots: bool,
    /// A namespace or module is declared in files, and no path says which.
    pub namespaces_span_files: bool,
    /// Several declarations make one type: reopened classes, partial classes, extensions.
    pub types_are_reopened: bool,
    /// A type has an interface by its members alone.
    pub interfaces_are_structural: bool,
    /// Functions of one name are told apart by their parameters.
    pub has_overloads: bool,
    /// A field may override a method, and a method a field.
    pub fields_stand_in_for_methods: bool,
    /// A constructor may be called through that of a base.
    pub constructors_are_overridden: bool,
    /// Library types wrap a value and give it by a method: `unwrap`, `get`, `value`.
    pub has_value_wrappers: bool,
    /// Wrappers and scope functions hand the value to a function: `map`, `let`.
    pub wrappers_hand_over: bool,
    /// A function may extend a type from outside of it.
    pub extends_from_outside: bool,
    /// The type of a result stands before the name.
    pub results_stand_first: bool,
    /// Heads of functions run only when they are called: their lines in coverage count.
    pub heads_are_code: bool,
    /// A file may be run as it is.
    pub files_are_scripts: bool,
    /// A function returns what its last expression is.
    pub last_value_is_result: bool,
    /// Types, functions and constants may bear one name, and so may members of different kinds: the place of a
    /// use says which kind it means.
    pub kinds_are_apart: bool,
    /// Objects are made by `new Type(…)`.
    pub makes_with_new: bool,
    /// Where a member can be meant by its bare name.
    pub bare_members: BareMembers,
    /// A function that is named without brackets is not meant.
    pub functions_need_brackets: bool,
    /// What a field or a parameter holds is up to anyone who sets it.
    pub values_are_untyped: bool,
    /// A local may be set to values of any type, one after the other.
    pub locals_are_untyped: bool,
    /// A function makes an object of its own: `new F()`.
    pub functions_make_objects: bool,
    /// A member may override one of a base type.
    pub members_are_overridden: bool,
    /// A base may read a constant of the class that its heirs define anew.
    pub constants_are_overridden: bool,
    /// Where a member has to say `override`.
    pub override_word: OverrideWord,
    /// A base may ask its heirs for a type that stands in them.
    pub bases_ask_for_types: bool,
    /// Heads of members have words such as `override` and `virtual`.
    pub heads_have_modifiers: bool,
    /// Objects have members without a type: properties of a literal, assigned ones.
    pub objects_have_members: bool,
    /// Members may be of a class that has no name.
    pub classes_are_anonymous: bool,
    /// Functions need no import: a linker finds them.
    pub functions_are_linked: bool,
    /// Types need no import: their namespace spans files.
    pub types_are_linked: bool,
    /// Users of a package may name any of its files.
    pub files_are_public: bool,
    /// What follows the name of a class where an object is made without `new`.
    pub made_by: &'static [&'static str],
    /// A function `main` starts a program.
    pub main_starts_programs: bool,
    /// Functions outside of types that the runtime calls when a file is loaded.
    pub load_functions: &'static [&'static str],
    /// Stems of files that are started by the name of their folder.
    pub program_files: &'static [&'static str],
    /// Only names that begin with a capital letter are seen outside of their package.
    pub capitals_are_exported: bool,
    /// It has no grammar here and is read line by line: what a place of a name means is a guess.
    pub is_read_by_lines: bool,
    /// Its methods are called under other names too, from other languages (`initWithTarget:` as `init(target:)`).
    pub methods_have_other_names: bool,
    /// Programs are machine code: their functions show in profiles under their own names.
    pub is_machine_code: bool,
    /// A framework may find a class by what it inherits from.
    pub classes_are_found_by_base: bool,
    /// A check or a cast may narrow a value to a subtype that no text names.
    pub values_are_narrowed: bool,
    /// Types may get members from places that the view does not show.
    pub types_are_open: bool,
    /// What joins the name of a package to the rest of an imported path; `None` where other
    /// repositories do not import packages by a name of their own.
    pub package_joint: Option<char>,
    /// Opening a module in a file that users see shows them what is opened.
    pub opened_names_are_shown: bool,
    /// Words of which the head of what users of a package see has one; none where no word is needed.
    pub shown_by: &'static [&'static str],
    /// An import gives names to its own file: who imports from that file does not get them.
    pub imports_are_private: bool,
    /// Unless it says otherwise: `@_exported import`.
    pub imports_may_be_public: bool,
    /// A type of parts is written with its outer types: `Outer.Inner` in a head.
    pub heads_name_outer_types: bool,
    /// What comes before the names of variables.
    pub sigil: &'static str,
    /// What before the name of a property means what wraps it.
    pub projection: &'static str,
    /// The ending that a mark may leave out of the name of its type: `[Color]` for `ColorAttribute`.
    pub mark_ending: &'static str,
    /// The word for what the type around inherits, beside `super`.
    pub base_word: &'static str,
    /// What paths into the language's own library begin with.
    pub library_roots: &'static [&'static str],
    /// Its attributes that only describe what they stand at: none hands it to anyone.
    pub describing: &'static [&'static str],
    /// Names that are called without being named, and by whom; one that ends in `_` is a beginning, `*` stands
    /// for letters.
    pub called_by_name: &'static [(&'static str, &'static str)],
    /// Names of members that the types of the language's own library have, apart by blanks: with
    /// nothing known of what comes before the dot, such a name speaks for no definition of the view.
    pub library_names: &'static str,
}

impl NameRules {
    /// No rule holds.
    pub const NONE: Self = Self {
        family: Family::Other,
        names_are_imported: false,
        members_are_in_scope: false,
        folder_is_scope: false,
        modules_are_values: false,
        files_are_submodules: false,
        modules_have_dots: false,
        namespaces_span_files: false,
        types_are_reopened: false,
        interfaces_are_structural: false,
        has_overloads: false,
        fields_stand_in_for_methods: false,
        constructors_are_overridden: false,
        has_value_wrappers: false,
        wrappers_hand_over: false,
        extends_from_outside: false,
        results_stand_first: false,
        heads_are_code: false,
        files_are_scripts: false,
        last_value_is_result: false,
        kinds_are_apart: false,
        makes_with_new: false,
        bare_members: BareMembers::Anywhere,
        functions_need_brackets: false,
        values_are_untyped: false,
        locals_are_untyped: false,
        functions_make_objects: false,
        members_are_overridden: true,
        constants_are_overridden: false,
        override_word: OverrideWord::Optional,
        bases_ask_for_types: false,
        heads_have_modifiers: true,
        objects_have_members: false,
        classes_are_anonymous: false,
        functions_are_linked: false,
        types_are_linked: false,
        files_are_public: true,
        made_by: &["("],
        main_starts_programs: false,
        load_functions: &[],
        program_files: &[],
        capitals_are_exported: false,
        is_read_by_lines: false,
        methods_have_other_names: false,
        is_machine_code: false,
        classes_are_found_by_base: true,
        values_are_narrowed: true,
        types_are_open: false,
        package_joint: None,
        opened_names_are_shown: false,
        shown_by: &[],
        imports_are_private: false,
        imports_may_be_public: false,
        heads_name_outer_types: false,
        sigil: "",
        projection: "",
        mark_ending: "",
        base_word: "super",
        library_roots: &[],
        describing: &[],
        called_by_name: &[],
        library_names: "",
    };

    /// The name of a property, of what wraps it too: `$count` uses `count`.
    pub(crate) fn without_projection<'n>(&self, name: &'n str) -> &'n str {
        let bare = name.strip_prefix(self.projection).unwrap_or(name);
        if bare.starts_with(|c: char| c.is_ascii_digit()) {
            name
        } else {
            bare
        }
    }

    /// A type is seen only in its file, its package or where an import gives it.
    pub fn types_are_imported(&self) -> bool {
        !self.types_are_linked
            && (self.names_are_imported || self.folder_is_scope || self.family == Family::Native)
    }
}
