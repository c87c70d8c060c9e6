#define X(a) a##b
struct s { int (*f)(int); };
int X(g)(void) { return (int){1}; }
