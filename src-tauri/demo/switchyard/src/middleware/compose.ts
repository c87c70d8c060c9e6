import type { Method, Params } from "../router";

/** A request on its way through the handlers. */
export interface Context {
  method: Method;
  url: string;
  params: Params;
}

export type Next = () => Promise<string>;
export type Handler = (context: Context, next: Next) => Promise<string>;

/** One handler out of several: each may call the next. */
export function compose(handlers: Handler[]): (context: Context) => Promise<string> {
  const run = (at: number, context: Context): Promise<string> => {
    const handler = handlers[at];
    if (!handler) return Promise.resolve("");
    return handler(context, () => run(at + 1, context));
  };
  return (context) => run(0, context);
}
