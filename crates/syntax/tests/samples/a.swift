import Foundation
/// Doc
@objc public class A: B, C {
    private let x = 1
    var y: String { "a" }
    init(a: Int) { self.x = a; super.init() }
    func run(with f: Foo, _ g: Int) -> [Bar] { f.go(1); helper(x); let q = f.x; return Obj.call(q) }
    enum K { case one, two(Int) }
}
protocol P { func m(); var z: Int { get } }
struct S: P { static let k = 1 }
extension S: Q { func e() {} }
func top(_ a: Int) -> Int { a }
let g = 1
typealias T = Int
