//! PHP: names without case, traits whose methods get other names.

use crate::{
    marked,
    support::{View, check},
};

const TRAITS: &str = "<?php\ntrait Loggable {\n    public function log($m) { return $m; }\n    protected function filters() { return []; }\n}\n\
trait Counted {\n    public function log($m) { return 1; }\n}\n";

#[test]
fn a_method_of_a_trait_is_used_by_its_other_name() {
    check(
        &[
            ("src/Loggable.php", TRAITS),
            (
                "src/Order.php",
                "<?php\nclass Order {\n    use Loggable { filters as protected defaultFilters; }\n    public function pay() {\n        $this->log(1);\n\
                 \x20       return $this->defaultFilters();\n    }\n    public function filters() { return $this->defaultFilters(); }\n}\n\
                 class Late extends Order {\n    public function pay() { return $this->defaultFilters(); }\n}\n\
                 class Both {\n    use Loggable, Counted { Counted::log as count; Counted::log insteadof Loggable; filters as public; }\n\
                 \x20   public function run() { return $this->count(2); }\n}\n",
            ),
        ],
        &[
            (
                "Loggable.filters",
                &[
                    "src/Order.php:3",
                    "src/Order.php:6",
                    "src/Order.php:8",
                    "src/Order.php:11",
                ],
            ),
            ("Counted.log", &["src/Order.php:14", "src/Order.php:15"]),
            ("Order.filters", &[]),
        ],
    );
}

#[test]
fn what_is_called_may_be_written_in_any_case() {
    check(
        &[
            (
                "composer.json",
                "{ \"autoload\": { \"psr-4\": { \"App\\\\\": \"src/\" } } }",
            ),
            (
                "src/Service.php",
                "<?php\nnamespace App;\nclass Service {\n    const HUNT = 1;\n    public $size;\n    public function hunt() { return self::HUNT; }\n\
                 \x20   public static function make() { return new Service(); }\n    public function Size() {}\n}\nfunction helper_fn() { return 1; }\n",
            ),
            (
                "src/Use.php",
                "<?php\nnamespace App;\nclass UseIt {\n    public function __construct(private ?Service $other) {}\n    public function run() {\n\
                 \x20       $this->other?->HUNT();\n        $s = new service();\n        $s->hunt();\n        Service::MAKE();\n        HELPER_FN();\n\
                 \x20       $s->size();\n        return $s->size;\n    }\n}\n",
            ),
        ],
        &[
            ("Service.hunt", &["src/Use.php:6", "src/Use.php:8"]),
            ("Service.make", &["src/Use.php:9"]),
            ("helper_fn", &["src/Use.php:10"]),
            ("Service.Size", &["src/Use.php:11"]),
            ("Service.size", &["src/Use.php:12"]),
            ("Service.HUNT", &["src/Service.php:6"]),
        ],
    );
}

#[test]
fn what_may_be_called_in_another_case_is_not_dead() {
    let view = View::new(&[(
        "src/a.php",
        "<?php\nfinal class Service {\n    private function hunt() {}\n    private function gone() {}\n    public function run($x) { $x->HUNT(); }\n}\n(new Service())->run(1);\n",
    )]);
    assert_eq!(
        view.dead(),
        ["dead Service::gone", "possibly-dynamic Service::hunt"]
    );
}

const LIB: &str = "<?php\nnamespace Lib;\nclass Exception extends \\Exception {}\nclass Countable {}\nclass DateTime { public static function st() {} public function m() {} }\nfunction count($s) { return 1; }\nconst LIMIT = 1;\n\
function own() { count([]); new DateTime(); echo LIMIT; } //= Lib\\count Lib\\DateTime Lib\\LIMIT\n";
const ROOT: &str =
    "<?php\nfunction helper() { return 1; }\nconst ROOT_LIMIT = 1;\nclass Whole {}\n";

