<?php
namespace App\Models;
use Foo\Bar as Baz;
use Foo\{A, B};
use function Foo\fn1;
require_once __DIR__ . '/x.php';
require 'y.php';
/** Doc */
#[Attr]
final class User extends Model implements I {
    use TraitX;
    const C = 1;
    private ?string $name = null;
    public function __construct(private int $id) { parent::__construct(); }
    public static function make(Foo $x): self { $y = new Baz($x); $y->go(); self::C; User::make(1); helper(); return $this->name; }
}
interface I { function a(); }
trait T {}
enum S: string { case A = 'a'; }
function helper($a) { return $a; }
const K = 1;
define('X', 1);
