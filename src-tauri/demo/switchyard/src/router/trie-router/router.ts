import type { Match, Method, Router } from "../../router";
import { Node } from "./node";

/** Routes along a trie of path segments; holds every route there is. */
export class TrieRouter<T> implements Router<T> {
  readonly name = "TrieRouter";
  private readonly root = new Node<T>();

  add(method: Method, path: string, handler: T): void {
    this.root.insert(method, path, handler);
  }

  match(method: Method, path: string): Match<T> {
    return this.root.search(method, path);
  }
}
