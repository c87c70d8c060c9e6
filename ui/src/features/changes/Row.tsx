// A row of the changes: a file, a definition in it, or imports that lead nowhere.

import { memo } from "react";
import { plural } from "../../components/format";
import { PathText } from "../../components/PathText";
import type { BrokenImports } from "../../ipc";
import { Risk } from "./Risk";
import type { ChangeRow } from "./rows";
import { changeWords, importersWords } from "./words";

export const Row = memo(function Row({ row }: { row: ChangeRow }) {
  if (row.kind === "file") {
    const lines = row.nLines > 0 ? plural(row.nLines, "line") : "";
    return (
      <>
        <PathText className="changes-file" path={row.path} />
        <span className="small muted ellipsis">
          {[row.what, lines].filter(Boolean).join(" · ")}
        </span>
      </>
    );
  }
  if (row.kind === "broken") return <BrokenRow of={row.broken} />;
  const { symbol, change, risk, reasons } = row.symbol;
  const said = changeWords(row.symbol);
  return (
    <>
      <Risk risk={risk} />
      <span className="changes-main">
        <span className="changes-name">
          <span className="code ellipsis" title={symbol.qualified}>
            {symbol.qualified}
          </span>
          {change !== "changed" && (
            <span className="pill ellipsis" title={said}>
              {said}
            </span>
          )}
        </span>
        <span className="small muted ellipsis">
          {reasons.map(({ text }) => text).join("; ") || "no known risk"}
        </span>
      </span>
    </>
  );
});

function BrokenRow({ of }: { of: BrokenImports }) {
  const files = [...new Set(of.importers.map(({ path }) => path))];
  const more = of.n_importers - files.length;
  return (
    <>
      <Risk risk={of.risk} />
      <span className="changes-main">
        <span className="changes-name">
          <span className="ellipsis">{importersWords(of)}</span>
          <span className="pill">broken imports</span>
        </span>
        <span className="small muted ellipsis">
          {files.join(", ")}
          {more > 0 && ` and ${more.toLocaleString("en")} more`}
        </span>
      </span>
    </>
  );
}
