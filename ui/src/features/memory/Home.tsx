// Where memory is stored: its file, and memories of the same history that were recorded at other places.

import { Button } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { plural } from "../../components/format";
import { Failure, FailureLine, Loading } from "../../components/states";
import { type MemoHome, useMemoryAttach, useMemoryHome } from "../../ipc";

/** Other memories, where there are any; nothing is taken unasked. */
export function OtherMemories({ repo }: { repo: string }) {
  const home = useMemoryHome(repo, true);
  if (!home.data || home.data.found.length === 0) return null;
  return (
    <section className="memory-others" aria-label="Memory of other folders">
      <Found repo={repo} home={home.data} />
    </section>
  );
}

export function HomeDialog(props: { repo: string; onClose: () => void }) {
  const home = useMemoryHome(props.repo, true);
  const attaching = useMemoryAttach(props.repo);
  return (
    <Dialog title="Where memory is stored" onClose={props.onClose}>
      {home.isPending && <Loading label="Looking" />}
      {home.isError && <Failure error={home.error} onRetry={() => home.refetch()} />}
      {home.data && (
        <>
          <dl className="memory-dl">
            <dt>File</dt>
            <dd className="code">{home.data.file}</dd>
            {home.data.used_from !== null && (
              <>
                <dt>Recorded in</dt>
                <dd>
                  <span className="code">{home.data.used_from}</span>{" "}
                  <Button
                    data-testid="memory-detach"
                    isPending={attaching.isPending}
                    onPress={() => attaching.mutate(null)}
                  >
                    Use this folder's own memory
                  </Button>
                </dd>
              </>
            )}
          </dl>
          <FailureLine error={attaching.error} />
          {home.data.found.length === 0 ? (
            <p className="small muted">No other memory refers to this repository's commits.</p>
          ) : (
            <Found repo={props.repo} home={home.data} />
          )}
        </>
      )}
    </Dialog>
  );
}

function Found({ repo, home }: { repo: string; home: MemoHome }) {
  const attaching = useMemoryAttach(repo);
  return (
    <>
      <p>Memos about this history were recorded in other folders.</p>
      <FailureLine error={attaching.error} />
      <ul className="memory-found">
        {home.found.map((other) => (
          <li key={other.name} data-testid="memory-other">
            <span>
              <span className="code">{other.path === "" ? other.name : other.path}</span>
              <br />
              <span className="small muted">
                {plural(other.n_memos, "memo")}, {other.n_here} of {other.n_commits} commits are
                here
                {other.is_there ? "; folder still exists" : "; folder missing"}
              </span>
            </span>
            <Button
              data-testid="memory-attach"
              isPending={attaching.isPending}
              onPress={() => attaching.mutate(other.name)}
            >
              Use them here
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
