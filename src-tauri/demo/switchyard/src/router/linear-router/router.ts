import type { Match, Method, Router } from "../../router";
import { splitPath } from "../../utils/url";

/** Looks at one route after another: quick to set up, for programs that answer few requests. */
export class LinearRouter<T> implements Router<T> {
  readonly name = "LinearRouter";
  private readonly routes: [Method, string[], T][] = [];

  add(method: Method, path: string, handler: T): void {
    this.routes.push([method, splitPath(path), handler]);
  }

  match(method: Method, path: string): Match<T> {
    const segments = splitPath(path);
    const fits = (route: string[]) =>
      route.length === segments.length &&
      route.every((part, at) => part.startsWith(":") || part === segments[at]);
    const routes = this.routes.filter(([of, route]) => of === method && fits(route));
    return { handlers: routes.map(([, , handler]) => handler), params: {} };
  }
}
