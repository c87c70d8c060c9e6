// Beside a map with something drawn over it: what the lit files are, all of them as a list, and what is not known.

import { useMemo, useRef, useState } from "react";
import { clearMap } from "../../../app/on-map";
import { Button } from "../../../components/controls";
import { plural, sentence } from "../../../components/format";
import { Icon } from "../../../components/Icon";
import { PathText } from "../../../components/PathText";
import { ShareMenu } from "../../../components/share/ShareMenu";
import { useWindowed } from "../../../components/useWindowed";
import type { RepositoryMap } from "../../../ipc";
import type { Layer, MapOverlay, Mark } from "./overlay";
import { overlayPicture } from "./overlay-picture";

const ROW = 44;

interface Row {
  mark: Mark;
  path: string;
  note: string;
  isOnMap: boolean;
}

export function OverlayPanel(props: {
  overlay: MapOverlay;
  map: RepositoryMap;
  /** What the map puts before a path. */
  start: string;
  onPick: (path: string) => void;
}) {
  const { overlay, map, start } = props;
  const onMap = useMemo(() => new Set(map.files.map((file) => file.path)), [map]);
  const isOnMap = (path: string) => onMap.has(start + path);
  const rows = overlay.layers.flatMap(({ mark, files }) =>
    files.map((file): Row => ({ ...file, mark, isOnMap: isOnMap(file.path) })),
  );
  return (
    <section className="map-over" aria-label="Drawn over the map" data-testid="map-over">
      <header>
        <h2>{overlay.title}</h2>
        <Button icon="close" data-testid="map-clear" onPress={clearMap}>
          Clear (Esc)
        </Button>
        <ShareMenu
          name="whyrank-map"
          data-testid="map-share"
          draw={() => overlayPicture(overlay, document.querySelector(".map-pane svg"))}
        />
      </header>
      <ul className="map-legend" aria-label="Legend">
        {overlay.layers.map((layer) => (
          <Legend key={layer.mark} layer={layer} isOnMap={isOnMap} />
        ))}
      </ul>
      {overlay.notes.map((note) => (
        <p key={note} className="small muted map-note" data-testid="map-note">
          <Icon name="info" />
          <span>{sentence(note)}</span>
        </p>
      ))}
      <Files rows={rows} onPick={(path) => props.onPick(start + path)} />
    </section>
  );
}

/** `Changed: 4 files, 1 not on the map`: what is not in the index has no place there. */
function Legend({ layer, isOnMap }: { layer: Layer; isOnMap: (path: string) => boolean }) {
  const { mark, label, files } = layer;
  const nOff = files.filter((file) => !isOnMap(file.path)).length;
  return (
    <li>
      <Swatch mark={mark} />
      {label}: {plural(files.length, "file")}
      {nOff > 0 && (
        <span className="muted">, {nOff === files.length ? "none" : `${nOff} not`} on the map</span>
      )}
    </li>
  );
}

function Swatch({ mark }: { mark: Mark }) {
  return (
    <svg className="map-swatch" width="18" height="14" aria-hidden="true">
      <g className="map-file" data-lit={mark}>
        <rect x="1" y="1" width="16" height="12" rx="2" />
      </g>
    </svg>
  );
}

/** Every lit file; arrow keys lead through them, only those in sight are drawn. */
function Files({ rows, onPick }: { rows: Row[]; onPick: (path: string) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, rows.length - 1);
  const { drawn, onScroll, onKeyDown } = useWindowed({
    ...{ box, n: rows.length, rowPx: ROW, at },
    onMove: setChosen,
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys of the buttons in it
    <div
      ref={box}
      className="map-over-files"
      data-testid="map-over-files"
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <ul aria-label="Files" style={{ height: rows.length * ROW }}>
        {drawn.map((place) => {
          const row = rows[place];
          return (
            row && (
              <li
                key={`${row.mark} ${row.path}`}
                data-row={place}
                aria-posinset={place + 1}
                aria-setsize={rows.length}
                style={{ top: place * ROW, height: ROW }}
              >
                <button
                  type="button"
                  data-main
                  data-testid="map-over-file"
                  tabIndex={place === at ? 0 : -1}
                  onFocus={() => setChosen(place)}
                  onClick={() => onPick(row.path)}
                >
                  <Swatch mark={row.mark} />
                  <PathText className="code" path={row.path} />
                  <span className="small muted ellipsis">
                    {row.note}
                    {!row.isOnMap && " · not on the map"}
                  </span>
                </button>
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}
