// Whether a compiler speaks for a repository's names, and the way to have one speak.

import { useState } from "react";
import { Button } from "../../components/controls";
import { ago, count } from "../../components/format";
import { FailureLine } from "../../components/states";
import { type RepoSummary, type ScipImport, useForgetPrecise } from "../../ipc";
import { PreciseDialog } from "./PreciseDialog";

export function PreciseSection({ repo, scip }: { repo: RepoSummary; scip: ScipImport | null }) {
  const [open, setOpen] = useState(false);
  const forget = useForgetPrecise(repo.id);
  return (
    <section className="health-section" data-testid="precise">
      <h3>Compiler index</h3>
      {scip ? (
        <Current scip={scip} />
      ) : (
        <p className="muted">
          None. Uses are resolved from the text; a compiler&apos;s index makes them exact.
        </p>
      )}
      <FailureLine error={forget.error} />
      <p className="precise-actions">
        <Button data-testid="precise-open" onPress={() => setOpen(true)}>
          {scip ? "Rebuild…" : "Build compiler index…"}
        </Button>
        {scip && (
          <Button isPending={forget.isPending} onPress={() => forget.mutate()}>
            Delete
          </Button>
        )}
      </p>
      {open && <PreciseDialog repo={repo} onClose={() => setOpen(false)} />}
    </section>
  );
}

function Current({ scip }: { scip: ScipImport }) {
  return (
    <>
      <p>
        {scip.tool || scip.path}: {count(scip.n_uses)} exact uses in {count(scip.n_files)} of{" "}
        {count(scip.n_code_files)} code files, built {ago(Date.now() / 1000 - scip.age_s)}.
      </p>
      {scip.brought?.map((path) => (
        <p key={path} className="small muted wrap">
          {path} is committed: what it says is the repository's word.
        </p>
      ))}
      {scip.notes.map((note) => (
        <p key={note} className="small muted wrap">
          {note}
        </p>
      ))}
    </>
  );
}
