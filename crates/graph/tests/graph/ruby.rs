//! Ruby: setters, methods of classes and of their objects, names in patterns, aliases, what `private` hides.

use crate::{marked::check, support::View};

#[test]
fn setting_a_member_calls_its_setter() {
    check(&[
        (
            "lib/log.rb",
            "class Log\n\
             def self.level=(v); @l = v; end\n\
             def self.level; @l; end\n\
             class << self\n\
             def opt=(v); end\n\
             def opt; end\n\
             attr_accessor :both\n\
             end\n\
             def x=(v); end\n\
             def x; end\n\
             def go; self.x = 1; end # //= lib/log.rb:9\n\
             end\n",
        ),
        (
            "lib/use.rb",
            "Log.level = 3 # //= lib/log.rb:2\n\
             Log.level # //= lib/log.rb:3\n\
             Log.level ||= 3 # //= lib/log.rb:2 lib/log.rb:3\n\
             Log.opt += 1 # //= lib/log.rb:5 lib/log.rb:6\n\
             Log.both = 1 # //= lib/log.rb:7\n",
        ),
    ]);
}

#[test]
fn a_class_and_its_objects_have_methods_of_their_own() {
    check(&[(
        "lib/d.rb",
        "class D\n\
         def self.x; 1; end\n\
         def x; 2; end\n\
         def self.only; end\n\
         def self.go; x; end # //= lib/d.rb:2\n\
         def run; x; end # //= lib/d.rb:3\n\
         def self.me; self.x; end # //= lib/d.rb:2\n\
         def me2; self.x; end # //= lib/d.rb:3\n\
         def bad; only; end\n\
         class << self\n\
         def inner; x; end # //= lib/d.rb:2\n\
         end\n\
         end\n\
         class E < D; def self.y; end; end\n\
         D.x # //= lib/d.rb:2\n\
         D.new.x # //= lib/d.rb:3\n\
         E.x # //= lib/d.rb:2\n\
         E.new.x # //= lib/d.rb:3\n\
         D.only # //= lib/d.rb:4\n",
    )]);
}

#[test]
fn a_name_in_a_pattern_is_new() {
    check(&[(
        "lib/p.rb",
        "def v1; end\ndef v2; end\ndef v3; end\ndef v4; end\ndef v6; end\ndef v7; end\ndef v9; end\ndef w1; end\ndef w2; end\n\
         def go(h)\n\
         v1 # //= v1\n\
         case h\n\
         in { v1: } then v1\n\
         in {k: Integer => v2} then v2\n\
         in [v3, *v4] then v3 + v4\n\
         in {x: v6} then v6\n\
         end\n\
         v8, (v7, _) = h\n\
         v7\n\
         h => {v9:}\n\
         v9\n\
         if /(?<w1>\\d)/ =~ h then w1 end\n\
         h.each { |a; w2| w2 }\n\
         end\n\
         def other; v2; v3; w2; end # //= v2 v3 w2\n",
    )]);
}

#[test]
fn a_symbol_that_names_a_method_is_a_use() {
    check(&[(
        "lib/s.rb",
        "class S\n\
         def a1; end\n\
         def a2; end\n\
         def a3; end\n\
         def a4; end\n\
         alias old a4 # //= S#a4\n\
         alias_method :older, :a4 # //= S#a4\n\
         def go(list)\n\
         a1 # //= S#a1\n\
         list.map(&:a1) # //= S#a1?\n\
         send(:a2) # //= S#a2\n\
         method(:a3) # //= S#a3\n\
         old # //= S#old\n\
         older # //= S#older\n\
         end\n\
         end\n",
    )]);
}

#[test]
fn what_is_private_is_no_public_api() {
    let view = View::new(&[(
        "lib/q.rb",
        "class Q\n\
         def shown; end\n\
         def named; end\n\
         def self.make; end\n\
         private\n\
         def after; end\n\
         public\n\
         def again; end\n\
         private :named\n\
         private_class_method :make\n\
         private def inline; end\n\
         class << self\n\
         private\n\
         def hid; end\n\
         end\n\
         end\n",
    )]);
    let exported = |name: &str| {
        let inputs = view.inputs();
        let symbols = inputs[0].facts().symbols.iter();
        let mut symbols = symbols.filter(|symbol| symbol.name == name);
        symbols.any(|symbol| symbol.exported)
    };
    let shown = ["shown", "again"];
    let hidden = ["named", "make", "after", "inline", "hid"];
    assert!(shown.into_iter().all(exported));
    assert!(!hidden.into_iter().any(exported));
}

#[test]
fn names_that_are_put_together_stay_open() {
    let view = View::new(&[(
        "lib/r.rb",
        "class R\n\
         def go(n)\n\
         m = \"do_\" + n\n\
         send(m)\n\
         [n, \"suffix\"].join(\"_\")\n\
         end\n\
         private\n\
         def do_this; end\n\
         def a_suffix; end\n\
         def idle; end\n\
         end\n\
         R.new.go(1)\n",
    )]);
    assert_eq!(
        view.dead(),
        [
            "dead R#idle",
            "possibly-dynamic R#do_this",
            "possibly-dynamic R#a_suffix",
        ]
    );
}

#[test]
fn an_object_made_on_the_spot_is_of_its_class() {
    let view = View::new(&[(
        "lib/e.rb",
        "class D; def x; end; end\nclass E; def x; end; end\nD.new.x\n",
    )]);
    assert_eq!(view.uses("D#x"), ["lib/e.rb:3"]);
    assert!(
        view.possible("E#x").is_empty(),
        "{:?}",
        view.possible("E#x")
    );
}
