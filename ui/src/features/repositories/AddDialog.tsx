// Adding a repository: a folder, then what indexing it would take in, then the index.

import { useEffect, useState } from "react";
import { navigate } from "../../app/route";
import { session } from "../../app/session";
import { Button } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { bytes, count, plural } from "../../components/format";
import { FailureLine } from "../../components/states";
import {
  choosePath,
  type LanguageShare,
  type ScanReport,
  useAddRepo,
  useRepos,
  useScan,
  useStartIndex,
} from "../../ipc";

export function AddDialog(props: { path: string | undefined; onClose: () => void }) {
  const [path, setPath] = useState(props.path ?? "");
  const scan = useScan();
  const add = useAddRepo();
  const startIndex = useStartIndex();
  const { data: repos = [] } = useRepos();
  const there = repos.find(({ root }) => root === scan.data?.root);
  const runScan = scan.mutate;

  useEffect(() => {
    if (!props.path) return;
    setPath(props.path);
    runScan(props.path);
  }, [props.path, runScan]);

  const browse = async () => {
    const chosen = await choosePath("repository");
    if (!chosen) return;
    setPath(chosen);
    scan.mutate(chosen);
  };
  const open = (repo: string) => {
    session.set({ repo });
    navigate({ view: "search" });
  };
  const finish = async (index: boolean) => {
    const repo = await add.mutateAsync(scan.data?.root ?? path).catch(() => null);
    if (!repo) return;
    session.set({ repo: repo.id });
    if (index && !(await startIndex.mutateAsync({ repo: repo.id }).catch(() => null))) return;
    props.onClose();
  };

  return (
    <Dialog title="Add repository" wide onClose={props.onClose}>
      <form
        className="add-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (path.trim()) scan.mutate(path.trim());
        }}
      >
        <label className="visually-hidden" htmlFor="add-path">
          Repository folder
        </label>
        <input
          id="add-path"
          className="input code"
          data-testid="add-path"
          placeholder="/path/to/repository"
          autoFocus
          spellCheck={false}
          value={path}
          onChange={(event) => {
            setPath(event.target.value);
            scan.reset();
          }}
        />
        <Button icon="folder" onPress={browse}>
          Browse
        </Button>
        <Button
          type="submit"
          data-testid="add-scan"
          isDisabled={!path.trim()}
          isPending={scan.isPending}
        >
          {scan.isPending ? "Scanning" : "Scan"}
        </Button>
      </form>
      {!scan.data && !scan.error && (
        <p className="muted">Scanning writes nothing. It shows what would be indexed.</p>
      )}
      <FailureLine error={scan.error ?? add.error ?? startIndex.error} />
      {there ? (
        <p role="status" data-testid="add-there">
          <b>{there.name}</b> is here already.
        </p>
      ) : (
        scan.data && <Report report={scan.data} />
      )}
      <div className="dialog-actions">
        <Button onPress={props.onClose}>Cancel</Button>
        {there ? (
          <Button kind="primary" data-testid="add-open" onPress={() => open(there.id)}>
            Search it
          </Button>
        ) : (
          <>
            <Button isDisabled={!scan.data} isPending={add.isPending} onPress={() => finish(false)}>
              Add without indexing
            </Button>
            <Button
              kind="primary"
              data-testid="add-confirm"
              isDisabled={!scan.data}
              isPending={add.isPending || startIndex.isPending}
              onPress={() => finish(true)}
            >
              Index repository
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

function Report({ report }: { report: ScanReport }) {
  const skipped = report.skipped_by_reason.reduce((sum, reason) => sum + reason.count, 0);
  return (
    <div className="scan-report" data-testid="scan-report">
      <p>
        <strong>{plural(report.files, "file")}</strong>, {bytes(report.bytes)} in{" "}
        <code className="wrap">{report.root}</code>
      </p>
      <div className="scan-columns">
        <div>
          <h3>Languages</h3>
          <Languages languages={report.languages} />
        </div>
        <div>
          <h3>{skipped === 0 ? "No files skipped" : `${plural(skipped, "file")} skipped`}</h3>
          <ul className="reasons">
            {report.skipped_by_reason.map((reason) => (
              <li key={reason.reason}>
                <span>{reason.reason}</span>
                <span className="num">{count(reason.count)}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}

function Languages({ languages }: { languages: LanguageShare[] }) {
  const top = Math.max(1, ...languages.map((language) => language.lines));
  return (
    <ul className="reasons">
      {languages.slice(0, 8).map((language) => (
        <li key={language.language}>
          <span className="language-name">{language.language}</span>
          <span className="bar" aria-hidden="true">
            <i style={{ width: `${(language.lines / top) * 100}%` }} />
          </span>
          <span className="num" title={plural(language.files, "file")}>
            {plural(language.lines, "line")}
          </span>
        </li>
      ))}
    </ul>
  );
}
