// What can be done with the place in the preview: buttons, or one button with a menu where there is no room.

import { Button as AriaButton, Menu, MenuItem, MenuTrigger } from "react-aria-components";
import { useTight } from "../../app/dock-state";
import { preferences } from "../../app/preferences";
import { Button, IconButton } from "../../components/controls";
import { asMarkdown, copyAndSay } from "../../components/copy";
import { Icon, type IconName } from "../../components/Icon";
import { useEditor } from "../../components/OpenInEditor";
import { Popover } from "../../components/Popover";
import { type FilePreview, permalink } from "../../ipc";
import type { PreviewPlace } from "./PreviewPane";

interface Action {
  id: string;
  icon: IconName;
  label: string;
  /** The key that does the same. */
  shortcut?: string;
  isPressed?: boolean;
  isDisabled?: boolean;
  act: () => void;
}

export function PreviewActions(props: {
  repo: string;
  asOf: string | null;
  place: PreviewPlace;
  file: FilePreview | undefined;
  onExplain?: () => void;
  onGraph: () => void;
  onPin: () => void;
}) {
  const actions = useActions(props);
  const isTight = useTight();
  return (
    <>
      {isTight ? <ActionMenu actions={actions} /> : actions.map(asButton)}
      {props.onExplain && (
        <Button icon="explain" data-testid="preview-explain" onPress={props.onExplain}>
          Explain
        </Button>
      )}
    </>
  );
}

function useActions(props: Parameters<typeof PreviewActions>[0]): Action[] {
  const { place, file } = props;
  const { blame } = preferences.use();
  const editor = useEditor(props.repo);
  const at = `${place.path}:${place.start_line}`;
  const copyMarkdown = async (file: FilePreview) => {
    const lines: [number, number] = [place.start_line, place.end_line];
    const link = await permalink(props.repo, place.path, lines, props.asOf);
    const how = link.url ? "as Markdown with permalink" : `as Markdown; ${link.missing}`;
    await copyAndSay(markdownOf(file, place, link.url), how);
  };
  return [
    {
      id: "preview-copy",
      icon: "copy",
      label: `Copy ${at}`,
      shortcut: "c",
      act: () => copyAndSay(at),
    },
    {
      id: "preview-markdown",
      icon: "markdown",
      label: "Copy as Markdown",
      isDisabled: !file,
      act: () => file && void copyMarkdown(file),
    },
    {
      id: "preview-blame",
      icon: "blame",
      label: blame ? "Hide who wrote each line" : "Who wrote each line",
      shortcut: "b",
      isPressed: blame,
      act: toggleBlame,
    },
    {
      id: "open-in-editor",
      icon: "open",
      label: `Open in ${editor.name ?? "editor"}`,
      shortcut: "o",
      act: () => editor.open(place.path, place.start_line),
    },
    {
      id: "preview-graph",
      icon: "graph",
      label: "Show in graph",
      shortcut: "g",
      act: props.onGraph,
    },
    {
      id: "preview-pin",
      icon: "memory",
      label: "Add a memo here",
      shortcut: "m",
      act: props.onPin,
    },
  ];
}

function asButton({ id, icon, label, shortcut, isPressed, isDisabled, act }: Action) {
  return (
    <IconButton
      key={id}
      icon={icon}
      label={shortcut ? `${label} (${shortcut})` : label}
      aria-pressed={isPressed}
      isDisabled={isDisabled}
      data-testid={id}
      onPress={act}
    />
  );
}

function ActionMenu({ actions }: { actions: Action[] }) {
  const disabled = actions.filter((one) => one.isDisabled).map((one) => one.id);
  return (
    <MenuTrigger>
      <AriaButton className="icon-button" aria-label="More actions" data-testid="preview-actions">
        <Icon name="more" />
      </AriaButton>
      <Popover className="popover" placement="bottom end" offset={4}>
        <Menu
          className="menu"
          aria-label="Actions"
          disabledKeys={disabled}
          onAction={(key) => actions.find((one) => one.id === key)?.act()}
        >
          {actions.map(({ id, label, shortcut }) => (
            <MenuItem key={id} id={id} className="menu-item" textValue={label} data-testid={id}>
              {label}
              <span className="small muted">{shortcut}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

export function toggleBlame(): void {
  preferences.set({ blame: !preferences.get().blame });
}

function markdownOf(file: FilePreview, place: PreviewPlace, url: string | null): string {
  const lines = file.text.split("\n").slice(place.start_line - 1, place.end_line);
  const { path, language } = file;
  return asMarkdown({ path, language, from: place.start_line, text: lines.join("\n"), url });
}
