class A {
  constructor(x) { this.x = `${x}`; }
  get y() { return this.x?.z ?? 1; }
}
export default A;
