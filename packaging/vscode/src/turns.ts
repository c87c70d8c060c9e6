/** The same act, one call after the other: a call waits for those before it, however they ended. */
export function inTurn<Args extends unknown[]>(act: (...args: Args) => Promise<void>) {
  let last: Promise<void> = Promise.resolve();
  return (...args: Args): Promise<void> => {
    const next = last.then(() => act(...args));
    last = next.catch(() => {});
    return next;
  };
}
