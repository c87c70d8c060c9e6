//! Types as written, with what stands for the parameters in them: `IStore<Merger>` has a `Merger` where
//! the head of its `Get` says `T`.
//!
//! An expression is followed as text from the place that says its type. Only what a head says of a
//! parameter is asked for here; what it says of a type is known without.

use std::{collections::HashSet, rc::Rc};

use whyrank_syntax::{HintKind, SymbolKind};

use crate::{
    input::files::SymbolId,
    languages::Rules,
    resolution::{
        container_methods::{self, MethodResult},
        dotted_expression::{FirstSteps, Step, steps},
        resolver::{MAX_DEPTH, Receiver, Resolution, Resolver, UseSite, joined},
        signature_types::{self, StatedType},
        type_arguments::{self, parameters_of},
        type_names::{TypeName, split_top, without_marks},
    },
};

/// A type as a place writes it.
#[derive(Clone)]
pub(crate) struct WrittenType {
    site: UseSite,
    text: String,
    /// What parameters of generics represent in it.
    given: Given,
}

type Given = Rc<Vec<(String, WrittenType)>>;

impl WrittenType {
    fn at(site: UseSite, text: &str) -> Self {
        Self {
            site,
            text: without_marks(text).to_owned(),
            given: Rc::default(),
        }
    }

    /// Another text at the same place.
    fn with(&self, text: &str) -> Self {
        Self {
            text: text.trim().to_owned(),
            ..self.clone()
        }
    }

    fn given(&self, name: &str) -> Option<&Self> {
        let mut given = self.given.iter();
        given.find(|(own, _)| own == name).map(|(_, found)| found)
    }

    /// The type itself, where the text is no more than the name of a parameter.
    fn followed(&self) -> &Self {
        let mut at = self;
        for _ in 0..MAX_DEPTH {
            match at.given(at.text.trim_end_matches(['?', '!'])) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// What a container of this type holds.
    fn element(&self) -> Option<Self> {
        let at = self.followed();
        let text = type_arguments::unwrapped(&at.text);
        type_arguments::element(text).map(|held| at.with(held))
    }
}

/// The bare name of a type, without its arguments and marks.
fn head_of(text: &str) -> &str {
    let head = text.split(['<', '?', '!', '[', ' ', '|', '(', '{']).next();
    let name = head.and_then(|head| head.rsplit(['.', ':']).next());
    name.unwrap_or_default()
}

/// The type of a literal, of what `new` or a call of a bare name makes, of a text that something gives.
fn type_by_form(rules: Rules, text: &str) -> Option<&str> {
    if let Some(made) = text.strip_prefix("new ") {
        let is_last = !made.contains(").") && !made.contains("}.");
        return (made.ends_with([')', '}']) && is_last).then(|| head_of(made));
    }
    if text.ends_with(".ToString()") || text.ends_with(".toString()") {
        return Some("string");
    }
    let number = text.trim_start_matches('-');
    match text.chars().next()? {
        '"' => text.ends_with('"').then_some("string"),
        '$' | '@' if text.ends_with('"') => Some("string"),
        '\'' => Some("char"),
        _ if number.starts_with(|c: char| c.is_ascii_digit()) => type_of_number(number),
        _ => {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let (maker, rest) = text.split_at(text.find(|c: char| !is_part(c))?);
            let is_call = rest.starts_with(['(', '<']) && rest.ends_with(')');
            (is_call && !rest.contains(").")).then(|| (rules.made_by)(maker))?
        }
    }
}

/// The type of a literal number, by its point and its last letter.
fn type_of_number(text: &str) -> Option<&'static str> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_number = digits
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'_' | b'.'));
    if !is_number || digits.ends_with('.') || digits.contains("..") {
        return None;
    }
    match &text[digits.len()..] {
        "" if digits.contains('.') => Some("double"),
        "" => Some("int"),
        "L" | "l" => Some("long"),
        "f" | "F" => Some("float"),
        "m" | "M" => Some("decimal"),
        "d" | "D" => Some("double"),
        _ => None,
    }
}

