// Before there is anything to draw: what a repository is built around, or names near an unknown one.

import { Empty, Loading } from "../../components/states";
import { type SymbolLine, useGraphView } from "../../ipc";
import { namedLine } from "./named";
import { asRequest, type Named, nameKey, readPlace } from "./place";

export function Start({ repo, onPick }: { repo: string; onPick: (named: Named) => void }) {
  const central = useGraphView(asRequest(repo, readPlace({})));
  if (central.isPending) return <Loading label="Finding the most used symbols" />;
  const found = central.data?.near ?? [];
  return (
    <div className="graph-start">
      <p>Choose a symbol or a file to see who uses it and what it uses.</p>
      {found.length > 0 && (
        <>
          <h2>Most used here</h2>
          <Names lines={found} onPick={onPick} />
        </>
      )}
    </div>
  );
}

export function NearNames(props: {
  name: string;
  near: SymbolLine[];
  onPick: (named: Named) => void;
}) {
  if (props.near.length === 0) {
    return (
      <Empty>
        Nothing is called <q>{props.name}</q> here.
      </Empty>
    );
  }
  return (
    <div className="graph-start" data-testid="graph-near">
      <p role="status">
        Nothing is called <q>{props.name}</q> here. Did you mean one of these?
      </p>
      <Names lines={props.near} onPick={props.onPick} />
    </div>
  );
}

function Names({ lines, onPick }: { lines: SymbolLine[]; onPick: (named: Named) => void }) {
  return (
    <ul className="graph-names">
      {lines.map((line) => (
        <li key={nameKey(namedLine(line))}>
          <button
            type="button"
            className="graph-name"
            data-testid="graph-name"
            onClick={() => onPick(namedLine(line))}
          >
            <span className="code ellipsis">{line.qualified}</span>
            <span className="small muted">{line.kind}</span>
            <span className="small muted ellipsis path-start">
              <bdi>
                {line.path}:{line.name_line}
              </bdi>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
