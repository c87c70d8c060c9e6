// Where the window begins before the engine has said anything.

import { navigate } from "./route";
import { session } from "./session";

let began = false;

/** On Search where a repository was chosen when the window was last open: its box can be typed into while
 * the index is still being opened. */
export function beginOnSearch(): void {
  if (location.hash !== "" || session.get().repo === "") return;
  began = true;
  navigate({ view: "search" }, { replace: true });
}

/** Whether the window begins there, and nobody has gone elsewhere meanwhile. */
export const beganOnSearch = () => began && location.hash === "#/search";
