//! C#: what values are behind chains, generics, patterns and lambdas.

use crate::{
    marked::check,
    verdicts::{check as check_verdicts, check_uses},
};

const TYPES: &str = r#"namespace App;
using System.Collections.Generic;
public class Merger {
    public Merger(int n) { }
    public int Merge(bool b) => 1;
    public string Label { get; set; } = "";
    public Merger Next { get; set; }
    public Merger With(int n) => this;
    public Task<Merger> LoadAsync() => null;
    public bool TryNext(out Merger next) { next = this; return true; }
    public static Merger operator +(Merger a, Merger b) => a;
    public Merger this[int i] => this;
    public static Merger Make() => new(1);
}
public class Rival {
    public int Merge(bool b) => 1;
    public string Label { get; set; } = "";
    public Rival Next { get; set; }
    public Rival With(int n) => this;
    public static Rival operator +(Rival a, Merger b) => a;
}
public interface IStore<T> { T Get(int id); IEnumerable<T> All(); Task<T> FindAsync(int id); T Current { get; } }
public class Store : IStore<Merger> { public Merger Get(int id) => new(id); }
public class Box<T> { public T Held; public T Open() => Held; public List<T> Items { get; } public Box<T> Same() => this; }
public class Pair<A, B> { public A First { get; } public B Second { get; } }
public class Crate : Box<Merger> { }
public record Point(int X, int Y);
public static class Tools { public static T Make<T>() => default; public static T Same<T>(T it) => it; }
"#;

#[test]
fn chains_end_at_what_each_part_gives() {
    let text = r#"namespace App;
public class Use {
    private Merger Prop { get; } = new Merger(1);
    private Merger _field = new(2);
    public int A() => new Merger(2).Merge(true); //= Merger.Merge
    public int A2() => (new Merger(2)).Merge(true); //= Merger.Merge
    public int A3() => new Merger(2) { Label = "x" }.Merge(true); //= Merger.Merge Merger.Label
    public int A4() => new App.Merger(2).With(1).Merge(true); //= Merger.Merge Merger.With
    public int D() => Prop?.With(3).Merge(true) ?? 0; //= Merger.Merge Merger.With Use.Prop
    public int D2() => Prop?.With(3)?.Merge(true) ?? 0; //= Merger.Merge Merger.With Use.Prop
    public int D3() => this.Prop!.Next.Next.Merge(true); //= Merger.Merge Merger.Next Use.Prop
    public int D4() => this._field.With(1).Next?.Merge(true); //= Merger.Merge Merger.With Merger.Next
    public string E() => nameof(Merger.Merge) + Prop.Label; //= Merger.Merge Merger.Label Use.Prop
    public string E2() => nameof(Prop.Label); //= Merger.Label Use.Prop
    public async Task<int> F(Task<Merger> t) => (await t).Merge(true); //= Merger.Merge
    public async Task<int> F2(ValueTask<Merger> t) => (await t.ConfigureAwait(false)).Merge(true); //= Merger.Merge
    public async Task<int> F3(Merger m) => (await m.LoadAsync()).Merge(true); //= Merger.Merge
    public async Task<int> F4(Merger m) { var n = await m.LoadAsync(); return n.Merge(true); } //= Merger.Merge
    public int F5(Task<Merger> t) => t.Result.Merge(true); //= Merger.Merge
    public void I() { Prop.Label = "x"; Prop.Label += "y"; } //= Merger.Label Use.Prop
    public int J(Merger m) { m.Next.Label = m.With(1).Label; return m[1].Merge(true); } //= Merger.Label Merger.Next Merger.With Merger.Merge?
    public int K(Merger a, Merger b) => (a + b).Merge(true); //= Merger.Merge?
    public int L(Merger a, Merger b) => (a ?? b).Merge(true); //= Merger.Merge
    public int M(bool c, Merger a, Merger b) => (c ? a : b).Merge(true); //= Merger.Merge
    public int N() => Merger.Make().Merge(true); //= Merger.Merge
    public int O() { Merger Own() => new(1); return Own().Merge(true); } //= Merger.Merge
    public int P(object o) => (o as Merger).Merge(true) + ((Merger)o).Merge(true); //= Merger.Merge
    public int P2(object o) => (o as Merger)?.Merge(true) ?? 0; //= Merger.Merge
    public int Q(Merger m) { if (m.TryNext(out var n)) return n.Merge(true); return 0; } //= Merger.Merge
    public int Q2(Merger m) { if (m.TryNext(out Merger n)) return n.Merge(true); return 0; } //= Merger.Merge
    public int R(Rival r, Merger m) => (r + m).Merge(true); //= Rival.Merge?
    public int S(Unknown u) => u.Merge(true);
    public int T() { using var m = new Merger(1); return m.Merge(true); } //= Merger.Merge
    public int U(Lazy<Merger> m) => m.Value.Merge(true); //= Merger.Merge
    public int V(Func<Merger> f) => f().Merge(true) + f.Invoke().Merge(false); //= Merger.Merge
    public int W(Merger? m) => m!.Merge(true); //= Merger.Merge
    public int X() { Merger m = new(1); return m.Merge(true); } //= Merger.Merge
    public int Y() { var (a, b) = (new Merger(1), new Rival()); return a.Merge(true); } //= Merger.Merge
    public int Z() { var (a, b) = (new Merger(1), new Rival()); return b.Merge(true); } //= Rival.Merge
    public int Z1((Merger, Rival) t) { var (a, b) = t; return b.Merge(true); } //= Rival.Merge?
    public int Z2((Merger One, Rival Two) t) => t.One.Merge(true) + t.Item2.Merge(false); //= Merger.Merge? Rival.Merge?
    public int Z3() { (Merger a, Rival b) = Both(); return b.Merge(true); } //= Rival.Merge
    (Merger, Rival) Both() => default;
    public int Z4() { var (a, b) = Both(); return a.Merge(true); } //= Merger.Merge
    public int Z5() { var t = Both(); return t.Item1.Merge(true); } //= Merger.Merge?
}
public class Heir : Merger {
    public Heir() : base(1) { }
    int Own() => base.Merge(true) + Merge(false) + this.Merge(true); //= Merger.Merge
    string Set() { Label = "x"; return base.Label; } //= Merger.Label
}
"#;
    check(&[("src/Types.cs", TYPES), ("src/Use.cs", text)]);
}

