import { type Handler, compose } from "./middleware/compose";
import type { Method, Router } from "./router";
import { RegExpRouter } from "./router/reg-exp-router/router";
import { SmartRouter } from "./router/smart-router/router";
import { TrieRouter } from "./router/trie-router/router";
import { getPath, mergePath } from "./utils/url";

/** An application: routes, and the middleware before them. */
export class App {
  private readonly router: Router<Handler>;
  private readonly middleware: Handler[] = [];

  constructor(router?: Router<Handler>) {
    this.router = router ?? new SmartRouter([new RegExpRouter(), new TrieRouter()]);
  }

  /** Runs a handler before those of all routes. */
  use(handler: Handler): this {
    this.middleware.push(handler);
    return this;
  }

  get(path: string, handler: Handler): this {
    return this.on("GET", path, handler);
  }

  post(path: string, handler: Handler): this {
    return this.on("POST", path, handler);
  }

  on(method: Method, path: string, handler: Handler): this {
    this.router.add(method, mergePath(path), handler);
    return this;
  }

  /** Answers a request: middleware first, then the handlers that match. */
  async dispatch(method: Method, url: string): Promise<string> {
    const { handlers, params } = this.router.match(method, getPath(url));
    if (handlers.length === 0) return "404 Not Found";
    return compose([...this.middleware, ...handlers])({ method, url, params });
  }
}
