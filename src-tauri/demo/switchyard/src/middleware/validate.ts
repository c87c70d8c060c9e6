import type { Context, Handler } from "./compose";

/** A parameter is missing or of the wrong form. */
export class InvalidParameter extends Error {}

/** Validates parameters before the handler runs. */
export function validate(rules: Record<string, RegExp>): Handler {
  return (context, next) => {
    for (const [name, rule] of Object.entries(rules)) check(context, name, rule);
    return next();
  };
}

function check(context: Context, name: string, rule: RegExp): void {
  const value = context.params[name];
  // TODO: say which form was expected.
  if (value === undefined || !rule.test(value)) throw new InvalidParameter(name);
}
