// The way on for an index that was left unfinished, where an answer says that something is missing.

import { unfinished } from "../../components/repo-state";
import { useLiveJob, useRepos, useStartIndex } from "../../ipc";

export function ResumeIndexing({ repo }: { repo: string }) {
  const current = useRepos().data?.find((one) => one.id === repo);
  const job = useLiveJob(repo);
  const start = useStartIndex();
  if (job || start.isPending || !current || !unfinished(current)) return null;
  return (
    <button
      type="button"
      className="link"
      data-testid="search-resume"
      onClick={() => start.mutate({ repo })}
    >
      Resume indexing
    </button>
  );
}
