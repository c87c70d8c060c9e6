// Before there is anything to draw: what a repository is built around, or names near an unknown one.

import { lazy, Suspense } from "react";
import { overIn } from "../../app/on-map";
import { useRoute } from "../../app/route";
import { PathText } from "../../components/PathText";
import { Empty, Failure, Loading } from "../../components/states";
import {
  type RepositoryMap as MapAnswer,
  type SymbolLine,
  useGraphView,
  useRepositoryMap,
} from "../../ipc";
import { RepositoryMap } from "./map/RepositoryMap";
import { namedLine } from "./named";
import { asRequest, type Named, nameKey, readPlace } from "./place";

const Overlaid = lazy(() => import("./map/Overlaid").then((it) => ({ default: it.Overlaid })));

/** Files of the map that its list holds. */
const LISTED = 40;

export function Start({ repo, onPick }: { repo: string; onPick: (named: Named) => void }) {
  const map = useRepositoryMap(repo);
  const over = overIn(useRoute().params);
  if (over && map.isError) return <Failure error={map.error} onRetry={() => void map.refetch()} />;
  if (over && map.data)
    return (
      <div className="graph-begin" data-over>
        <Suspense fallback={<Loading label="Laying out the map" isLate />}>
          <Overlaid over={over} map={map.data} onPick={(path) => onPick({ symbol: "", path })} />
        </Suspense>
      </div>
    );
  const hasMap = map.isPending || (map.data?.files.length ?? 0) > 1;
  if (!hasMap) return <Central repo={repo} onPick={onPick} />;
  return (
    <div className="graph-begin">
      {map.data ? (
        <RepositoryMap map={map.data} onPick={(path) => onPick({ symbol: "", path })} />
      ) : (
        <Loading label="Laying out the map" />
      )}
      <Central repo={repo} map={map.data} onPick={onPick} />
    </div>
  );
}

/** The map as a list: what others use most, then its first files. */
function Central(props: { repo: string; map?: MapAnswer; onPick: (named: Named) => void }) {
  const { repo, map, onPick } = props;
  const central = useGraphView(asRequest(repo, readPlace({})));
  if (central.isPending) return <Loading label="Finding the most used symbols" />;
  const found = central.data?.near ?? [];
  return (
    <div className="graph-start" data-testid="graph-central">
      <p>Choose a symbol or a file to see who uses it and what it uses.</p>
      {found.length > 0 && (
        <>
          <h2>Most used here</h2>
          <Names lines={found} onPick={onPick} />
        </>
      )}
      {map && (
        <>
          <h2>Most important files</h2>
          <ul className="graph-names">
            {map.files.slice(0, LISTED).map(({ path }) => (
              <li key={path}>
                <button
                  type="button"
                  className="graph-name"
                  data-testid="graph-file"
                  onClick={() => onPick({ symbol: "", path })}
                >
                  <PathText className="code" path={path} />
                </button>
              </li>
            ))}
          </ul>
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
            <PathText className="small muted" path={`${line.path}:${line.name_line}`} />
          </button>
        </li>
      ))}
    </ul>
  );
}