impl<'a> Resolver<'a> {
    /// The value that the first steps of an expression give.
    pub(super) fn value_of_steps(
        &self,
        site: UseSite,
        text: &str,
        steps: &[Step],
        depth: u32,
    ) -> Resolution {
        let resolution = self.walked(site, text, steps, depth);
        self.held_after(site, FirstSteps { text, steps }, resolution, depth)
    }

    /// The value that a variable holds at which some steps of an expression end.
    pub(super) fn held_after(
        &self,
        site: UseSite,
        first: FirstSteps<'_>,
        resolution: Resolution,
        depth: u32,
    ) -> Resolution {
        if let Resolution::Definitions(ids) = &resolution
            && ids.iter().all(|id| !self.symbol(*id).kind.is_callable())
            && self.gives_parameter(ids)
        {
            let found = self.by_parameters(site, first.text, first.steps, depth);
            if found != Resolution::Unknown {
                return found;
            }
        }
        self.value(resolution, depth)
    }

    /// What the call gives at which some steps of an expression end, if the last of them is one.
    pub(super) fn called_after(
        &self,
        site: UseSite,
        first: FirstSteps<'_>,
        resolution: Resolution,
        depth: u32,
    ) -> Resolution {
        let Some(last) = first.steps.last() else {
            return resolution;
        };
        if let Resolution::Definitions(ids) = &resolution
            && last.called
            && self.gives_parameter(ids)
        {
            let found = self.by_parameters(site, first.text, first.steps, depth);
            if found != Resolution::Unknown {
                return found;
            }
        }
        match self.after(site, resolution, last, depth) {
            Resolution::External if last.called && self.gives_any_type(site, first) => {
                Resolution::Unknown
            }
            given => given,
        }
    }

    /// A value of what the first steps of an expression give, by what stands for parameters of generics.
    pub(super) fn by_parameters(
        &self,
        site: UseSite,
        text: &str,
        steps: &[Step],
        depth: u32,
    ) -> Resolution {
        let find = || {
            let written = self.written_steps(site, text, steps, depth + 1)?;
            Some(self.typed_as(&written, depth + 1))
        };
        match self.effort.within(find).flatten() {
            Some(found @ (Resolution::Instances(_) | Resolution::Elements(_))) => found,
            _ => Resolution::Unknown,
        }
    }

    /// A part of a value whose type says the parts: `(Foo, Bar)`.
    pub(super) fn part_of_tuple(
        &self,
        site: UseSite,
        text: &str,
        part: u8,
        depth: u32,
    ) -> Resolution {
        let written = self.written(site, text, depth + 1);
        let stated = written.as_ref().and_then(|written| {
            let parts = split_top(written.text.strip_prefix('(')?, ',');
            parts.get(usize::from(part)).map(|part| written.with(part))
        });
        stated.map_or(Resolution::Unknown, |stated| {
            self.typed_as(&stated, depth + 1)
        })
    }

    /// A value of a type.
    fn typed_as(&self, written: &WrittenType, depth: u32) -> Resolution {
        if depth > MAX_DEPTH {
            return Resolution::Unknown;
        }
        let mut resolution = Resolution::Unknown;
        for name in self.names_in_type(written.site, &written.text) {
            let found = match written.given(&name.path) {
                Some(given) => self.typed_as(given, depth + 1),
                None => self.named_as(written, name, depth),
            };
            resolution = joined(resolution, found);
        }
        resolution
    }

    fn named_as(&self, written: &WrittenType, mut name: TypeName, depth: u32) -> Resolution {
        if self.is_parameter(written.site, &name.path) {
            return match self.instance(written.site, &name, depth + 1) {
                bound @ Resolution::Instances(_) => bound,
                _ => Resolution::Unknown,
            };
        }
        let held = name.held.take();
        let found = self.instance(written.site, &name, depth + 1);
        match (found, held) {
            (Resolution::External, Some(held)) => {
                match self.typed_as(&written.with(&held), depth + 1) {
                    Resolution::Instances(ids) | Resolution::Elements(ids) => {
                        Resolution::Elements(ids)
                    }
                    other => other,
                }
            }
            (found, _) => found,
        }
    }

