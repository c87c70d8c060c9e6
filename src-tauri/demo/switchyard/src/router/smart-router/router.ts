import { type Match, type Method, type Router, UnsupportedPath } from "../../router";

/** Asks each router in turn and stays with the first that holds every route. */
export class SmartRouter<T> implements Router<T> {
  name = "SmartRouter";
  private chosen: Router<T> | null = null;
  private readonly routes: [Method, string, T][] = [];

  constructor(private readonly routers: Router<T>[]) {}

  add(method: Method, path: string, handler: T): void {
    if (this.chosen) throw new Error("routes are added before the first request");
    this.routes.push([method, path, handler]);
  }

  match(method: Method, path: string): Match<T> {
    this.chosen ??= this.choose();
    return this.chosen.match(method, path);
  }

  private choose(): Router<T> {
    for (const router of this.routers) {
      try {
        for (const route of this.routes) router.add(...route);
      } catch (error) {
        if (error instanceof UnsupportedPath) continue;
        throw error;
      }
      this.name = `SmartRouter + ${router.name}`;
      return router;
    }
    throw new Error("no router holds every route");
  }
}
