import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { cleanUpAfterEach } from "../testing/show";
import { useKeptFocus } from "./screen-focus";

cleanUpAfterEach();

function Page() {
  useKeptFocus();
  const [isDone, setDone] = useState(false);
  return (
    <main>
      <button type="button">Elsewhere</button>
      <ul>
        <li>
          {isDone ? (
            <button type="button">Undo</button>
          ) : (
            <button key="set-up" type="button" onClick={() => setDone(true)}>
              Set up
            </button>
          )}
        </li>
      </ul>
    </main>
  );
}

it("leaves the focus near a button that is gone once it is pressed", async () => {
  const user = userEvent.setup({ delay: null });
  render(<Page />);
  screen.getByText("Set up").focus();
  await user.keyboard("{Enter}");
  expect(document.activeElement).toBe(await screen.findByText("Undo"));
});
