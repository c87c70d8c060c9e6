import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Hit } from "../../ipc";
import { cleanUpAfterEach } from "../../testing/show";
import { HitList } from "./HitList";
import { keysOf } from "./request";

/** How often a row has read what it shows. */
let drawn = 0;

cleanUpAfterEach();

const hits = ["a.ts", "b.ts", "c.ts"].map(
  (path, index) =>
    ({
      evidence_id: path,
      path,
      rank: index + 1,
      start_line: 1,
      kind: "function",
      symbol: path,
      score: 1,
      channels: ["path"],
      badges: [],
      more_in_file: 0,
      get snippet() {
        drawn += 1;
        return [{ line: 1, text: "match()", matches: [] }];
      },
    }) as unknown as Hit,
);

it("draws no row again for a letter that is typed", async () => {
  // happy-dom lays nothing out; the virtualiser needs a height to show rows.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(600);
  const list = (stale: boolean) => (
    <HitList
      listRef={{ current: null }}
      hits={hits}
      keys={keysOf(hits)}
      before={undefined}
      stale={stale}
      onMore={undefined}
      chosen={0}
      onChoose={() => {}}
      onExplain={() => {}}
      onGraph={() => {}}
      onMemo={() => {}}
    />
  );
  const { rerender } = render(list(false));
  await screen.findAllByTestId("search-hit");
  const before = drawn;
  expect(before).toBeGreaterThan(0);
  rerender(list(true));
  expect(drawn).toBe(before);
});

it("names a hit alike in the next answer, wherever its lines have moved", () => {
  const [first, second] = hits as [Hit, Hit];
  const moved = { ...second, start_line: 9, evidence_id: "of another state", symbol: "Cart.add" };
  const before = keysOf([
    { ...second, symbol: "Cart.add" },
    first,
    { ...second, symbol: "Cart.add" },
  ]);
  expect(keysOf([first, moved, moved])).toEqual([before[1], before[0], before[2]]);
  expect(new Set(before).size).toBe(3);
});
