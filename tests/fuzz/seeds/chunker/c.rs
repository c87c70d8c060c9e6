mod m { pub(crate) struct S<'a, T: Clone>(&'a T); impl<'a, T: Clone> S<'a, T> { fn f(&self) -> T { self.0.clone() } } }
macro_rules! x { ($a:expr) => { $a } }
