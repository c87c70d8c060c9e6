//! Rules on the places that bear a definition's name.

use whyrank_syntax::{
    BareMembers, IN_TEXT, Language, Reference, SymbolKind, WordJoint, WordPlace, name_rules,
};

use crate::{
    analysis::{
        mentions::{Mention, MentionFile, word_of},
        proof::{Proof, file_of},
        ruling::{RuledPlace, Ruling},
    },
    input::{
        files::{FileInput, SymbolId},
        paths,
    },
    languages::{
        BuildChoice, Rules,
        visibility::{Visibility, says},
    },
    references::reference_query::is_naming,
    resolution::resolver::{Resolution, Resolver, UseSite},
};

/// One definition, asked about.
pub(crate) struct ReachQuestion<'q, 'u, 'a> {
    pub(super) proof: &'q Proof<'u, 'a>,
    pub(super) id: SymbolId,
    word: &'q str,
    visibility: Visibility,
    /// The definition with its overloads and its declaration.
    same: &'q [SymbolId],
}

impl<'q, 'u, 'a> ReachQuestion<'q, 'u, 'a> {
    /// `same`: the definition with its overloads and its declaration. None for a name that is no word.
    pub(crate) fn new(
        proof: &'q Proof<'u, 'a>,
        id: SymbolId,
        same: &'q [SymbolId],
    ) -> Option<Self> {
        let resolver = &proof.uses.resolver;
        Some(Self {
            word: word_of(&resolver.symbol(id).name)?,
            visibility: (resolver.rules(id.file).visibility)(resolver, id),
            proof,
            id,
            same,
        })
    }

    /// The word that is looked for.
    pub(crate) fn word(&self) -> &str {
        self.word
    }

