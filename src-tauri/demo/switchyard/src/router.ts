/** The methods that a route can be registered for. */
export const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

export type Method = (typeof METHODS)[number];

/** Path parameters of a request, by name. */
export type Params = Record<string, string>;

/** The handlers that match a request, in the order of their registration. */
export interface Match<T> {
  handlers: T[];
  params: Params;
}

/** Keeps handlers by method and path. */
export interface Router<T> {
  /** What the router is called in reports. */
  readonly name: string;
  /** Registers a handler. */
  add(method: Method, path: string, handler: T): void;
  /** Gives the handlers of a request. */
  match(method: Method, path: string): Match<T>;
}

/** A router cannot hold a route. */
export class UnsupportedPath extends Error {
  constructor(readonly path: string) {
    super(`this router cannot hold ${path}`);
  }
}
