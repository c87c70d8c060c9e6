// The places that use a definition, by file.

import { type RefHit, type SymbolLine, useRefs } from "../ipc";
import { doubtOf, isCertain } from "./certain";
import type { OpenPlace } from "./code-links";
import { plural, sentence } from "./format";
import { PathText } from "./PathText";
import { FailureLine } from "./states";

/** More are read in the graph. */
const MOST_USES = 100;

export function PeekUses(props: {
  repo: string;
  asOf: string | null;
  target: SymbolLine;
  onOpen: OpenPlace;
}) {
  const { repo, asOf, target } = props;
  const { qualified, path, name_line } = target;
  const refs = useRefs({ repo, asOf, symbol: qualified, path, line: name_line });
  if (refs.isError) return <FailureLine error={refs.error} />;
  if (!refs.data) return <p className="peek-note small muted">Looking for uses</p>;
  const { references, by_name, by_name_only, n_unsettled } = refs.data;
  const uses = references.length > 0 ? references : (by_name?.uses ?? []);
  return (
    <>
      {by_name_only && <Note>{sentence(by_name_only)} These go by the name alone.</Note>}
      {references.length === 0 && <Note>{nothingOf(by_name?.n_uses ?? 0)}</Note>}
      <ul className="peek-rows" data-testid="peek-uses-list">
        {uses.slice(0, MOST_USES).map((use, at) => (
          <UseRow
            key={`${use.path}:${use.line}:${use.kind}`}
            use={use}
            isFirst={use.path !== uses[at - 1]?.path}
            onOpen={props.onOpen}
          />
        ))}
      </ul>
      {uses.length > MOST_USES && <Note>{plural(uses.length - MOST_USES, "more use")}</Note>}
      {references.length > 0 && n_unsettled > 0 && (
        <Note>
          {plural(n_unsettled, "other place", "other places")} of the name may mean it as well.
        </Note>
      )}
    </>
  );
}

function nothingOf(nPlaces: number): string {
  if (nPlaces === 0) return "No use is known, and no other place bears the name.";
  return `No use is certain. ${plural(nPlaces, "place")} of the name may be one:`;
}

function UseRow(props: { use: RefHit; isFirst: boolean; onOpen: OpenPlace }) {
  const { use } = props;
  const isGuess = !isCertain(use.confidence);
  return (
    <li>
      {props.isFirst && (
        <div className="peek-file small">
          <PathText path={use.path} />
          {use.test && <span className="muted">test</span>}
        </div>
      )}
      <button
        type="button"
        className="peek-row"
        data-peek-row
        data-guess={isGuess || undefined}
        title={isGuess ? `A guess: ${doubtOf(use.confidence)}` : (use.enclosing ?? undefined)}
        onClick={() => props.onOpen({ path: use.path, line: use.line })}
      >
        <span className="peek-number">{use.line}</span>
        <span className="code ellipsis">{use.text || use.enclosing || use.kind}</span>
        <span className="small muted">{isGuess ? `${use.kind}, a guess` : use.kind}</span>
      </button>
    </li>
  );
}

function Note({ children }: { children: React.ReactNode }) {
  return <p className="peek-note small muted">{children}</p>;
}