    /// The name of the type that a place says of an expression, or that its form says: of a literal, of
    /// what it makes.
    pub(super) fn stated_type(&self, site: UseSite, text: &str) -> Option<String> {
        let stated = match self.written(site, text, 0) {
            Some(written) => head_of(&written.followed().text).to_owned(),
            None => type_by_form(self.rules(site.file), text.trim())?.to_owned(),
        };
        (!stated.is_empty()).then_some(stated)
    }

    /// The type of an expression, as some place writes it.
    fn written(&self, site: UseSite, text: &str, depth: u32) -> Option<WrittenType> {
        let text = text.trim();
        if depth > MAX_DEPTH || text.starts_with("[] ") {
            return None;
        }
        if let Some(stated) = text
            .strip_prefix("^:(")
            .and_then(|rest| rest.strip_suffix(')'))
        {
            return Some(WrittenType::at(site, stated));
        }
        if let Some(stated) = text.strip_prefix(':') {
            return Some(WrittenType::at(site, stated));
        }
        if let Some(passed) = text
            .strip_prefix("^0^0(")
            .or_else(|| text.strip_prefix("^99^0("))
        {
            let (owner, method) = passed.strip_suffix(')')?.rsplit_once('.')?;
            let owner = owner.trim_end_matches(['?', '!']);
            let held = self.written(site, owner, depth + 1)?;
            return container_methods::hands_over(method)
                .then(|| held.element())
                .flatten();
        }
        if let Some((_, stated)) = text.rsplit_once(" as ") {
            return Some(WrittenType::at(site, stated));
        }
        self.written_steps(site, text, &steps(text), depth + 1)
    }

    fn written_steps(
        &self,
        site: UseSite,
        text: &str,
        steps: &[Step],
        depth: u32,
    ) -> Option<WrittenType> {
        let (last, before) = steps.split_last().filter(|_| depth <= MAX_DEPTH)?;
        let found = match before.is_empty() {
            true => self.written_head(site, last, depth)?,
            false => {
                let before = FirstSteps {
                    text,
                    steps: before,
                };
                self.written_member(site, before, last, depth)?
            }
        };
        match last.indexed {
            true => found.element(),
            false => Some(found),
        }
    }

    /// The type of what an expression begins with: a local, a parameter, a definition in sight.
    fn written_head(&self, site: UseSite, step: &Step, depth: u32) -> Option<WrittenType> {
        let name = step.name.as_str();
        if matches!(name, "this" | "self" | "super" | "base") {
            return None;
        }
        let stated = match self.said_locally(site, name) {
            Some((site, kind, text)) => match kind {
                HintKind::Type => Some(WrittenType::at(site, text)),
                HintKind::Value => self.written(site, text, depth + 1),
                HintKind::Element => self.written(site, text, depth + 1)?.element(),
                HintKind::Nothing | HintKind::Part(_) => None,
            },
            None => self.written_parameter(site, name),
        };
        if let Some(stated) = stated {
            return match step.called {
                true => type_arguments::result(&stated.text).map(|result| stated.with(result)),
                false => Some(stated),
            };
        }
        if self.said_locally(site, name).is_some() {
            return None;
        }
        let Resolution::Definitions(ids) = self.bare(site, name) else {
            return (!step.arguments.is_empty() && step.called)
                .then(|| WrittenType::at(site, &format!("{name}<{}>", step.arguments)));
        };
        self.stated_of(site, &ids, step, depth)
    }

