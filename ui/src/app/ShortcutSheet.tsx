// The keys.

import { Kbd } from "../components/controls";
import { Dialog } from "../components/Dialog";
import { MOD } from "./platform-keys";

const GROUPS: { title: string; keys: [string, string][] }[] = [
  {
    title: "Everywhere",
    keys: [
      [`${MOD}1 … ${MOD}5`, "Code, Changes, Agents, Memory, Measure"],
      [`${MOD},`, "Settings"],
      [`${MOD}K`, "Commands"],
      [`${MOD}J`, "Repositories, jobs and models, from the status bar"],
      ["?", "Keyboard shortcuts"],
      ["Esc", "Go back one step"],
      ["Alt+← Alt+→", "Back and forward"],
      [`${MOD}+ ${MOD}− ${MOD}0`, "Larger, smaller, actual size"],
    ],
  },
  {
    title: "Code",
    keys: [
      ["/", "Go to the search box"],
      [
        "Alt+E Alt+R Alt+S Alt+U",
        "Exact text, regular expression, shape, unused; again for ranked",
      ],
      ["Alt+C", "Match case (exact and regex)"],
      ["↓ ↑ or j k", "Next and previous result"],
      ["Enter", "Go into the preview"],
      [
        "e g i M h",
        "Lens: why, graph, impact, memos, history; the same key again fills the window",
      ],
      ["d D", "Show or hide the lenses; go into them"],
      ["f", "Fill the window with the lens"],
      ["y n", "With Why open: right or wrong for the query; again to take it back"],
      [`${MOD}Enter`, "Explain the result in the whole window"],
      ["m", "Add a memo about it"],
      ["o", "Open in your editor"],
      ["O", "Outline of the file: go into it; again to hide it"],
      ["b", "Who wrote each line"],
      [`c or ${MOD}C`, "Copy path:line"],
      [`${MOD}F`, "Find in the preview"],
    ],
  },
  {
    title: "In the code",
    keys: [
      [". ,", "Next and previous name"],
      ["Enter or F12", "Go to what the name means; a click does, too"],
      ["Space", "Look at it here"],
      ["Alt+Enter or Shift+F12", "Who uses it; Alt+click does, too"],
      ["Alt+←", "Back to where you were"],
    ],
  },
  {
    title: "Changes",
    keys: [
      ["↓ ↑ or j k", "Next and previous change"],
      ["Enter", "Go into its lines; Esc goes back"],
      ["e", "Open it in Code"],
      ["o", "Open in your editor"],
      ["t m", "Tests to run, memos; again for the change"],
      ["b", "Compare with another branch or commit"],
      ["c", "Copy the review for an agent"],
      ["g", "Show on the map what it reaches; Esc comes back"],
    ],
  },
  {
    title: "Agents",
    keys: [
      ["↓ ↑ or j k", "Next and previous call, under Live"],
      ["Enter", "Why its answer is as it is, or the code that it named"],
      ["a s", "Its answer, its session"],
      ["p", "Pause, and follow again"],
      ["g", "In a session: show its files on the map; Esc comes back"],
    ],
  },
  {
    title: "Explain",
    keys: [
      ["↓ ↑ or j k", "Next and previous row"],
      ["Shift+↓ ↑", "Compare with the row below or above"],
      ["g", "Show the row in the graph"],
      ["y n", "Right or wrong for the query; again to take it back"],
    ],
  },
  {
    title: "Graph",
    keys: [
      ["/", "Choose a symbol"],
      ["↓ ↑ → ←", "Next symbol, open and close; in the graph, the nearest one"],
      ["Enter", "Make the selected symbol the focus"],
      ["v", "Code of the selected symbol, or the graph"],
      ["[ ]", "Previous and next focus"],
      ["+ − 0", "Zoom, and fit the graph"],
      ["Shift+arrows", "Move the graph"],
    ],
  },
  {
    title: "Memory",
    keys: [
      ["/", "Find in memos"],
      ["↓ ↑ or j k", "Next and previous memo"],
      ["Enter", "Open the memo; Esc goes back"],
      ["n", "New memo"],
      ["e", "Edit the memo"],
      ["h", "Memo or its history"],
      ["u", "Undo the last change"],
      ["a", "As of another commit"],
      [`${MOD}Enter`, "Save, when one is open"],
      ["→ ←", "On the timeline, next commit or moment"],
    ],
  },
  {
    title: "Measure",
    keys: [
      ["↓ ↑", "Next and previous run or task"],
      ["Enter", "Open the task"],
      ["j k", "Next and previous task, when one is open"],
    ],
  },
];

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {GROUPS.map((group) => (
        <section key={group.title} className="keys">
          <h3>{group.title}</h3>
          <dl>
            {group.keys.map(([keys, what]) => (
              <div key={what}>
                <dt>
                  <Kbd>{keys}</Kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
