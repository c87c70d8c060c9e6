// Imports that lead nowhere since a file moved or went.

import type { BrokenImports } from "../../ipc";
import { CallerList, type Open } from "./CallerList";
import { Risk } from "./Risk";
import { importersWords } from "./words";

export function BrokenFacts({ of, onOpen }: { of: BrokenImports; onOpen: Open }) {
  const { path, now, n_importers, importers } = of;
  return (
    <div className="changes-facts">
      <div className="changes-why">
        <Risk risk={of.risk} />
        <span>
          <span className="code">{path}</span> {wentWords(path, now)}
          {now && now !== path && <span className="code">{now}</span>}, and {importersWords(of)}.
        </span>
      </div>
      <CallerList title="Imports" callers={importers} n={n_importers} onOpen={onOpen} />
    </div>
  );
}

function wentWords(path: string, now: string | null): string {
  if (!now) return "is gone";
  return now === path ? "is reached by another path" : "moved to ";
}
