import { type Match, type Method, type Params, type Router, UnsupportedPath } from "../../router";
import { splitPath } from "../../utils/url";

interface Compiled<T> {
  pattern: RegExp;
  names: string[];
  method: Method;
  handler: T;
}

/** Compiles every route into a regular expression; holds no parameter with a pattern of its own. */
export class RegExpRouter<T> implements Router<T> {
  readonly name = "RegExpRouter";
  private readonly routes: Compiled<T>[] = [];

  add(method: Method, path: string, handler: T): void {
    this.routes.push({ ...compile(path), method, handler });
  }

  match(method: Method, path: string): Match<T> {
    const handlers: T[] = [];
    const params: Params = {};
    for (const route of this.routes) {
      const found = route.method === method ? route.pattern.exec(path) : null;
      if (!found) continue;
      handlers.push(route.handler);
      for (const [at, name] of route.names.entries()) params[name] = found[at + 1] ?? "";
    }
    return { handlers, params };
  }
}

/** The pattern of a path, and the names of its parameters. */
function compile(path: string): { pattern: RegExp; names: string[] } {
  const names: string[] = [];
  const parts = splitPath(path).map((segment) => {
    if (!segment.startsWith(":")) return segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    if (segment.includes("{")) throw new UnsupportedPath(path);
    names.push(segment.slice(1));
    return "([^/]+)";
  });
  return { pattern: new RegExp(`^/${parts.join("/")}$`), names };
}
