using System;
using Y = A.B;
namespace N.M {
  /// <summary>Doc</summary>
  [Serializable]
  public class A<T> : B, I<T> where T : new() {
    private readonly int _x = 1;
    public string Name { get; set; }
    public A(int a) : base(a) { this._x = a; }
    public async Task<int> Run(Foo f) { f.Go(); var z = new Bar { P = 1 }; Helper<int>(z); return await X.Y(); }
    public event EventHandler E;
    public delegate void D(int x);
  }
  public interface I<T> { void M(); }
  enum K { One, Two }
  struct S { public int a; }
  record R(int A);
}
