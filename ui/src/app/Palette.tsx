// The palette: every command, the symbols and files of the repository, hits, and the way into Search.

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { Behind, useBehind } from "../components/Behind";
import { hasMoved } from "../components/has-moved";
import { useLookAgain } from "../ipc";
import { type Command, isFound, rememberCommand, useCommands } from "./palette-commands";
import { hasMod, MOD } from "./platform-keys";
import { session } from "./session";
import { takeKeys } from "./typed-ahead";

export function Palette({
  onClose,
  onShortcuts,
}: {
  onClose: () => void;
  onShortcuts: () => void;
}) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const { commands, isSettled } = useCommands(text, onShortcuts);
  // Who types and presses Enter at once means what fits what was typed, not what fitted before.
  const [awaited, setAwaited] = useState<"run" | "other">();
  const { isLooking } = useBehind();
  const lookAgain = useLookAgain();
  const { repo } = session.use();
  const at = Math.min(chosen, commands.length - 1);
  const run = (command: Command | undefined, isOther = false) => {
    if (!command) return;
    rememberCommand({ ...command, id: command.id.replace(/^recent:/, "") });
    onClose();
    if (isOther && command.runOther) command.runOther();
    else command.run();
  };
  useEffect(() => {
    if (!awaited || !isSettled) return;
    // Code that is there by now comes before what was there.
    if (isLooking && (!commands[at] || isFound(commands[at]))) return;
    setAwaited(undefined);
    run(commands[at], awaited === "other");
  });
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The dialog around it has taken the focus for itself.
    box.current?.focus();
    const early = takeKeys();
    if (early?.text) setText(early.text);
    if (early?.isEntered) setAwaited("run");
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setChosen((at + 1) % commands.length);
    else if (event.key === "ArrowUp") setChosen((at - 1 + commands.length) % commands.length);
    else if (event.key === "Enter") {
      void lookAgain([repo]);
      setAwaited(hasMod(event) ? "other" : "run");
    } else return;
    event.preventDefault();
  };
  return (
    <ModalOverlay
      className="scrim"
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className="modal palette">
        <Dialog aria-label="Commands">
          <input
            ref={box}
            className="palette-input"
            role="combobox"
            aria-label="Command, symbol or file"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={at >= 0 ? `command-${at}` : undefined}
            placeholder="Command, symbol or file"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setAwaited(undefined);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
          />
          <Behind />
          <div id="palette-list" className="palette-list" role="listbox" aria-label="Commands">
            {commands.map((command, index) => [
              command.group !== commands[index - 1]?.group && (
                <div key={command.group} className="palette-group small muted" role="presentation">
                  {command.group}
                </div>
              ),
              // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles keys
              // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus
              <div
                key={command.id}
                id={`command-${index}`}
                role="option"
                className="palette-item"
                aria-selected={index === at}
                ref={(node) => {
                  if (index === at) node?.scrollIntoView({ block: "nearest" });
                }}
                onPointerMove={(event) => hasMoved(event) && setChosen(index)}
                data-testid="palette-item"
                data-group={command.group}
                onClick={(event) => run(command, hasMod(event))}
              >
                <span className="ellipsis palette-label">{command.label}</span>
                <span className="small muted ellipsis">{command.detail}</span>
                {command.keys && <span className="small muted">{command.keys}</span>}
                {command.runOther && index === at && (
                  <span className="small muted palette-other">{MOD}Enter graph</span>
                )}
              </div>,
            ])}
            {commands.length === 0 && <p className="palette-none muted">No match.</p>}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
