// Changes: what is not committed, a branch, a commit or a range, as the engine reviews it.

import "./changes.css";
import { amend, navigate, useRoute } from "../../app/route";
import { session } from "../../app/session";
import { Button } from "../../components/controls";
import { Empty, Failure, Loading } from "../../components/states";
import { useRepos } from "../../ipc";
import { Review } from "./Review";

export function ChangesView() {
  const { repo } = session.use();
  const { params } = useRoute();
  const repos = useRepos();
  const current = repos.data?.find((one) => one.id === repo);
  if (repos.isPending) return <Loading label="Reading repositories" />;
  if (repos.isLoadingError) return <Failure error={repos.error} onRetry={() => repos.refetch()} />;
  if (!current) {
    const choose = () => navigate({ view: "repositories" });
    return (
      <Empty
        action={
          <Button kind="primary" onPress={choose}>
            Go to repositories
          </Button>
        }
      >
        Choose a repository to review what changed in it.
      </Empty>
    );
  }
  return (
    <section className="view changes" aria-label="Changes">
      <h1 className="visually-hidden">Changes</h1>
      <Review
        key={repo}
        repo={current}
        reference={params.base ?? ""}
        row={params.row}
        onReference={(base) => navigate({ view: "changes", params: { base } })}
        onRow={(row) => amend({ view: "changes", params: { base: params.base ?? "", row } })}
      />
    </section>
  );
}