#[test]
fn a_name_means_its_own_namespace_and_no_folder() {
    marked::check(&[
        ("src/Lib.php", LIB),
        ("src/Root.php", ROOT),
        (
            "src/Own.php",
            "<?php\nnamespace Lib;\nfunction f(\\Exception $a, Exception $b) { //= Lib\\Exception\n\
             throw new \\Exception('x');\n\
             throw new Exception('x'); //= Lib\\Exception\n\
             try {} catch (\\Exception $e) {}\n\
             try {} catch (Exception $e) {} //= Lib\\Exception\n\
             $a instanceof \\Exception;\n\
             $a instanceof Exception; //= Lib\\Exception\n\
             \\count([]);\n\
             count([]); //= Lib\\count\n\
             new \\DateTime();\n\
             DateTime::st(); //= DateTime::st Lib\\DateTime\n\
             \\DateTime::st();\n\
             (new DateTime())->m(); //= DateTime::m Lib\\DateTime\n\
             helper(); echo ROOT_LIMIT; //= helper ROOT_LIMIT\n\
             new Whole();\n\
             new \\Whole(); //= Whole\n\
             namespace\\count([]); //= Lib\\count\n\
             }\n\
             class A implements \\Countable {}\nclass B extends Countable {} //= Lib\\Countable\n",
        ),
        (
            "src/Other.php",
            "<?php\nnamespace App;\nuse Lib\\DateTime as Time;\nuse function Lib\\count as n;\n\
             function f(DateTime $a, \\Lib\\DateTime $b, Time $c) { //= Lib\\DateTime\n\
             new DateTime();\n$a->m();\nDateTime::st();\n(new DateTime())->m();\n\
             $b->m(); //= DateTime::m\n\
             $c->m(); //= DateTime::m\n\
             Time::st(); //= DateTime::st Lib\\DateTime\n\
             count([]);\n\
             n([]); //= Lib\\count\n\
             \\Lib\\count([]); //= Lib\\count\n\
             echo LIMIT;\n\
             echo \\Lib\\LIMIT; //= Lib\\LIMIT\n\
             }\n",
        ),
        (
            "src/plain.php",
            "<?php\nuse Lib\\Exception;\nnew DateTime();\ncount([]);\nDateTime::st();\nnew \\Exception();\n\
             new Exception(); //= Lib\\Exception\n\
             function g($datetime, $count) { $datetime->m(); $count->own(); }\n",
        ),
        (
            "bin/run",
            "#!/usr/bin/env php\n<?php\nuse Lib\\{Countable, DateTime as When};\nuse const Lib\\LIMIT;\n\
             class X extends Countable {} //= Lib\\Countable\n\
             When::st(); //= DateTime::st Lib\\DateTime\n\
             echo LIMIT; //= Lib\\LIMIT\n",
        ),
    ]);
}

#[test]
fn the_place_tells_kinds_of_one_name_apart() {
    marked::check(&[(
        "src/a.php",
        "<?php\nfinal class B {\n\
         private int $len = 1;\n\
         private const len = 2;\n\
         public static $sum = 1;\n\
         const sum = 2;\n\
         function len() { return 1; }\n\
         function go() {\n\
         $this->len; //= src/a.php:3\n\
         self::len; //= src/a.php:4\n\
         $this->len(); //= src/a.php:7\n\
         self::$sum; //= src/a.php:5\n\
         static::$sum = 2; //= src/a.php:5\n\
         self::sum; //= src/a.php:6\n\
         $this->$len; $this->$len();\n\
         } }\n\
         enum Suit {\n\
         case Spades;\n\
         static function Spades() {}\n\
         static function f() { self::Spades(); } //= src/a.php:19\n\
         static function g() { return self::Spades; } //= src/a.php:18\n\
         }\n\
         const size = 1;\n\
         function size() {}\n\
         class size {}\n\
         echo size; //= src/a.php:23\n\
         size(); //= src/a.php:24\n\
         new size(); //= src/a.php:25\n\
         size::class; //= src/a.php:25\n",
    )]);
}

