// What can be done with a hit of a ranked search: by its key, beside it, and in its preview.

import { pressLens } from "../../app/dock-state";
import { navigate, showInGraph } from "../../app/route";
import { lookInto, newMemo } from "../../app/scope";
import { copyAndSay } from "../../components/copy";
import { useEditor } from "../../components/OpenInEditor";
import { repositoryOf } from "../../components/repository-of";
import { type Hit, useRepos } from "../../ipc";
import { reference } from "./request";

export function useHitActs(props: {
  /** The chosen repository. */
  repo: string;
  hit: Hit | undefined;
  queryId: string | undefined;
  /** Somebody has found what they asked for. */
  onLeave: () => void;
}) {
  const { repo, hit, queryId } = props;
  const { data: repos = [] } = useRepos();
  const of = repositoryOf(hit, repo, repos);
  const editor = useEditor(of);
  const leave = (act: (hit: Hit) => void) => (one: Hit | undefined) => {
    if (!one) return;
    props.onLeave();
    act(one);
  };
  // What is shown of one place is shown of its repository.
  const within = (act: (hit: Hit) => void) =>
    leave((one) => {
      if (one.repo) lookInto(repositoryOf(one, repo, repos));
      act(one);
    });
  const explain = leave((one) => {
    // A hit shows its whole definition, a row the part that was found: ranks are the same.
    const params = { row: `#${one.rank}` };
    if (queryId) navigate({ view: "explain", id: queryId, params });
  });
  const showGraph = within(showInGraph);
  const remember = within((one) => {
    newMemo({ path: one.path, from: one.start_line, to: one.end_line });
  });
  return {
    /** The repository of the hit. */
    of,
    explain,
    showGraph,
    remember,
    keys: {
      onLens: (lens: string) => {
        if (hit) props.onLeave();
        pressLens(lens);
      },
      onMemo: () => remember(hit),
      onExplain: () => explain(hit),
      onCopy: () => hit && copyAndSay(reference(hit)),
      onEditor: () => hit && editor.open(hit.path, hit.start_line),
    },
  };
}