#[test]
fn type_parameters_are_what_the_receiver_says() {
    let text = r#"namespace App;
public class Use {
    private readonly IStore<Merger> _store;
    private Dictionary<string, Merger> _byName = new();
    private IStore<Rival> Rivals { get; }
    public Use(IStore<Merger> store) { _store = store; }
    public int B() => _store.Get(1).Merge(false); //= Merger.Merge IStore.Get
    public int B2() => this._store.Current.Merge(false); //= Merger.Merge IStore.Current
    public int B3() => Rivals.Get(1).Merge(false); //= Rival.Merge IStore.Get
    public async Task<int> B4() => (await _store.FindAsync(1)).Merge(false); //= Merger.Merge
    public int B5() { foreach (var m in _store.All()) { m.Merge(false); } return 0; } //= Merger.Merge
    public int B6(IStore<Merger> s) { var m = s.Get(1); return m.Merge(true); } //= Merger.Merge IStore.Get
    public int C(Box<Merger> b) => b.Held.Merge(true) + b.Open().Merge(true); //= Merger.Merge
    public int C2(Box<Merger> b) => b.Items[0].Merge(true) + b.Same().Open().Merge(false); //= Merger.Merge
    public int C3() => new Box<Merger>().Open().Merge(true); //= Merger.Merge
    public int C4() { var b = new Box<Rival>(); return b.Held.Merge(true); } //= Rival.Merge
    public int C5(Box<Box<Merger>> b) => b.Open().Open().Merge(true); //= Merger.Merge
    public int C6(Crate c) => c.Open().Merge(true); //= Merger.Merge
    public int D(Pair<Merger, Rival> p) => p.First.Merge(true); //= Merger.Merge
    public int D2(Pair<Merger, Rival> p) => p.Second.Merge(true); //= Rival.Merge
    public int E() => Tools.Make<Merger>().Merge(true); //= Merger.Merge
    public int F(Dictionary<string, Merger> d) => d["x"].Merge(true); //= Merger.Merge
    public int F2() { if (_byName.TryGetValue("x", out var m)) return m.Merge(true); return 0; } //= Merger.Merge
    public int F3() { foreach (var pair in _byName) pair.Value.Merge(true); return 0; } //= Merger.Merge
    public int F4() { foreach (var (key, value) in _byName) value.Merge(true); return 0; } //= Merger.Merge?
    public int F5() { foreach (var value in _byName.Values) value.Merge(true); return 0; } //= Merger.Merge
    public int G<T>(T it) where T : Merger => it.Merge(true); //= Merger.Merge
    public int H<T>(Box<T> b) => b.Open().Merge(true); //= Merger.Merge?
}
public class Sorted<T> where T : Rival { int A(T it) => it.Merge(true); } //= Rival.Merge
"#;
    check(&[("src/Types.cs", TYPES), ("src/Use.cs", text)]);
}