    fn written_parameter(&self, site: UseSite, name: &str) -> Option<WrittenType> {
        if name.starts_with(char::is_uppercase) {
            return None;
        }
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        around.find_map(|id| {
            let symbol = self.symbol(id);
            let takes = symbol.kind.is_callable()
                || symbol.kind == SymbolKind::Class
                    && self.rules(site.file).classes_take_parameters;
            let stated = signature_types::of_name(&symbol.signature, name);
            match stated {
                StatedType::Type(text) if takes && symbol.name != name => {
                    let inside = UseSite::inside(id.file, Some(id.symbol));
                    Some(WrittenType::at(inside, &text))
                }
                _ => None,
            }
        })
    }

    /// The type that definitions of one name say of what they give; none where they differ.
    fn stated_of(
        &self,
        site: UseSite,
        ids: &[SymbolId],
        step: &Step,
        depth: u32,
    ) -> Option<WrittenType> {
        let first = *ids.first()?;
        let symbol = self.symbol(first);
        if symbol.kind.has_members() || symbol.kind == SymbolKind::Constructor {
            let text = match step.arguments.as_str() {
                "" => step.name.clone(),
                arguments => format!("{}<{arguments}>", step.name),
            };
            return Some(WrittenType::at(site, &text));
        }
        let inside = UseSite::inside(first.file, Some(first.symbol));
        let Some(text) = self.given_text(first) else {
            let outside = UseSite::inside(first.file, symbol.parent);
            return match signature_types::of_name(&symbol.signature, &symbol.name) {
                StatedType::Value(value) if !symbol.kind.is_callable() => {
                    self.written(outside, &value, depth + 1)
                }
                _ => None,
            };
        };
        let is_same = |id: &SymbolId| self.given_text(*id).as_deref() == Some(&*text);
        let mut found = ids
            .iter()
            .all(is_same)
            .then(|| WrittenType::at(inside, &text))?;
        let own = parameters_of(&symbol.signature, &symbol.name);
        let arguments = type_arguments::split(&step.arguments);
        if own.len() == arguments.len() {
            let given = own.iter().zip(arguments);
            let given = given.map(|(own, given)| ((*own).to_owned(), WrittenType::at(site, given)));
            found.given = Rc::new(given.collect());
        }
        match step.called && !symbol.kind.is_callable() {
            true => type_arguments::result(&found.text).map(|result| found.with(result)),
            false => Some(found),
        }
    }

    fn written_member(
        &self,
        site: UseSite,
        before: FirstSteps<'_>,
        last: &Step,
        depth: u32,
    ) -> Option<WrittenType> {
        let owner = self.value_of_steps(site, before.text, before.steps, depth + 1);
        let written = || self.written_steps(site, before.text, before.steps, depth + 1);
        let receiver = Receiver {
            text: before.steps.last().map_or("", |step| &step.name),
            meaning: &owner,
        };
        let found = self.member_at(site, receiver, &last.name, depth + 1);
        let is_defined = matches!(found, Resolution::Definitions(_));
        if matches!(owner, Resolution::External | Resolution::Elements(_)) && !is_defined {
            let written = written()?;
            return match container_methods::of_container(&last.name) {
                MethodResult::Element => written.element(),
                MethodResult::Same => Some(written),
                MethodResult::Other if type_arguments::calls(&last.name) => {
                    type_arguments::result(&written.text).map(|result| written.with(result))
                }
                MethodResult::Other => None,
            };
        }
        let Resolution::Definitions(ids) = found else {
            // What passes its receiver on gives the same type.
            return (found == owner).then(written).flatten();
        };
        let mut stated = self.stated_of(site, &ids, last, depth)?;
        let mut given: Vec<(String, WrittenType)> = stated.given.as_ref().clone();
        if let Some(owner) = written() {
            let holder = ids.first().and_then(|id| self.parent(*id));
            let holder = holder.filter(|id| self.symbol(*id).kind.has_members());
            if let Some(holder) = holder {
                given.extend(self.arguments_for(&owner, holder, depth + 1));
            }
            given.extend(self.given_by_receiver(*ids.first()?, &owner));
        } else if let Resolution::Instances(types) = &owner {
            // `class Crate : Box<Merger>` says it where its value does not.
            let holder = ids.first().and_then(|id| self.parent(*id))?;
            let of_bases = types
                .iter()
                .find_map(|id| self.arguments_from_bases(*id, &Rc::default(), holder, depth + 1));
            given.extend(of_bases.unwrap_or_default());
        }
        stated.given = Rc::new(given);
        Some(stated)
    }

