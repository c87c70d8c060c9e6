// The figures of a session against grep, in words.

import { count, plural } from "../../components/format";
import type { SessionCost } from "../../ipc";

/** What was measured, and for how much of the session it speaks. */
export function costInWords({ calls, n_calls }: SessionCost): string {
  if (calls.length === 0)
    return "Nothing to compare: this session has no definition or reference lookups.";
  const sum = (figure: (call: SessionCost["calls"][number]) => number) =>
    calls.reduce((total, call) => total + figure(call), 0);
  const [grep, own] = [sum((call) => call.grep_tokens), sum((call) => call.tokens)];
  const [found, shown] = [sum((call) => call.n_found), sum((call) => call.n_shown)];
  return `For ${calls.length} of ${plural(n_calls, "call")}, grep prints ${plural(grep, "token")} where Whyrank answered with ${count(own)}, and shows ${found} of the ${plural(shown, "place")}.`;
}
