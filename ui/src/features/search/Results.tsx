// What stands in place of the hits while there are none, and what is said above those that fit badly.

import { navigate } from "../../app/route";
import { Button } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { Empty, Failure, Loading } from "../../components/states";
import type { useSearch } from "../../ipc";
import { parseQuery } from "./query";
import { Start } from "./Start";

export function Results(props: {
  answer: ReturnType<typeof useSearch>;
  text: string;
  stale: boolean;
  indexed: boolean;
  indexing: boolean;
  onText: (text: string) => void;
  children: React.ReactNode;
}) {
  const { answer, text } = props;
  const toRepositories = () => navigate({ view: "repositories" });
  if (answer.isError) return <Failure error={answer.error} onRetry={() => answer.refetch()} />;
  if (!props.indexed && props.indexing) {
    return (
      <Empty action={<Button onPress={toRepositories}>Show progress</Button>}>
        The repository is being indexed. You can search as soon as the text index is ready.
      </Empty>
    );
  }
  if (!props.indexed) {
    return (
      <Empty
        action={
          <Button kind="primary" onPress={toRepositories}>
            Go to repositories
          </Button>
        }
      >
        This repository has no index yet.
      </Empty>
    );
  }
  if (text.trim() === "") return <Start onText={props.onText} />;
  if (answer.isPending) return <Loading label="Searching" />;
  if (answer.data.hits.length === 0) {
    const bare = parseQuery(text).text;
    return (
      <Empty
        action={
          bare !== text && (
            <Button onPress={() => props.onText(bare)}>Search without filters</Button>
          )
        }
      >
        Nothing matches <q>{text}</q>.
      </Empty>
    );
  }
  return props.children;
}

/** A list always has a first row; this says that even it does not answer. */
export function PoorFit({ why }: { why: string }) {
  return (
    <p className="poor-fit" role="status" data-testid="poor-fit">
      <Icon name="warn" />
      {why.charAt(0).toUpperCase() + why.slice(1)}.
    </p>
  );
}

export function NoRepository() {
  return (
    <Empty
      action={
        <Button kind="primary" onPress={() => navigate({ view: "repositories" })}>
          Go to repositories
        </Button>
      }
    >
      Choose a repository to search.
    </Empty>
  );
}