#[test]
fn patterns_name_the_type_of_what_they_declare() {
    let text = r#"namespace App;
public class Use {
    public int A(object o) => o is Merger m ? m.Merge(true) : 0; //= Merger.Merge
    public int B(object o) { if (o is not Merger m) return 0; return m.Merge(true); } //= Merger.Merge
    public int C(object o) {
        switch (o) {
            case Merger m when m.Label == "x": return m.Merge(true); //= Merger.Merge Merger.Label
            case Rival m: return m.Merge(false); //= Rival.Merge
            default: return 0;
        }
    }
    public int D(object o) => o switch {
        Merger m when m.Merge(true) > 1 => m.Merge(false), //= Merger.Merge
        Rival m => m.Merge(true), //= Rival.Merge
        _ => 0,
    };
    public int E(object o) => o is Merger { Label: "x" } m ? m.Merge(true) : 0; //= Merger.Merge Merger.Label
    public int F(Merger o) => o is { Next: var n } ? n.Merge(true) : 0; //= Merger.Merge Merger.Next
    public int G(Merger o) => o is { } m ? m.Merge(true) : 0; //= Merger.Merge
    public int H(Merger o) => o is var m ? m.Merge(true) : 0; //= Merger.Merge
    public int I(object o) => o is Merger { Next.Label: "x" } ? 1 : 0; //= Merger.Next? Merger.Label?
}
"#;
    check(&[("src/Types.cs", TYPES), ("src/Use.cs", text)]);
}

#[test]
fn lambdas_and_loops_get_what_is_held() {
    let text = r#"namespace App;
using System.Linq;
public class Use {
    List<Rival> _rivals = new();
    public int C(Merger[] all) => all.Select(m => m.Merge(true)).Sum(); //= Merger.Merge
    public int C2(List<Merger> all) => all.Where(m => m.Merge(true) > 0).First().Merge(true); //= Merger.Merge
    public int C3(IEnumerable<Merger> all) => all.OrderBy(m => m.Label).ThenBy(x => x.Merge(true)).First().Merge(true); //= Merger.Merge Merger.Label
    public int C4(IReadOnlyList<Merger> all) => all.First(m => m.Label == "").Merge(true); //= Merger.Merge Merger.Label
    public int C5(IList<Merger> all) => all.FirstOrDefault(m => m.Label == "")?.Merge(true) ?? 0; //= Merger.Merge Merger.Label
    public int C6(List<Merger> all) => all.Select(m => m.Next).First().Merge(true); //= Merger.Merge? Merger.Next
    public int C7(List<Merger> all) => all.Select((m, i) => m.Merge(true)).Sum(); //= Merger.Merge
    public int C8(List<Merger> all) { all.ForEach(m => { m.Merge(true); }); return 0; } //= Merger.Merge
    public bool C9(ICollection<Merger> all) => all.Any(m => m.Label == "") && all.All(m => m.Label == ""); //= Merger.Label
    public int D(List<Merger> all) => all.ToList()[0].Merge(true) + all.ToArray().Last().Merge(true); //= Merger.Merge
    public void E() { foreach (var m in new List<Merger>()) { m.Merge(false); } } //= Merger.Merge
    public void E2() { foreach (Merger m in Unknown()) m.Merge(false); } //= Merger.Merge
    public void E3() { foreach (var m in new[] { new Merger(1), new Merger(2) }) m.Merge(false); } //= Merger.Merge
    public void E4() { var all = new List<Merger> { new(1) }; foreach (var m in all) m.Merge(false); all[0].Merge(true); } //= Merger.Merge
    public void E5() { foreach (var m in _rivals) m.Merge(false); } //= Rival.Merge
    public void E6() { var all = new Merger[3]; all[0].Merge(true); } //= Merger.Merge
    public void E7(HashSet<Merger> all) { foreach (var m in all.Where(x => x.Label != "")) m.Merge(false); } //= Merger.Merge Merger.Label
    public async Task E8(IAsyncEnumerable<Merger> all) { await foreach (var m in all) m.Merge(false); } //= Merger.Merge
    public void F(IEnumerable<Merger> all) { var q = from m in all where m.Label == "" select m.Merge(true); } //= Merger.Label Merger.Merge
    public void G(IDictionary<string, Merger> all) { foreach (var m in all.Values) m.Merge(true); } //= Merger.Merge
    public void H(Action<Merger> a) { Run(m => m.Merge(true)); } //= Merger.Merge
    public void Run(Func<Merger, int> f) { }
    public int I(List<Merger> all) => all.GroupBy(m => m.Label).Count(); //= Merger.Label
    public int J(Merger[] all, int k) { var o = all.SingleOrDefault(m => m.Label == ""); return o.Merge(true); } //= Merger.Label Merger.Merge
    public int K(Unknown all) => all.Select(m => m.Merge(true)).Sum();
    public int L(List<Merger> all) => all.Max(m => m.Merge(true)) + all.Select(m => m.With(1)).ToList()[0].Merge(true); //= Merger.Merge Merger.With
}
"#;
    check(&[("src/Types.cs", TYPES), ("src/Use.cs", text)]);
}

