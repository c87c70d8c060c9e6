//! Protocol buffers: scopes, imports that pass on, options, and names that generators make.

use crate::support::{View, check};

const MONEY: (&str, &str) = (
    "proto/shop/v1/money.proto",
    "syntax = \"proto3\";\npackage shop.v1;\nmessage Money { Unit unit = 1; }\nenum Unit { UNIT_NONE = 0; EURO = 1; }\n",
);

#[test]
fn imports_lead_below_a_folder_around_the_file_or_to_the_nearest_end() {
    let view = View::new(&[
        MONEY,
        (
            "proto/api.proto",
            "import public \"shop/v1/money.proto\";\n",
        ),
        ("third_party/google/api.proto", "message A {}\n"),
        (
            "proto/shop/v1/use.proto",
            "import \"shop/v1/money.proto\";\nimport 'google/api.proto';\nimport \"api.proto\";\nimport \"not/here.proto\";\n",
        ),
    ]);
    let expected = [
        "proto/shop/v1/money.proto",
        "third_party/google/api.proto",
        "proto/api.proto",
    ];
    assert_eq!(view.imports_of("proto/shop/v1/use.proto"), expected);
}

#[test]
fn a_type_is_sought_from_the_innermost_scope_outwards() {
    check(
        &[
            MONEY,
            (
                "proto/all.proto",
                "import public \"shop/v1/money.proto\";\n",
            ),
            (
                "proto/use.proto",
                "package shop.v2;\nimport \"all.proto\";\nmessage Money {}\nmessage Order {\n  Money near = 1;\n  .shop.v1.Money far = 2;\n  v1.Money half = 3;\n  Line line = 4;\n\
                 \x20 message Line {\n    Money own = 1;\n    message Money {}\n    Line up = 2;\n  }\n}\n\
                 message Other {\n  Line none = 1;\n  Order.Line.Money inner = 2;\n  map<string, Money> all = 3;\n}\n\
                 service S { rpc Get(Order.Line) returns (stream Order); }\n",
            ),
            (
                "proto/unseen.proto",
                "package shop.v1;\nimport \"use.proto\";\nmessage X {\n  Money hidden = 1;\n  v2.Money seen = 2;\n}\n",
            ),
        ],
        &[
            (
                "shop.v1.Money",
                &[
                    "proto/unseen.proto:4",
                    "proto/use.proto:6",
                    "proto/use.proto:7",
                ],
            ),
            (
                "proto/use.proto:3",
                &[
                    "proto/unseen.proto:5",
                    "proto/use.proto:5",
                    "proto/use.proto:18",
                ],
            ),
            (
                "Order.Line.Money",
                &["proto/use.proto:10", "proto/use.proto:17"],
            ),
            (
                "Order.Line",
                &[
                    "proto/use.proto:8",
                    "proto/use.proto:12",
                    "proto/use.proto:17",
                    "proto/use.proto:20",
                ],
            ),
        ],
    );
}

#[test]
fn defaults_mean_values_of_the_field_and_options_mean_extensions() {
    check(
        &[
            (
                "a/opts.proto",
                "package opts;\nimport \"google/protobuf/descriptor.proto\";\nextend google.protobuf.FieldOptions {\n  optional string label = 1;\n}\nmessage Scope {\n\
                 \x20 extend google.protobuf.FieldOptions { optional bool hidden = 2; }\n}\n",
            ),
            (
                "a/use.proto",
                "package use;\nimport \"opts.proto\";\nenum Kind { NONE = 0; }\nenum Other { SOME = 0; }\nmessage M {\n  enum Kind { NONE = 1; }\n\
                 \x20 optional Kind kind = 1 [default = NONE];\n  optional use.Kind far = 2 [default = NONE, (opts.label) = \"x\"];\n\
                 \x20 optional Other other = 3 [(.opts.Scope.hidden) = true];\n}\n",
            ),
        ],
        &[
            ("a/use.proto:6", &["a/use.proto:7"]),
            ("use.Kind.NONE", &["a/use.proto:8"]),
            ("opts.label", &["a/use.proto:8"]),
            ("opts.Scope.hidden", &["a/use.proto:9"]),
            ("Other.SOME", &[]),
        ],
    );
}

#[test]
fn a_message_is_open_where_another_language_may_name_it() {
    let message =
        "package shop;\nmessage Order { message Line {} }\nmessage Idle {}\nservice Orders {}\n";
    let found = |path: &'static str, text: &'static str| {
        let view = View::new(&[("api/order.proto", message), (path, text)]);
        ["shop.Order", "Order.Line", "Idle", "Orders"].map(|name| !view.possible(name).is_empty())
    };
    let cases = [
        ("x/empty.go", "package x\n", [false; 4]),
        (
            "x/use.go",
            "package x\nvar _ = pb.Order{}\n",
            [true, false, false, false],
        ),
        (
            "x/use.go",
            "package x\nvar _ = pb.Order_Line{}\n",
            [false, true, false, false],
        ),
        (
            "x/order.pb.go",
            "package x\ntype Order struct{}\n",
            [true, false, false, false],
        ),
        (
            "x/use.py",
            "import order_pb2_grpc\nstub = order_pb2_grpc.OrdersStub(1)\n",
            [false, false, false, true],
        ),
        (
            "x/Use.java",
            "class Use { shop.OrderOuterClass.Idle idle; }\n",
            [true, false, true, false],
        ),
        ("x/use.ts", "// Order, Idle\n", [false; 4]),
        (
            "x/use.rs",
            "type A = shop::order::Line;\n",
            [true, true, false, false],
        ),
    ];
    for (path, text, expected) in cases {
        assert_eq!(found(path, text), expected, "{text}");
    }
}
