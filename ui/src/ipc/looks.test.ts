import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { lookKey, noteLook, onRepoChanged, type TreeLook } from "./looks";

const found = { behind: [], n_behind: 0, head_moved: false, note: "" };

function look(looked_at: number, index_state: string): TreeLook {
  return { repo: "r", found, index_state, looked_at, took_ms: 1, is_looking: false };
}

it("keeps the newest look, in whichever order they arrive", () => {
  const client = new QueryClient();
  noteLook(client, look(2, "g.2"));
  noteLook(client, look(1, "g.1"));
  expect(client.getQueryData(lookKey("r"))).toEqual(look(2, "g.2"));
});

it("asks again what is of another state of the index, as another process made it", () => {
  const client = new QueryClient();
  const isOld = () => client.getQueryState(["search", "q"])?.isInvalidated ?? true;
  const answer = () => client.setQueryData(["search", "q"], "answer");
  noteLook(client, look(1, "g.1"));
  answer();
  noteLook(client, look(2, "g.1"));
  expect(isOld()).toBe(false);
  noteLook(client, look(3, "g.2"));
  expect(isOld()).toBe(true);
  answer();
  onRepoChanged(client, "r");
  expect(isOld()).toBe(true);
  answer();
  // What the engine told of is told once.
  noteLook(client, look(4, "g.3"));
  expect(isOld()).toBe(false);
});

it("asks again what was on its way when the index changed", async () => {
  const client = new QueryClient();
  const answers: ((answer: string) => void)[] = [];
  const ask = vi.fn(() => new Promise<string>((resolve) => answers.push(resolve)));
  const observer = new QueryObserver(client, { queryKey: ["search", "q"], queryFn: ask });
  const unsubscribe = observer.subscribe(() => undefined);
  onRepoChanged(client, "r");
  answers[0]?.("of before");
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2));
  answers[1]?.("of now");
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("of now"));
  unsubscribe();
});
