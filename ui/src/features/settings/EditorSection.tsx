// The editor that files are opened in.

import { preferences } from "../../app/preferences";
import { Choice } from "../../components/Choice";
import { FailureLine } from "../../components/states";
import { useEditors } from "../../ipc";
import { Section } from "./Section";

const FIRST = "";

export function EditorSection() {
  const editors = useEditors();
  const { editor } = preferences.use();
  const known = editors.data ?? [];
  const first = known[0];
  return (
    <Section title="Editor">
      <FailureLine error={editors.error} />
      {editors.isSuccess && !first && (
        <p className="muted">
          No editor was found in the folders of PATH. Install the command of yours (code, zed, subl,
          idea, nvim), or set EDITOR.
        </p>
      )}
      {first && (
        <div className="choice">
          <span>Open files in</span>
          <Choice
            label="Editor"
            value={known.some((one) => one.id === editor) ? (editor ?? FIRST) : FIRST}
            options={[
              { value: FIRST, label: `${first.name} (first found)` },
              ...known.map((one) => ({ value: one.id, label: one.name })),
            ]}
            onChange={(id) => preferences.set({ editor: id || null })}
          />
        </div>
      )}
    </Section>
  );
}