    /// What an extension's receiver says of the extension's own parameters: `fun <T> List<T>.second(): T`.
    fn given_by_receiver(&self, id: SymbolId, owner: &WrittenType) -> Vec<(String, WrittenType)> {
        let symbol = self.symbol(id);
        let own = parameters_of(&symbol.signature, &symbol.name);
        let Some(extended) = type_arguments::extended(&symbol.signature, &symbol.name) else {
            return Vec::new();
        };
        let owner = owner.followed();
        if own.contains(&extended) {
            return vec![(extended.to_owned(), owner.clone())];
        }
        let wanted = type_arguments::arguments(extended);
        let held = type_arguments::arguments(type_arguments::unwrapped(&owner.text));
        let fits = wanted.len() == held.len();
        let pairs = wanted.iter().zip(held).filter(|_| fits);
        let pairs = pairs.filter(|(wanted, _)| own.contains(*wanted));
        pairs
            .map(|(wanted, held)| ((*wanted).to_owned(), owner.with(held)))
            .collect()
    }

    /// What a receiver's type says of the parameters of a type, its own or one that it inherits from.
    fn arguments_for(
        &self,
        owner: &WrittenType,
        holder: SymbolId,
        depth: u32,
    ) -> Vec<(String, WrittenType)> {
        let owner = owner.followed();
        let Resolution::Instances(types) = self.typed_as(owner, depth + 1) else {
            return Vec::new();
        };
        let found = types.iter().find_map(|id| {
            let symbol = self.symbol(*id);
            let own_text = type_arguments::unwrapped_to(&owner.text, &symbol.name);
            let held = type_arguments::arguments(own_text);
            let own = parameters_of(&symbol.signature, &symbol.name);
            let fits = own.len() == held.len();
            let given = own.iter().zip(&held).filter(|_| fits);
            let given = given.map(|(own, held)| ((*own).to_owned(), owner.with(held)));
            let given = Rc::new(given.collect());
            self.arguments_from_bases(*id, &given, holder, depth + 1)
        });
        found.unwrap_or_default()
    }

    fn arguments_from_bases(
        &self,
        id: SymbolId,
        given: &Given,
        holder: SymbolId,
        depth: u32,
    ) -> Option<Vec<(String, WrittenType)>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let symbol = self.symbol(id);
        if id == holder || symbol.qualified == self.symbol(holder).qualified {
            return Some(given.as_ref().clone());
        }
        if !self.inherits_from(id, holder) {
            return None;
        }
        let bases = type_arguments::bases(&symbol.signature, &symbol.name);
        bases.iter().find_map(|base| {
            let written = WrittenType {
                site: UseSite::inside(id.file, Some(id.symbol)),
                text: (*base).to_owned(),
                given: Rc::clone(given),
            };
            let Resolution::Instances(types) = self.typed_as(&written, depth + 1) else {
                return None;
            };
            let is_below = |of: &SymbolId| *of == holder || self.inherits_from(*of, holder);
            types
                .iter()
                .any(is_below)
                .then(|| self.arguments_for(&written, holder, depth + 1))
        })
    }

    fn inherits_from(&self, id: SymbolId, holder: SymbolId) -> bool {
        let (mut next, mut seen) = (vec![id], HashSet::new());
        while let Some(id) = next.pop().filter(|_| seen.len() < 40) {
            let bases = self.bases(id, 0).0;
            if bases.contains(&holder) {
                return true;
            }
            next.extend(bases.into_iter().filter(|base| seen.insert(*base)));
        }
        false
    }
}
