import type { Handler } from "./compose";

/** Logs each request with the time that it took. */
export function logger(log: (line: string) => void): Handler {
  return async (context, next) => {
    const start = Date.now();
    const answer = await next();
    log(`${context.method} ${context.url} ${Date.now() - start} ms`);
    return answer;
  };
}