    pub(super) fn resolver(&self) -> &Resolver<'a> {
        &self.proof.uses.resolver
    }

    pub(super) fn rules(&self) -> Rules {
        self.resolver().rules(self.id.file)
    }

    /// Rules on a place. `is_first`: no place of its line was ruled on before.
    pub(crate) fn rule(&self, mention: &Mention, is_first: bool) -> RuledPlace {
        let file = match &mention.file {
            MentionFile::Indexed(file) => *file,
            MentionFile::LeftOut(path) => return self.left_out(path, mention.line),
        };
        let ruled = |within, ruling| RuledPlace {
            file: mention.file.clone(),
            line: mention.line,
            within,
            ruling,
        };
        // First of all, as it costs least: what a file's names mean is not read where none can be meant.
        let is_seen = self.visibility.has(self.resolver(), self.id, file);
        if !is_seen && !self.writes_code(file) && !self.may_be_reflected(file, mention) {
            return ruled(Vec::new(), Ruling::OutOfReach);
        }
        let fact = self.proof.fact(file, mention, self.word);
        let within = match fact.and_then(|fact| fact.enclosing) {
            Some(symbol) => self.proof.around(Some(SymbolId { file, symbol })),
            None => self.proof.around_line(file, mention.line),
        };
        let may_define = fact.is_none() && is_first;
        let ruling = self
            .across_languages(file, mention)
            .or_else(|| match may_define {
                true => self.defining(file, mention.line),
                false => None,
            })
            .unwrap_or_else(|| self.ruling(file, mention, fact, &within));
        let ruling = match ruling {
            open if open.is_open() && self.is_own(&within) => Ruling::Own,
            ruling => ruling,
        };
        ruled(within, ruling)
    }

    fn left_out(&self, path: &str, line: u32) -> RuledPlace {
        let reaches = self.visibility.has_path(self.resolver(), self.id, path);
        let why = reaches.then(|| format!("named at {path}:{line}, not indexed"));
        RuledPlace {
            file: MentionFile::LeftOut(path.to_owned()),
            line,
            within: Vec::new(),
            ruling: Ruling::unsettled_or(why.as_deref(), Ruling::OutOfReach),
        }
    }

    fn ruling(
        &self,
        file: u32,
        mention: &Mention,
        fact: Option<&'a Reference>,
        within: &[SymbolId],
    ) -> Ruling {
        if self.is_a_guess(file, mention) {
            return Ruling::Unsettled(self.read_by_lines(file));
        }
        match fact.filter(|fact| !fact.qualifier.starts_with(IN_TEXT)) {
            Some(fact) => self.by_meaning(file, mention, fact),
            None => self.by_look(file, mention, within),
        }
    }

    /// The ruling on code of another language, where one of the two may name what the other defines, whatever else
    /// bears the name: what is generated of a definition stands for it.
    fn across_languages(&self, file: u32, mention: &Mention) -> Option<Ruling> {
        let (own, its) = (self.rules(), self.resolver().rules(file));
        let may_cross = own != its
            && own.names_are_known
            && its.names_are_known
            && (own.names_cross_languages || its.names_cross_languages);
        may_cross.then(|| in_other_language(own, mention, "named in another language at"))
    }

    /// Says whether what a place means would be a guess: its file or that of the definition is read line by
    /// line, so that even the definition's own end is one.
    fn is_a_guess(&self, file: u32, mention: &Mention) -> bool {
        let is_read_by_lines =
            |file: u32| name_rules(self.resolver().files[file as usize].language).is_read_by_lines;
        let is_code = matches!(mention.place, WordPlace::Code | WordPlace::Text);
        let names_are_known = self.resolver().rules(file).names_are_known;
        is_code && names_are_known && (is_read_by_lines(self.id.file) || is_read_by_lines(file))
    }

    fn read_by_lines(&self, file: u32) -> String {
        let of = |file: u32| self.resolver().files[file as usize].language;
        let language = match name_rules(of(file)).is_read_by_lines {
            true => of(file),
            false => of(self.id.file),
        };
        format!("{language} is read line by line, and names it at")
    }

    /// The ruling on a line that defines something of this name: the definition asked for, or another.
    fn defining(&self, file: u32, line: u32) -> Option<Ruling> {
        let symbols = self.resolver().files[file as usize].symbols();
        let lines = self.proof.lines(file);
        let named = lines.named(line).iter().copied();
        let mut named = named.filter(|at| word_of(&symbols[*at as usize].name) == Some(self.word));
        let is_own = |symbol: u32| self.same.contains(&SymbolId { file, symbol });
        let first = named.next()?;
        Some(match is_own(first) || named.any(is_own) {
            true => Ruling::Own,
            false => Ruling::Defines,
        })
    }

    /// Says whether a text may name a private member for reflection: whole, and not in a sentence.
    fn may_be_reflected(&self, file: u32, mention: &Mention) -> bool {
        self.rules().texts_reach_private
            && self.rules() == self.resolver().rules(file)
            && mention.place == WordPlace::Text
            && self.is_member_like()
    }

    /// Says whether a place lies in the definition itself: its body, and for a type what belongs to it.
    fn is_own(&self, within: &[SymbolId]) -> bool {
        let resolver = self.resolver();
        let symbol = resolver.symbol(self.id);
        let is_type = symbol.kind.has_members();
        let is_near = |other: u32| {
            other == self.id.file
                || resolver.same_package(other, self.id.file)
                || Visibility::Crate.has(resolver, self.id, other)
        };
        within.iter().any(|around| {
            let other = resolver.symbol(*around);
            let belongs = || {
                let is_block = other.kind == SymbolKind::Impl && other.name == symbol.name;
                is_block || resolver.owner_name(*around) == Some(symbol.name.as_str())
            };
            self.same.contains(around) || (is_type && is_near(around.file) && belongs())
        })
    }

    /// A use that the facts know.
    fn by_meaning(&self, file: u32, mention: &Mention, fact: &'a Reference) -> Ruling {
        let resolver = self.resolver();
        if is_naming(fact.kind) && self.rules().unused_imports_are_refused {
            return self.may_be_imported(file, fact);
        }
        let language = resolver.files[file as usize].language;
        let implicit = resolver.rules(file).imports_may_be_implicit;
        let is_implicit = is_naming(fact.kind) && implicit.contains(&language);
        match &*self.proof.meaning(file, fact) {
            Resolution::Definitions(ids) | Resolution::Instances(ids) if !ids.is_empty() => {
                match self.by_definitions(file, fact, ids) {
                    Ruling::Used if is_naming(fact.kind) && !is_implicit => Ruling::Imported,
                    ruling => ruling,
                }
            }
            Resolution::Modules(_) => Ruling::Module,
            _ if is_implicit => Ruling::Unsettled("imported at".to_owned()),
            _ if is_naming(fact.kind) => Ruling::Imported,
            Resolution::External | Resolution::Elements(_) if self.may_be_own(file, fact) => {
                Ruling::Unsettled("its import leads nowhere known at".to_owned())
            }
            Resolution::External | Resolution::Elements(_) if fact.qualifier.is_empty() => {
                Ruling::Outside(fact.name.clone())
            }
            Resolution::External | Resolution::Elements(_) if self.is_outside(file, fact) => {
                Ruling::Outside(fact.qualifier.clone())
            }
            _ if fact.qualifier.is_empty() => self.bare(file, mention, fact.enclosing),
            _ if self.is_of_objects() && resolver.is_implied(file, &fact.qualifier) => {
                Ruling::NoSuchUse
            }
            _ => self.joined(mention, &fact.qualifier),
        }
    }

    /// A use that means these definitions.
    pub(super) fn by_definitions(
        &self,
        file: u32,
        fact: &'a Reference,
        ids: &[SymbolId],
    ) -> Ruling {
        match ids.iter().any(|id| self.same.contains(id)) {
            true => Ruling::Used,
            false => self.through_another(file, fact, ids),
        }
    }

    /// A use of other definitions, which may lead here all the same: by the build's choice, by dispatch, or
    /// because the receiver may hold something else.
    fn through_another(&self, file: u32, fact: &'a Reference, ids: &[SymbolId]) -> Ruling {
        if ids.iter().any(|id| self.is_alternative(*id, file)) {
            let why = "another of this name, used for it by the build, at";
            return Ruling::Unsettled(why.to_owned());
        }
        if let Some(through) = ids.iter().find(|id| self.may_dispatch(**id)) {
            let through = &self.resolver().symbol(*through).qualified;
            return Ruling::Unsettled(format!("may be reached through `{through}` at"));
        }
        if self.may_be_another(file, fact) || self.may_stand_for(file, fact, ids) {
            return Ruling::Unsettled(match is_path(&fact.qualifier) {
                true => format!("`{}` may hold another type at", fact.qualifier),
                false => "a receiver that may hold another type at".to_owned(),
            });
        }
        Ruling::ResolvedElsewhere(ids[0])
    }

    fn may_be_imported(&self, file: u32, fact: &'a Reference) -> Ruling {
        let resolver = self.resolver();
        let otherwise = match &*self.proof.meaning(file, fact) {
            Resolution::Definitions(ids) => {
                let may_be =
                    |id: &SymbolId| self.same.contains(id) || self.is_alternative(*id, file);
                let is_other = !ids.iter().any(may_be);
                is_other.then(|| {
                    ids.first()
                        .copied()
                        .map_or(Ruling::Imported, Ruling::ResolvedElsewhere)
                })
            }
            Resolution::External if self.is_outside(file, fact) => {
                Some(Ruling::Outside(fact.qualifier.clone()))
            }
            _ => None,
        };
        let is_member = resolver
            .parent(self.id)
            .is_some_and(|parent| resolver.symbol(parent).kind.has_members());
        match otherwise {
            Some(ruling) => ruling,
            None if is_member => Ruling::NoSuchUse,
            None => Ruling::Unsettled("imported at".to_owned()),
        }
    }

    /// What a use means may be decided by the build: files of one package for several systems.
    fn is_alternative(&self, other: SymbolId, user: u32) -> bool {
        let resolver = self.resolver();
        let (own, its) = (resolver.symbol(self.id), resolver.symbol(other));
        let path = |id: SymbolId| resolver.files[id.file as usize].path;
        if own.name != its.name || self.rules() != resolver.rules(other.file) {
            return false;
        }
        let choice = self.rules().build_choice;
        if choice == BuildChoice::Linked {
            let is_of_file = other.file == user && self.id.file != user && says(its, "static");
            return !self.is_member_like() && !is_of_file;
        }
        if !self.is_member_like() && self.proof.may_be_chosen(self.id, other) {
            return true;
        }
        if own.qualified != its.qualified {
            return false;
        }
        match choice {
            BuildChoice::Nothing | BuildChoice::Linked => false,
            BuildChoice::AlikeOrInFile if other.file == self.id.file => true,
            BuildChoice::Platforms => {
                let is_of_platform = |symbol| says(symbol, "expect") || says(symbol, "actual");
                (is_of_platform(own) || is_of_platform(its))
                    && resolver.same_package(self.id.file, other.file)
            }
            BuildChoice::Alike | BuildChoice::AlikeOrInFile => {
                are_alike(&own.signature, &its.signature)
                    && paths::parent(path(self.id)) == paths::parent(path(other))
            }
        }
    }

    /// A word that no fact records, or text.
    fn by_look(&self, file: u32, mention: &Mention, within: &[SymbolId]) -> Ruling {
        match mention.place {
            WordPlace::Comment => Ruling::Comment,
            WordPlace::Sentence if is_plain(self.word) && !self.rules().sentences_name_it => {
                Ruling::NotCode
            }
            WordPlace::Sentence | WordPlace::Text if self.is_module_path(file, mention.line) => {
                Ruling::NotCode
            }
            WordPlace::Sentence | WordPlace::Text => {
                let is_public = self.resolver().symbol(self.id).exported;
                let counts = is_public || !is_prose(&self.resolver().files[file as usize]);
                Ruling::unsettled_or(counts.then_some("named in text at"), Ruling::NotCode)
            }
            WordPlace::Code => match mention.joint {
                WordJoint::None if self.is_unrecorded(file) => Ruling::Shadowed,
                WordJoint::None => {
                    let enclosing = within.first().map(|id| id.symbol);
                    self.bare(file, mention, enclosing)
                }
                WordJoint::Dot | WordJoint::Path => self.joined(mention, ""),
            },
        }
    }

    /// Says whether the text of a line is the path of what it imports, which names a file.
    fn is_module_path(&self, file: u32, line: u32) -> bool {
        let imports = &self.resolver().files[file as usize].facts().imports;
        let mut here = imports.iter().filter(|import| import.line == line);
        here.any(|import| import.module.contains(self.word))
    }

    /// A name with nothing before it, of which nothing says what it means.
    fn bare(&self, file: u32, mention: &Mention, enclosing: Option<u32>) -> Ruling {
        let resolver = self.resolver();
        let (own, its) = (self.rules(), resolver.rules(file));
        if is_apart(own, its) {
            return Ruling::OtherLanguage;
        }
        let named = || Ruling::Unsettled("named at".to_owned());
        if own != its {
            return named();
        }
        let has_no_brackets = || self.needs_brackets(file) && !mention.is_called;
        if self.is_member_like() {
            return match own.bare_members {
                BareMembers::Nowhere => Ruling::NoSuchUse,
                BareMembers::OwnFile if file != self.id.file => Ruling::NoSuchUse,
                BareMembers::Uncalled if mention.is_called => Ruling::NoSuchUse,
                BareMembers::Anywhere if has_no_brackets() => Ruling::NoSuchUse,
                _ => named(),
            };
        }
        let is_macro = resolver.symbol(self.id).kind == SymbolKind::Macro;
        if !own.names_are_imported || is_macro {
            return match has_no_brackets() {
                true => Ruling::NoSuchUse,
                false => named(),
            };
        }
        let site = UseSite {
            file,
            enclosing,
            line: mention.line,
            column: mention.column,
            before: u32::MAX,
        };
        let is_open = || {
            self.may_be_bound(file)
                || own.scripts_share_names && self.is_global()
                || self.writes_code(file)
        };
        match resolver.bare(site, self.word) {
            Resolution::Definitions(ids) | Resolution::Instances(ids) => {
                let may_be =
                    |id: &SymbolId| self.same.contains(id) || self.is_alternative(*id, file);
                match ids.first() {
                    _ if ids.iter().any(may_be) => named(),
                    Some(other) => Ruling::ResolvedElsewhere(*other),
                    None => Ruling::Shadowed,
                }
            }
            Resolution::Unknown if is_open() => named(),
            Resolution::Unknown => Ruling::NotInScope,
            Resolution::Modules(_) => Ruling::Module,
            Resolution::External => Ruling::Outside(self.word.to_owned()),
            Resolution::Elements(_) => Ruling::Shadowed,
        }
    }

    /// Says whether a file brings names in that may be the definition's, though nothing says which.
    fn may_be_bound(&self, file: u32) -> bool {
        let resolver = self.resolver();
        let scope = resolver.scope(file);
        let bound = scope.bound.get(self.word).into_iter().flatten();
        let is_part = || {
            let parent = resolver.parent(self.id).map(|id| resolver.symbol(id).kind);
            matches!(parent, Some(SymbolKind::Variable | SymbolKind::Constant))
        };
        resolver.opens_unknown(file)
            || bound
                .into_iter()
                .any(|binding| binding.files.contains(&self.id.file))
            || file == self.id.file && is_part()
    }

    /// Says whether a file makes code by macros: its names are looked up where that code ends up, out
    /// of the reach that they have here.
    fn writes_code(&self, file: u32) -> bool {
        self.rules().macros_rewrite_code && self.proof.writes_code(file)
    }

    /// A name behind a dot or `::`, of which nothing says what it means.
    fn joined(&self, mention: &Mention, qualifier: &str) -> Ruling {
        let its = file_of(mention).map(|file| self.resolver().rules(file));
        if its.is_some_and(|its| is_apart(self.rules(), its)) {
            return Ruling::OtherLanguage;
        }
        let symbol = self.resolver().symbol(self.id);
        if !self.is_member_like() && mention.joint == WordJoint::Dot {
            let may_follow = self.rules().free_name_follows_dot;
            if !may_follow(symbol, self.visibility, mention.is_called) {
                return Ruling::NoSuchUse;
            }
        }
        let qualifier = qualifier
            .trim_end_matches('$')
            .trim_end_matches([':', '\\']);
        let is_short = !qualifier.is_empty() && qualifier.len() < 24 && is_path(qualifier);
        Ruling::Unsettled(match (self.is_member_like(), is_short) {
            (true, true) => format!("`{qualifier}` has no known type at"),
            (true, false) => "a receiver of unknown type at".to_owned(),
            (false, _) => "named at".to_owned(),
        })
    }

    pub(super) fn is_member_like(&self) -> bool {
        self.resolver().is_member_like(self.id)
    }

    fn is_function(&self) -> bool {
        let kind = self.resolver().symbol(self.id).kind;
        matches!(kind, SymbolKind::Function | SymbolKind::Method)
    }

    /// Java names a method without brackets only behind `::`.
    fn needs_brackets(&self, file: u32) -> bool {
        let language = self.resolver().files[file as usize].language;
        self.is_function() && name_rules(language).functions_need_brackets
    }

    /// Scripts that are no modules share their names.
    fn is_global(&self) -> bool {
        let symbol = self.resolver().symbol(self.id);
        self.visibility == Visibility::Everywhere && !symbol.exported && symbol.parent.is_none()
    }
}

