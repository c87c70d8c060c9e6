import type { Match, Method, Params } from "../../router";
import { splitPath } from "../../utils/url";

/** Parameters of a segment: `:id` and `:id{[0-9]+}`. */
const PARAMETER = /^:([a-z_]+)(?:\{(.+)\})?$/i;

/** One segment of the paths below a trie. */
export class Node<T> {
  readonly children = new Map<string, Node<T>>();
  readonly handlers = new Map<Method, T[]>();
  private parameter: { name: string; pattern: RegExp; node: Node<T> } | null = null;

  /** Inserts a handler below this node. */
  insert(method: Method, path: string, handler: T): void {
    let node: Node<T> = this;
    for (const segment of splitPath(path)) node = node.childFor(segment);
    const handlers = node.handlers.get(method) ?? [];
    node.handlers.set(method, [...handlers, handler]);
  }

  /** Searches the handlers of a path, segment by segment. */
  search(method: Method, path: string): Match<T> {
    const params: Params = {};
    let node: Node<T> | null = this;
    for (const segment of splitPath(path)) {
      node = node.step(segment, params);
      if (node === null) return { handlers: [], params: {} };
    }
    return { handlers: node.handlers.get(method) ?? [], params };
  }

  /** The child that a segment of a request leads to; a parameter takes what no literal has. */
  private step(segment: string, params: Params): Node<T> | null {
    const child = this.children.get(segment);
    if (child) return child;
    if (!this.parameter?.pattern.test(segment)) return null;
    params[this.parameter.name] = segment;
    return this.parameter.node;
  }

  private childFor(segment: string): Node<T> {
    const [, name, pattern] = PARAMETER.exec(segment) ?? [];
    if (name) {
      this.parameter ??= { name, pattern: new RegExp(`^${pattern ?? ".+"}$`), node: new Node() };
      return this.parameter.node;
    }
    const child = this.children.get(segment) ?? new Node<T>();
    this.children.set(segment, child);
    return child;
  }
}