#[test]
fn a_type_of_a_property_of_its_name_is_meant_on_whatever_line_its_member_stands() {
    check_uses(&[(
        &[(
            "A.cs",
            "enum Size { Small, Large }\nclass Shirt\n{\n    Size Size = Size.Small;\n    bool IsLarge()\n    {\n\
             \x20       return Size == Size\n            .Large;\n    }\n    bool IsSmall()\n    {\n        return Size /* one */ . /* two */ Small == Size;\n    }\n}\n",
        )],
        &[
            ("A.cs:1", &["A.cs:4", "A.cs:4", "A.cs:7", "A.cs:12"]),
            ("Shirt.Size", &["A.cs:7", "A.cs:12"]),
        ],
    )]);
}

#[test]
fn a_key_of_an_object_without_a_type_is_no_use() {
    check_uses(&[(
        &[(
            "A.cs",
            "class Box\n{\n    int item = 1;\n    int Size { get; }\n    object Make(Box box)\n    {\n        return new { item = 2, Size = 3 };\n    }\n\
             \x20   object Copy(Box box)\n    {\n        return new { item, box.Size };\n    }\n    object Pair()\n    {\n        return (item: 1, Size: 2);\n    }\n}\n",
        )],
        &[("Box.item", &["A.cs:11"]), ("Box.Size", &["A.cs:11"])],
    )]);
}

#[test]
fn a_mark_names_its_type_with_or_without_the_end_of_its_name() {
    check_uses(&[(
        &[
            (
                "A.cs",
                "namespace N;\npublic abstract class BaseAttribute : System.Attribute { }\n\
                 public sealed class ColorAttribute : BaseAttribute\n{\n    public ColorAttribute(int n) { }\n}\n\
                 public class Color { }\npublic sealed class Plain : System.Attribute { }\n",
            ),
            (
                "B.cs",
                "using N;\n[Color(3)]\npublic class P\n{\n    [ColorAttribute(1)] int a;\n    [N.Color(2), Plain] int b;\n\
                 \x20   [return: Color(4)] int c() => 1;\n    Color d;\n}\n[assembly: Color(5)]\n",
            ),
        ],
        &[
            (
                "A.cs:3",
                &["B.cs:2", "B.cs:5", "B.cs:6", "B.cs:7", "B.cs:10"],
            ),
            ("N.Color", &["B.cs:8"]),
            ("N.Plain", &["B.cs:6"]),
            ("N.BaseAttribute", &["A.cs:3"]),
        ],
    )]);
}

#[test]
fn an_extension_on_a_value_takes_the_arguments_behind_the_value() {
    check_uses(&[(
        &[
            (
                "Ext.cs",
                "namespace N;\npublic static class Ext\n{\n    public static int Wait(this Job job) => 1;\n\
               \x20   public static void Call(\n        this F.Thing it, int n) => Core(it);\n    static void Core(F.Thing it) { }\n\
               \x20   public static int Later(this Job job, int n, int m = 0) => 1;\n}\n",
            ),
            (
                "B.cs",
                "using N;\nusing Short = N.Ext;\nclass P\n{\n    Job _job;\n    void M(Job job, F.Thing it)\n    {\n\
                 \x20       job.Wait(false);\n        job.Wait();\n        Ext.Wait(job);\n        N.Ext.Wait(job);\n        it.Call(1);\n\
                 \x20       Make().Wait(1);\n        this._job.Wait(1);\n        job.Later(1);\n        job.Later(1, 2);\n        job.Later(1, 2, 3);\n    }\n}\n",
            ),
        ],
        &[
            ("Ext.Wait", &["B.cs:9", "B.cs:10", "B.cs:11", "B.cs:13?"]),
            ("Ext.Call", &["B.cs:12"]),
            ("Ext.Later", &["B.cs:15", "B.cs:16"]),
        ],
    )]);
}