#[test]
fn a_test_for_a_type_opens_what_a_value_may_be() {
    marked::check(&[
        (
            "src/P.php",
            "<?php\nclass P {\nprivate int $c = 0;\nfunction m() {}\n\
             function e(\\Vendor\\Node $n) {\n\
             if ($n instanceof self) {\n\
             $n->m(); //= P::m?\n\
             return $n->c; //= P::c?\n\
             }\n\
             return $this->c; //= P::c\n\
             }\n\
             function u(\\Vendor\\Node $n) {\n\
             if (!$n instanceof self) { return 0; }\n\
             return $n->c; //= P::c?\n\
             }\n}\n",
        ),
        (
            "src/Q.php",
            "<?php\nclass Q { function f(\\Vendor\\Node $n) { return $n->c; } function list() { return [$this, 'm']; } //= P::m?\n}\n",
        ),
    ]);
}

#[test]
fn only_its_own_class_calls_a_private_method() {
    let view = View::new(&[
        (
            "src/A.php",
            "<?php\nclass A {\nprivate function load() {}\npublic function go($x) { $x->load(); }\n}\n",
        ),
        (
            "src/B.php",
            "<?php\nclass B { public function go($x) { $x->load(); } }\ntrait T { public function go() { $this->load(); } }\n",
        ),
        (
            "src/C.php",
            "<?php\nclass C { public function go() { return \\Closure::bind(function ($x) { $x->load(); }, null, A::class); } }\n",
        ),
    ]);
    assert_eq!(
        view.uses("A::load"),
        ["src/A.php:4~", "src/B.php:3~", "src/C.php:2~"]
    );
}

#[test]
fn what_may_be_reached_without_its_name_is_not_dead() {
    let view = View::new(&[
        (
            "src/a.php",
            "<?php\nfinal class A {\nfunction __get($n) { return $this->{'get' . ucfirst($n)}(); }\n\
             private function getFoo() {}\nprivate function letFoo() {}\nprivate function __own() {}\n}\n(new A())->x;\n",
        ),
        (
            "bin/a.php",
            "<?php\n$c = new class implements \\Countable { public function count() { return 0; } };\nrun($c);\n",
        ),
    ]);
    assert_eq!(
        view.dead(),
        [
            "dead A::letFoo",
            "dead A::__own",
            "possibly-dynamic count",
            "possibly-dynamic A::__get",
            "possibly-dynamic A::getFoo",
        ]
    );
}

#[test]
fn what_the_grammar_cannot_read_is_read_all_the_same() {
    marked::check(&[
        (
            "src/Lib.php",
            "<?php\nnamespace Lib;\nfunction int() {}\nclass A {}\nclass B {}\ntrait T1 { function m() {} }\ntrait T2 { function m() {} }\n",
        ),
        (
            "src/Own.php",
            "<?php\ndeclare(ticks=1, strict_types=1);\nnamespace Lib;\nuse Lib\\{A as X, B as Y,};\n\
             class P {\nuse \\Lib\\T1, \\Lib\\T2 { \\Lib\\T1::m insteadof \\Lib\\T2; }\n\
             function __construct(readonly int $beta, readonly ?X $x) {} //= Lib\\A\n\
             function go() {\n\
             $this->beta; //= P::beta\n\
             new Y(); //= Lib\\B\n\
             } }\n\
             __halt_compiler(); class { ( new X()\n",
        ),
    ]);
}

#[test]
fn a_call_in_another_case_may_reach_what_overrides_the_method() {
    let view = View::new(&[
        (
            "src/Item.php",
            "<?php\nabstract class Item {\n    abstract protected function base();\n    public function price() { return $this->BASE(); }\n}\n",
        ),
        (
            "src/Book.php",
            "<?php\nclass Book extends Item {\n    protected function base() { return 10; }\n}\necho (new Book)->price();\n",
        ),
    ]);
    assert_eq!(view.possible("Book.base"), ["src/Item.php:4"]);
    assert_eq!(view.verdicts("Book.base"), ["alive"]);
}
