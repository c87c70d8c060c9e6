package a.b;
import java.util.List;
import static x.Y.*;
/** Doc. */
@Ann(1)
public class A<T> extends B<T> implements C, D {
  private final int x = 1, y;
  public A(int a) { super(a); this.x = a; }
  @Override public List<String> run(String s) throws E { foo(s); s.bar().baz(); new Z(1); int q = x; return A::run; }
  enum K { ONE, TWO(1); }
  interface I { void m(); }
  record R(int a) {}
}