#[test]
fn a_value_whose_type_says_nothing_may_have_the_member_that_an_extension_names() {
    check_uses(&[(
        &[
            (
                "Ext.cs",
                "namespace N;\npublic static class Ext\n{\n    public static string Cut(this string text, int n) => text;\n\
               \x20   public static int Place(this Mark mark) => 1;\n\
               \x20   public static T Final<T>(this IEnumerable<T> all) => default;\n}\n",
            ),
            (
                "B.cs",
                "using N;\nclass P\n{\n    void M(Node node, Mark mark, List<int> all, string s)\n    {\n\
                 \x20       \"a\".Cut(1);\n        s.Cut(2);\n        node.Name.Cut(3);\n        node.Place();\n\
                 \x20       mark.Place();\n        new Mark(1).Place();\n        node.Mark.Place();\n\
                 \x20       all.Final();\n        node.ToString().Cut(1);\n        1.Cut(2);\n\
                 \x20       Mark().Place();\n    }\n}\n",
            ),
        ],
        &[
            (
                "Ext.Cut",
                &["B.cs:6", "B.cs:7", "B.cs:8~", "B.cs:14", "B.cs:15~"],
            ),
            (
                "Ext.Place",
                &["B.cs:9~", "B.cs:10", "B.cs:11", "B.cs:12~", "B.cs:16~"],
            ),
            ("Ext.Final", &["B.cs:13~"]),
        ],
    )]);
}

#[test]
fn pointers_aliases_and_members_of_the_name_of_their_type_lose_no_use() {
    check_uses(&[
        (
            &[(
                "A.cs",
                "static unsafe class P\n{\n    static int Main() { int n = 3; return Two(&n, 4) + Many(&n, &n); }\n\
                 \x20   static int Two(int* p, int k) => k;\n    static int Many(byte** p, void* q) => 1;\n}\n",
            )],
            &[("P.Two", &["A.cs:3"]), ("P.Many", &["A.cs:3"])],
        ),
        (
            &[(
                "A.cs",
                "using Alias = N.Aliased;\nnamespace N\n{\n    internal class Aliased { internal int Go() => 1; }\n\
                 \x20   public static class Program { public static int Main() => new Alias().Go(); }\n}\n",
            )],
            &[("N.Aliased", &["A.cs:5"]), ("Aliased.Go", &["A.cs:5"])],
        ),
        (
            &[
                (
                    "A.cs",
                    "namespace N\n{\n    internal class Aliased { internal int Go() => 1; }\n}\n",
                ),
                (
                    "B.cs",
                    "namespace M\n{\n    using Alias = N.Aliased;\n    class P { int M() => new Alias().Go(); }\n}\n",
                ),
            ],
            &[("N.Aliased", &["B.cs:4"]), ("Aliased.Go", &["B.cs:4"])],
        ),
        (
            &[(
                "A.cs",
                "class Ctx\n{\n    public Runner Runner { get; }\n    public Ctx() { Runner = new Runner(); Runner.Go(); }\n}\n\
                 class Runner\n{\n    public Runner() { }\n    public void Go() { }\n}\n",
            )],
            &[
                ("Ctx.Runner", &["A.cs:4", "A.cs:4"]),
                ("A.cs:6", &["A.cs:3", "A.cs:4"]),
                ("Runner.Go", &["A.cs:4"]),
            ],
        ),
    ]);
}

#[test]
fn a_mark_that_describes_hands_nothing_on_however_it_is_written() {
    check_verdicts(&[(
        &[(
            "A.cs",
            "class P\n{\n    static void Main() { }\n    [SuppressWarnings] private void M() { }\n\
             \x20   [SuppressWarningsAttribute(\"x\")] private void N() { }\n    [Run] private void O() { }\n}\n",
        )],
        &[
            ("P.M", &["dead"]),
            ("P.N", &["dead"]),
            ("P.O", &["maybe, listed alive"]),
        ],
    )]);
}
