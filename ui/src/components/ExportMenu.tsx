// A button that saves what is on the screen as a file, in one of several formats.

import { Button as AriaButton, Menu, MenuItem, MenuTrigger } from "react-aria-components";
import type { EngineFailure } from "../ipc";
import { Icon } from "./Icon";
import { Popover } from "./Popover";
import { FailureLine } from "./states";
import { Written } from "./Written";

export interface ExportFormatItem<Id extends string> {
  id: Id;
  name: string;
  about: string;
}

export function ExportMenu<Id extends string>(props: {
  /** Begins the test ids: `NAME-export`, `NAME-written`. */
  name: string;
  formats: ExportFormatItem<Id>[];
  isDisabled?: boolean;
  isWriting: boolean;
  written: string | undefined;
  error: EngineFailure | null;
  onChoose: (id: Id) => void;
  onClose: () => void;
}) {
  const { name, formats } = props;
  return (
    <>
      <MenuTrigger>
        <AriaButton
          className="button plain"
          data-testid={`${name}-export`}
          isDisabled={props.isDisabled}
        >
          <Icon name="download" />
          <span>{props.isWriting ? "Writing" : "Export"}</span>
        </AriaButton>
        <Popover className="popover" placement="bottom end" offset={4}>
          <Menu className="menu" aria-label="Format" onAction={(key) => props.onChoose(key as Id)}>
            {formats.map((format) => (
              <MenuItem
                key={format.id}
                id={format.id}
                className="menu-item"
                textValue={format.name}
                data-testid={`${name}-export-${format.id}`}
              >
                {format.name}
                <span className="small muted">{format.about}</span>
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
      {props.written && (
        <Written path={props.written} testid={`${name}-written`} onClose={props.onClose} />
      )}
      {props.error && (
        <div className="written">
          <FailureLine error={props.error} />
        </div>
      )}
    </>
  );
}