/// Says whether what stands before a name is written as it stands in the text.
fn is_path(qualifier: &str) -> bool {
    !qualifier.starts_with(['^', '?', '…'])
}

/// The ruling on a place in another language that may name a definition.
pub(super) fn in_other_language(rules: Rules, mention: &Mention, why: &str) -> Ruling {
    match mention.place {
        WordPlace::Comment => Ruling::Comment,
        WordPlace::Sentence if !rules.sentences_name_it => Ruling::NotCode,
        _ => Ruling::Unsettled(why.to_owned()),
    }
}

/// Languages whose code does not name what the other defines. C links with all of them; templates and
/// shells may hold any.
fn is_apart(left: Rules, right: Rules) -> bool {
    let is_open = |rules: Rules| {
        !rules.names_are_known || rules.functions_are_linked || rules.names_cross_languages
    };
    left != right && !is_open(left) && !is_open(right)
}

/// Documents for people. A text of unknown kind may be read by a program.
pub(crate) fn is_prose(file: &FileInput<'_>) -> bool {
    let language = Language::from_name(file.language);
    let name = paths::base_name(file.path);
    language.is_some_and(Language::is_prose)
        && (file.language != "text" || name.ends_with(".txt") || !name.contains('.'))
}

/// A word of ordinary language, by its look.
fn is_plain(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next();
    !word.contains('_') && chars.all(char::is_lowercase)
}

/// Says whether two heads take as many parameters and give the same: their names may differ.
fn are_alike(one: &str, other: &str) -> bool {
    let shape = |head: &str| {
        let result = head
            .rsplit_once(')')
            .map_or("", |(_, result)| result.trim());
        (head.matches(',').count(), result.to_owned())
    };
    shape(one) == shape(other)
}
