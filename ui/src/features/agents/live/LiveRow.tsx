// One call: when, who, what was asked, what the answer cost and what grep would have, and where a click leads.

import { memo } from "react";
import { ms, plural } from "../../../components/format";
import { Icon } from "../../../components/Icon";
import type { CallLine, GrepCall } from "../../../ipc";
import { askedBy } from "../timeline";
import { grepInWords, timeOfDay } from "../words";
import { LEAD_WORDS, leadOf } from "./lead";

export const LiveRow = memo(function LiveRow(props: {
  id: string;
  call: CallLine;
  grep: GrepCall | undefined;
  /** Name of the repository that was asked, where several are known. */
  repo: string | undefined;
  /** Its place among the calls, and how many there are. */
  at: number;
  n: number;
  isChosen: boolean;
  onFollow: (call: CallLine) => void;
}) {
  const { call, grep } = props;
  const { asked, rest } = askedBy(call.args);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list keeps the focus
    <div
      id={props.id}
      role="option"
      className="live-row"
      data-testid="live-call"
      data-failed={call.error !== null || undefined}
      aria-selected={props.isChosen}
      aria-posinset={props.at + 1}
      aria-setsize={props.n}
      onClick={() => props.onFollow(call)}
    >
      <span className="num small muted">{timeOfDay(call.at_ms)}</span>
      <span className="live-who">
        <span className="ellipsis">{call.client}</span>
        <span className="small muted ellipsis code">
          {[call.session, props.repo].filter(Boolean).join(" · ")}
        </span>
      </span>
      <span className="live-asked">
        <span className="ellipsis">
          <b className="code">{call.tool}</b> {asked}
        </span>
        <span className="small muted ellipsis code">
          {call.error ? (
            <span className="session-error">{call.error.replaceAll("-", " ")}</span>
          ) : (
            rest
          )}
        </span>
      </span>
      <span className="live-cost num small">
        <span>
          {plural(call.tokens, "token")} · {ms(call.ms)}
        </span>
        {grep && <span className="muted">{grepInWords(grep)}</span>}
      </span>
      <span className="live-lead small">
        {LEAD_WORDS[leadOf(call).kind]}
        <Icon name="right" />
      </span>
    </div>
  );
});
