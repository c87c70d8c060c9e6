//! The questions that resolution, references, imports and dead code ask of a language.
//!
//! What for: a rule is named for the question that it answers, never for who answers yes; branches that
//! ask one question are one rule. What not: no code of one language, which is in the family's file.
//! The rules that each language states beside its grammar ([`NameRules`]) are asked in the same way.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use whyrank_syntax::{Family, FileFacts, Import, NameRules, Reference, Symbol};

use crate::{
    imports::resolve::{ImportResolver, Lead, named::by_path, to_leads},
    input::{
        files::{FileInput, ManifestInput, SymbolId},
        paths,
    },
    resolution::{
        dotted_expression::Step,
        meaning::{Receiver, Resolution, UseSite},
        resolver::Resolver,
        scope::FileScope,
        signature_types::returned,
        type_names::parts_of,
        wanted::Wanted,
    },
};

/// The rules of the languages that see each other's modules. Two are equal if they are of one family.
pub(crate) type Rules = &'static LanguageRules;

/// The answers of a family of languages: its file says those that differ from [`Self::PLAIN`].
pub(crate) struct LanguageRules {
    pub(super) family: Family,

    // ---- Names in a file ----
    /// Endings of files whose private definitions each file has that includes them.
    pub(crate) headers: &'static [&'static str],
    /// An import can give a name of its own to what it brings.
    pub(crate) imports_bind_names: bool,
    /// Names, scopes and uses are understood at all: what nothing uses can be told.
    pub(crate) names_are_known: bool,
    /// Code of any other language may name its definitions, and it may name theirs.
    pub(crate) names_cross_languages: bool,
    /// Sentences may name its definitions, wherever they stand: a query is one.
    pub(crate) sentences_name_it: bool,
    /// The names that code of other languages may have for a definition, beside its own.
    pub(crate) names_elsewhere: fn(&Symbol) -> Vec<String>,
    /// `::name` is sought from the root of all namespaces.
    pub(crate) paths_begin_at_root: bool,
    /// Types and what is called may be written in any case.
    pub(crate) calls_ignore_case: bool,
    /// A constant at the root is one, whatever file defines it.
    pub(crate) root_names_are_global: bool,
    /// A module and a value may bear one name; a use means the value.
    pub(crate) modules_share_names: bool,
    /// Backticks stand around a name, not around a text.
    pub(crate) backticks_quote_names: bool,
    /// Words that begin a path and mean nothing by themselves.
    pub(crate) path_heads: &'static [&'static str],
    /// A bare read may be the key of a literal, which names a field.
    pub(crate) reads_may_be_keys: bool,
    /// `exports.f = …`: the module is an object whose members are its names.
    pub(crate) modules_are_objects: bool,
    /// `this` may be declared as a parameter.
    pub(crate) this_may_be_parameter: bool,
    /// Files that are no modules share their names.
    pub(crate) scripts_share_names: bool,
    /// What a file exports may be one of several files, by the platform.
    pub(crate) exports_have_alternatives: bool,
    /// An import makes a name of the module that imports, too.
    pub(crate) imports_are_names: bool,
    /// Languages of the family in which an import may be meant where no name stands: implicit values.
    pub(crate) imports_may_be_implicit: &'static [&'static str],
    /// The parts of an imported path before its last name are packages, or types.
    pub(crate) imports_name_packages: bool,
    /// An import may give a name to a module as well as to a name in one.
    pub(crate) named_imports_may_be_modules: bool,
    /// The name of a package may stand for its folder before a name.
    pub(crate) packages_qualify_names: bool,
    /// The meaning of a name that nothing stands before, where neither folders nor opened modules have a part
    /// in it.
    pub(crate) free_name: Option<FreeName>,
    /// The meaning of a name that the path before it tells by itself, without a value or a type at its head.
    pub(crate) by_path: fn(&Resolver<'_>, u32, &Reference) -> Option<Resolution>,
    /// Says of functions from outside, by the last name of the path before them, whether they may give what they are
    /// handed or what is wanted of them: a value of any type, and so of the view.
    pub(crate) gives_any_type: fn(&str) -> bool,
    /// The path that an expression begins with, and where it leads.
    pub(crate) by_leading_path: fn(&Resolver<'_>, UseSite, &str) -> Option<LeadingPath>,
    /// Types by a path, which has dots between its parts whatever the text has; an empty list where it tells that
    /// they come from outside.
    pub(crate) type_by_path: fn(&Resolver<'_>, UseSite, &str) -> Option<Vec<SymbolId>>,
    /// The definitions that a name in the path of an import means.
    pub(crate) part_of_import: fn(&Resolver<'_>, u32, &Reference) -> Option<Resolution>,
    /// Definitions of a path whose first name is a module's as well as that of a local in sight.
    pub(crate) past_local: fn(&Resolver<'_>, UseSite, &Reference) -> Option<Vec<SymbolId>>,
    /// The variant of an enum that an import of the place brings by a bare name.
    pub(crate) opened_variant: fn(&Resolver<'_>, UseSite, &str) -> Option<SymbolId>,
    /// Definitions of a name in the namespaces or modules that a place sees.
    pub(crate) in_spaces_around: fn(&Resolver<'_>, UseSite, &str) -> Vec<SymbolId>,
    /// The meaning of a bare name, of its definitions in files that its own opens.
    pub(crate) seen_of_opened: fn(&Resolver<'_>, UseSite, Vec<SymbolId>) -> Resolution,
    /// The namespaces that a file opens for all files.
    pub(crate) shared_spaces: fn(&FileFacts) -> Vec<&str>,
    /// Types of a package or namespace, where a name may say that of its own.
    pub(crate) types_in_space: Option<TypesInSpace>,
    /// Says whether a name that nothing in sight declares comes from outside of the view.
    pub(crate) is_undeclared_external: fn(&Resolver<'_>, u32, &str) -> bool,
    /// The module that the call at the head of an expression loads.
    pub(crate) loaded_by_call: fn(&Resolver<'_>, UseSite, &Step) -> Option<Resolution>,
    /// Says whether a word in the code of a file is a local where no use is recorded.
    pub(crate) unrecorded_words_are_locals: fn(&FileInput<'_>) -> bool,
    /// What a file declares or imports hides what a type inherits.
    pub(crate) scope_hides_inherited: bool,
    /// The other file whose imports serve a file as well.
    pub(crate) imports_of: fn(&Resolver<'_>, u32) -> Option<u32>,
    /// The files that can name a definition.
    pub(crate) visibility: fn(&Resolver<'_>, SymbolId) -> Visibility,
    /// The package that sees a private definition with those inside it, where a head may say one.
    pub(crate) space_of_private: for<'r> fn(&'r Resolver<'_>, SymbolId) -> Option<&'r str>,
    /// Says whether something that is no member can be named behind a dot: by its symbol, where it can be
    /// named, and whether it is called there.
    pub(crate) free_name_follows_dot: fn(&Symbol, Visibility, bool) -> bool,

    // ---- Types and their members ----
    /// A value may be of another type than what is stated or set to it elsewhere says.
    pub(crate) types_are_hints: bool,
    /// A value of any class that has the members of another is one of that, too.
    pub(crate) classes_are_structural: bool,
    /// Of several bases the first that has a member gives it, unless a later one inherits from it.
    pub(crate) bases_are_in_order: bool,
    /// The body of a class runs like a function's: it sees the names of the class that stand before a place.
    pub(crate) class_bodies_are_scopes: bool,
    /// A field gets the value of its declaration as an object is made.
    pub(crate) fields_are_set_when_made: bool,
    /// Bases from outside that call no member of their heirs by a name that these choose.
    pub(crate) plain_bases: &'static [&'static str],
    /// Says whether a member belongs to its type alone: nothing that inherits or is inherited can mean it.
    pub(crate) is_of_type_alone: fn(&Symbol) -> bool,
    /// Types and functions have methods that run when the language calls them: `__call__`, `__new__`.
    pub(crate) has_special_methods: bool,
    /// Setting a member calls a method of its own: `name=`.
    pub(crate) setters_have_names: bool,
    /// Only the code of its own type can name a private member, which no other overrides.
    pub(crate) private_is_own: bool,
    /// The definitions of a name that a receiver can mean, of its members; that of a bare name is the place itself.
    pub(crate) of_receiver: OfReceiver,
    /// A member may be defined outside of its type, under the type's name.
    pub(crate) members_are_defined_outside: bool,
    /// Types of one name differ by how many parameters they take: `Box` and `Box<T>`.
    pub(crate) arity_tells_types: bool,
    /// A type and a function may bear one name.
    pub(crate) types_have_tags: bool,
    /// Languages of the family in which only its tag names such a type.
    pub(crate) types_need_tags: &'static [&'static str],
    /// What a file defines at its top hides what bears the name in a module within the file.
    pub(crate) inner_modules_are_apart: bool,
    /// Languages of the family that tell functions of one name apart by the arguments of a call.
    pub(crate) calls_choose_overloads: &'static [&'static str],
    /// Those of them in which arguments are fitted to a function that they do not fit by number.
    pub(crate) calls_adapt_arguments: &'static [&'static str],
    /// A module lends its functions to the types that mix it in.
    pub(crate) modules_lend_functions: bool,
    /// A type may get members from traits that its own declaration does not name.
    pub(crate) traits_give_members: bool,
    /// A type that is embedded is a field of its own name.
    pub(crate) embedded_types_are_fields: bool,
    /// Members of a type may stand in any file of its package.
    pub(crate) types_span_packages: bool,
    /// A struct without a name has its fields in the definition around it.
    pub(crate) structs_are_anonymous: bool,
    /// A list or a map may be a type under a name of its own.
    pub(crate) lists_have_names: bool,
    /// A `typedef` may name the type that ends on its line.
    pub(crate) typedefs_end_types: bool,
    /// A pointer can be indexed: it is an array.
    pub(crate) pointers_are_arrays: bool,
    /// `Type.new` makes an object of the type.
    pub(crate) types_make_by_new: bool,
    /// The parameters of a class are seen in all of it.
    pub(crate) classes_take_parameters: bool,
    /// An extension is seen where its namespace is.
    pub(crate) extensions_are_in_namespaces: bool,
    /// The type that a call of a bare name makes, by the language or by its library.
    pub(crate) made_by: fn(&str) -> Option<&str>,
    /// A module as a value may be something that it puts into a table.
    pub(crate) default_may_be_owned: bool,
    /// The way in which a type stands inside another.
    pub(crate) inner_types: InnerTypes,
    /// The definitions that the import of a type's own names can give.
    pub(crate) type_exports: TypeExports,
    /// Says whether what has members is a value, and no type beside another of its name.
    pub(crate) is_value: fn(&Symbol) -> bool,
    /// The type that a function extends from outside of it, by the function's head.
    pub(crate) extended_type: fn(&Symbol) -> Option<&str>,
    /// The type whose values get the members of a class: Scala's `implicit class`.
    pub(crate) extended_by_class: fn(&Symbol) -> Option<&str>,
    /// The method that every class of data has, which gives another of the class.
    pub(crate) copied_by: &'static str,
    /// A type may bear the name of a wrapper of the library, and wraps nothing then.
    pub(crate) types_may_be_named_as_wrappers: bool,
    /// A function may run on a value whose members need nothing before them.
    pub(crate) functions_have_receivers: bool,
    /// A member that the type has and one that its objects have may bear one name. Behind a dot alone stands
    /// the name of one that the type has which its place expects.
    pub(crate) statics_stand_apart: bool,
    /// Names behind the dot of a type that mean the type itself, or the one object of it.
    pub(crate) names_of_itself: &'static [&'static str],
    /// Says whether a type is opened here and defined outside of the view; none where types cannot be.
    pub(crate) opens_foreign_type: Option<fn(&Resolver<'_>, SymbolId) -> bool>,
    /// The type that the head of a function says that it returns.
    pub(crate) stated_result: fn(&Symbol) -> Option<&str>,
    /// The types of several results: `a, b = f()`.
    pub(crate) result_parts: fn(&str) -> Vec<&str>,

    // ---- References and heritage ----
    /// A type has an interface by its methods, wherever in the view they stand.
    pub(crate) has_method_sets: bool,
    /// A type's members stand in blocks whose heads name it, and which are no uses of it.
    pub(crate) blocks_name_types: bool,
    /// A member that an heir inherits may fulfil what another base of the heir demands.
    pub(crate) inherited_members_fulfil: bool,
    /// Functions fill the fields of tables.
    pub(crate) tables_hold_functions: bool,
    /// The sign that a member overrides one of a base.
    pub(crate) overriding: Overriding,
    /// Says whether a member can be one that a base from outside asks for, as far as its head says.
    pub(crate) may_fulfil: fn(&Resolver<'_>, SymbolId) -> bool,
    /// Says whether a name in the head of a definition is a base of it.
    pub(crate) is_base: fn(&Symbol, &str) -> bool,
    /// Says whether two definitions of one name in different files are one to their users.
    pub(crate) joins_files: fn(&Resolver<'_>, SymbolId, SymbolId) -> bool,

    // ---- Packages and imports ----
    /// Names of manifests that describe packages; one that begins with a dot ends their names.
    pub(crate) manifests: &'static [&'static str],
    /// The names that a manifest provides to other repositories, by the paths of its own.
    pub(crate) provided_names: fn(&ManifestInput<'_>, &[&str]) -> Vec<String>,
    /// Names that a manifest gives to packages, each with the package's own.
    pub(crate) renamed_packages: fn(&str) -> Vec<(String, String)>,
    /// The files that an import means; none when it is not in the view.
    pub(crate) imported_files: fn(&ImportResolver<'_>, u32, &Import) -> Vec<Lead>,
    /// The text of an import and the paths of the view tell where it leads.
    pub(crate) imports_name_files: bool,
    /// A configuration may give paths another beginning.
    pub(crate) paths_have_aliases: bool,
    /// Another repository may add files to a package.
    pub(crate) packages_span_repositories: bool,
    /// A package that replaces another may keep the name of that one.
    pub(crate) replacements_keep_names: bool,
    /// Imports write `_` for the `-` of a package's name.
    pub(crate) dashes_become_underscores: bool,
    /// Says whether an import that leads to no file may begin at a value in sight, by a file's definitions.
    pub(crate) may_begin_at_value: fn(&[Symbol], &Import) -> bool,
    /// Says whether an import that gives no names shows all names of what it leads to.
    pub(crate) opens_module: fn(&Import) -> bool,
    /// Binds the names that an import gives which neither lists names nor opens what it leads to.
    pub(crate) bind_module: for<'a> fn(&mut FileScope<'a>, &'a Import, Vec<u32>),
    /// The file that is a module of a name inside the module that a file is.
    pub(crate) submodule: fn(&Resolver<'_>, u32, &str) -> Option<u32>,
    /// The name of the package that a file is in, by its path.
    pub(crate) package_name: fn(&str, &FileFacts) -> String,
    /// Says whether users of a package cannot name a file, unless another passes it on.
    pub(crate) is_hidden: fn(&str) -> bool,
    /// Says whether a file stands outside of the package of its folder.
    pub(crate) is_outside_package: fn(&str, &FileFacts) -> bool,

    // ---- Dead code and structure ----
    /// Nothing overrides a private member, nor does it override anything.
    pub(crate) private_is_final: bool,
    /// A value of an enumeration may be made of a number or a text wherever its type stands.
    pub(crate) enums_convert: bool,
    /// Endings of the bases that make the fields of a class the values of an enumeration.
    pub(crate) enum_bases: &'static [&'static str],
    /// A private member may be reached by a text that names it: reflection.
    pub(crate) texts_reach_private: bool,
    /// A macro may do anything with the code that it is given, declaring a module included.
    pub(crate) macros_rewrite_code: bool,
    /// An attribute tells the build whether a definition is there.
    pub(crate) attributes_choose: bool,
    /// Functions stand in types: one at the top of a file that was parsed in part has lost its own.
    pub(crate) functions_stand_in_types: bool,
    /// A constant may count on the one before it.
    pub(crate) constants_count_on: bool,
    /// A test runner may find a member by the type that it belongs to.
    pub(crate) tests_are_members: bool,
    /// The compiler refuses an import that nothing uses.
    pub(crate) unused_imports_are_refused: bool,
    /// Says whether a definition does what it is for by being there, whoever names it: a resource.
    pub(crate) does_by_being_there: fn(&Symbol) -> bool,
    /// A reason why something may reach a definition that no text names, by what lies around it.
    pub(crate) reached_unnamed: fn(&Resolver<'_>, SymbolId) -> Option<String>,
    /// Says whether a file with a `main` makes its package a program, which nobody imports.
    pub(crate) is_program: fn(&Resolver<'_>, u32) -> bool,
    /// The folder of what is compiled as one with a path.
    pub(crate) unit: fn(&str) -> &str,
    /// Names of the functions that something outside starts.
    pub(crate) entry_functions: &'static [&'static str],
    /// A function may make, extend or wrap an object that no class describes.
    pub(crate) functions_build_objects: bool,
    /// Only by its name is a function a factory, whatever it returns.
    pub(crate) factories_need_names: bool,
    /// The head of a method that gives its own object says so.
    pub(crate) results_say_self: bool,
    /// A type is an error if a method says so.
    pub(crate) errors_are_told_by_method: bool,
    /// The definitions of one name between which the build may choose.
    pub(crate) build_choice: BuildChoice,
}

/// Finds types by the file that names them, their package or namespace as it is written, and their name.
pub(crate) type TypesInSpace = fn(&Resolver<'_>, u32, &str, &str) -> Vec<SymbolId>;

/// Finds the meaning of a name where it stands.
pub(crate) type FreeName = fn(&Resolver<'_>, UseSite, &str, Wanted) -> Resolution;

/// Chooses between members by what stands before the name.
pub(crate) type OfReceiver =
    fn(&Resolver<'_>, UseSite, Option<Receiver<'_>>, Vec<SymbolId>) -> Resolution;

/// The path that an expression begins with.
pub(crate) struct LeadingPath {
    pub(crate) meaning: Resolution,
    pub(crate) n_parts: usize,
}

/// The places that can name a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// In its own file.
    File,
    /// In its own file and in those that include it.
    Includers,
    /// In its folder.
    Folder,
    /// In its file and those that make a package with it.
    Package,
    /// In the package that its head says, and those inside that.
    Packages,
    /// In its module and those below.
    Module,
    /// In its crate.
    Crate,
    /// Anywhere.
    Everywhere,
}

/// The way in which a type stands inside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InnerTypes {
    /// In its text.
    InText,
    /// By its qualified name; a module holds types, too.
    ByName,
    /// It is seen everywhere all the same.
    Everywhere,
}

/// The definitions that the import of a type's own names can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeExports {
    Nothing,
    /// The members of enumerations: `use Enum::Variant`.
    EnumMembers,
    /// The members of types at the top of a file: `import static A.f`.
    Members,
}

/// The sign that a member overrides one of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overriding {
    /// Its name, and the word that the language asks for.
    ByWord,
    /// The base's is virtual, or the member says that it overrides.
    Virtual,
    /// Both are called on the type, or both on an object.
    SameReceiver,
}

/// The definitions of one name between which the build may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuildChoice {
    Nothing,
    /// All but members: a linker joins them.
    Linked,
    /// Those of one package that a platform expects or provides.
    Platforms,
    /// Those with like heads in files of one folder.
    Alike,
    /// The same, and any two of one file.
    AlikeOrInFile,
}

impl LanguageRules {
    /// The answers of a family that has nothing of its own.
    pub(super) const PLAIN: Self = Self {
        family: Family::Other,
        headers: &[],
        imports_bind_names: true,
        names_are_known: true,
        names_cross_languages: false,
        sentences_name_it: false,
        names_elsewhere: |_| Vec::new(),
        paths_begin_at_root: false,
        calls_ignore_case: false,
        root_names_are_global: false,
        modules_share_names: false,
        backticks_quote_names: false,
        path_heads: &[],
        reads_may_be_keys: false,
        modules_are_objects: false,
        this_may_be_parameter: false,
        scripts_share_names: false,
        exports_have_alternatives: false,
        imports_are_names: false,
        imports_may_be_implicit: &[],
        imports_name_packages: false,
        named_imports_may_be_modules: false,
        packages_qualify_names: false,
        free_name: None,
        setters_have_names: false,
        private_is_own: false,
        of_receiver: |_, _, _, ids| Resolution::Definitions(ids),
        by_path: |_, _, _| None,
        gives_any_type: |_| false,
        by_leading_path: |_, _, _| None,
        type_by_path: |_, _, _| None,
        part_of_import: |_, _, _| None,
        past_local: |_, _, _| None,
        opened_variant: |_, _, _| None,
        in_spaces_around: |_, _, _| Vec::new(),
        seen_of_opened: |_, _, ids| Resolution::Definitions(ids),
        shared_spaces: |_| Vec::new(),
        types_in_space: None,
        is_undeclared_external: |_, _, _| false,
        loaded_by_call: |_, _, _| None,
        unrecorded_words_are_locals: |_| false,
        scope_hides_inherited: false,
        imports_of: |_, _| None,
        visibility: |_, _| Visibility::Everywhere,
        space_of_private: |_, _| None,
        free_name_follows_dot: |_, _, _| true,
        types_are_hints: false,
        classes_are_structural: false,
        bases_are_in_order: false,
        class_bodies_are_scopes: false,
        fields_are_set_when_made: false,
        plain_bases: &[],
        is_of_type_alone: |_| false,
        has_special_methods: false,
        members_are_defined_outside: false,
        arity_tells_types: false,
        types_have_tags: false,
        types_need_tags: &[],
        inner_modules_are_apart: false,
        calls_choose_overloads: &[],
        calls_adapt_arguments: &[],
        modules_lend_functions: false,
        traits_give_members: false,
        embedded_types_are_fields: false,
        types_span_packages: false,
        structs_are_anonymous: false,
        lists_have_names: false,
        typedefs_end_types: false,
        pointers_are_arrays: false,
        types_make_by_new: false,
        classes_take_parameters: false,
        extensions_are_in_namespaces: false,
        made_by: |_| None,
        default_may_be_owned: true,
        inner_types: InnerTypes::InText,
        type_exports: TypeExports::Nothing,
        is_value: |_| false,
        extended_type: |_| None,
        extended_by_class: |_| None,
        copied_by: "",
        types_may_be_named_as_wrappers: false,
        functions_have_receivers: false,
        statics_stand_apart: false,
        names_of_itself: &[],
        opens_foreign_type: None,
        stated_result: |symbol| returned(&symbol.signature),
        result_parts: parts_of,
        has_method_sets: false,
        blocks_name_types: false,
        inherited_members_fulfil: true,
        tables_hold_functions: false,
        overriding: Overriding::ByWord,
        may_fulfil: |_, _| true,
        is_base: |_, _| true,
        joins_files: |_, _, _| false,
        manifests: &[],
        provided_names: |_, _| Vec::new(),
        renamed_packages: |_| Vec::new(),
        imported_files: |imports, file, import| {
            to_leads(by_path(&imports.places, file, &import.module))
        },
        imports_name_files: false,
        paths_have_aliases: false,
        packages_span_repositories: false,
        replacements_keep_names: false,
        dashes_become_underscores: false,
        may_begin_at_value: |_, _| false,
        opens_module: |_| true,
        bind_module: |_, _, _| {},
        submodule: |_, _, _| None,
        package_name: |path, _| paths::parent(path).to_owned(),
        is_hidden: |_| false,
        is_outside_package: |_, _| false,
        private_is_final: false,
        enums_convert: false,
        enum_bases: &[],
        texts_reach_private: false,
        macros_rewrite_code: false,
        attributes_choose: false,
        functions_stand_in_types: false,
        constants_count_on: false,
        tests_are_members: true,
        unused_imports_are_refused: false,
        does_by_being_there: |_| false,
        reached_unnamed: |_, _| None,
        is_program: |_, _| false,
        unit: paths::parent,
        entry_functions: &["main"],
        functions_build_objects: false,
        factories_need_names: false,
        results_say_self: false,
        errors_are_told_by_method: false,
        build_choice: BuildChoice::Nothing,
    };
}

impl Deref for LanguageRules {
    type Target = NameRules;

    fn deref(&self) -> &NameRules {
        self.family.rules()
    }
}

impl PartialEq for LanguageRules {
    fn eq(&self, other: &Self) -> bool {
        self.family == other.family
    }
}

impl Eq for LanguageRules {}

impl Hash for LanguageRules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.family.hash(state);
    }
}

impl std::fmt::Debug for LanguageRules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.family.fmt(f)
    }
}
