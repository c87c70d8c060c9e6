#include <stdio.h>
#include "x.h"
#define FOO 1
#define BAR(a) foo(a)
namespace n::m {
template <class T> class A : public B<T>, private C {
 public:
  A(int x);
  ~A() { free(p_); }
  int get() const { return p_->q; }
  static void s();
  int field_, *p_;
};
enum class E { ONE, TWO = 2 };
}
using X = int;
typedef struct { int a; } Foo;
typedef int (*cb)(int);
template <typename T> int n::A<T>::run(const std::string& s) { s.size(); Foo f; f.a = 1; return helper<int>(s); }
static int *fn(char *a, int b) { int c = a[0]; auto l = [&](int z) { return z; }; return c + GLOBAL; }
int proto(int);
int g = 1; extern int h;
operator bool();
