import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { notices } from "../../app/notices";
import { session } from "../../app/session";
import type { Hit } from "../../ipc";
import { useEditors } from "../../ipc";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { useHitActs } from "./useHitActs";

cleanUpAfterEach();

/** A hit of one of several repositories that were searched as one. */
const hit = {
  rank: 1,
  repo: "switchyard",
  path: "src/router.ts",
  start_line: 29,
  end_line: 40,
} as Hit;

function Row() {
  const { keys, of } = useHitActs({ repo: "other", hit, queryId: "q", onLeave: () => {} });
  const editors = useEditors();
  return (
    <button type="button" disabled={!editors.data} onClick={() => keys.onEditor()}>
      {of}
    </button>
  );
}

it("opens a result of one of several repositories in the editor", async () => {
  session.set({ repo: "other" });
  notices.set({ notice: null });
  showRecorded(<Row />);
  const row = await screen.findByText("a1b2c3d4e5f6");
  await waitFor(() => expect(row.matches(":disabled")).toBe(false));
  fireEvent.click(row);
  await waitFor(() => expect(notices.get().notice?.text).toBe("Opened in VS Code"));
});
