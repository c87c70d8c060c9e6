//! JavaScript: a module that is used where it is loaded, `require("./a").f()`.

use crate::{
    imports::import_graph::ImportEdge,
    input::family::Family,
    resolution::{
        dotted_expression::Step,
        resolver::{Resolution, Resolver, UseSite},
    },
};

impl Resolver<'_> {
    /// The module that the head of an expression loads; `None` where it loads none. Of several on one line
    /// none is known.
    pub(super) fn required(&self, site: UseSite, head: &Step) -> Option<Resolution> {
        let loads = head.called && matches!(head.name.as_str(), "require" | "import");
        if !loads || self.family(site.file) != Family::Script {
            return None;
        }
        let imports = &self.files[site.file as usize].facts().imports;
        let is_here = |edge: &&ImportEdge| {
            edge.name_idx.is_none() && imports[edge.import_idx as usize].line == site.line
        };
        let edges = self.graph.imports(site.file).iter();
        let here: Vec<&ImportEdge> = edges.filter(is_here).collect();
        Some(match here[..] {
            [edge] => edge
                .target
                .map_or(Resolution::External, |file| Resolution::Modules(vec![file])),
            _ => Resolution::Unknown,
        })
    }
}
