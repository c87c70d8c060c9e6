const std = @import("std");
/// A point.
pub const Point = struct {
    x: i32,
    pub fn add(self: Point) i32 {
        return helper(self.x);
    }
};
fn helper(a: i32) i32 {
    return a;
}
test "adds" {
    _ = helper(1);
}
