import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { render, screen } from "@testing-library/react";
import { Button } from "react-aria-components";
import { expect, test } from "vitest";
import cases from "../../../crates/system/src/visible-cases.json";
import { hiddenChars } from "../components/hidden-chars";
import { visible } from "./visible";

test("text is shown as the engine's programs show it", () => {
  for (const [given = "", shown] of cases) {
    expect(visible(given)).toBe(shown);
    expect(visible(visible(given))).toBe(shown);
  }
});

test("every element writes hidden characters out, whatever component it is in", () => {
  const name = "pay\u202eload";
  render(
    <section aria-label={name}>
      <p title={name}>
        {name} and {[name, "x"]}
      </p>
      <Button>{name}</Button>
    </section>,
  );
  const region = screen.getByLabelText("pay\\u202eload");
  expect(region.textContent).toBe("pay\\u202eload and pay\\u202eloadxpay\\u202eload");
  expect(region.querySelector("p")?.title).toBe("pay\\u202eload");
});

test("a file's hidden characters are written out, and its offsets stay", () => {
  const parent = document.body.appendChild(document.createElement("div"));
  const doc = "if (a\u202e\u3164)\u001b[0m\rb\n\tc";
  const extensions = [EditorState.lineSeparator.of("\n"), hiddenChars];
  const view = new EditorView({ parent, state: EditorState.create({ doc, extensions }) });
  expect(view.state.doc.toString()).toBe(doc);
  const first = view.contentDOM.querySelector(".cm-line");
  expect(first?.textContent).toBe("if (a\\u202e\\u3164)\\u001b[0m\\rb");
  view.destroy();
});
