// What is seen as a picture, or as words to paste.

import { Button as AriaButton, Menu, MenuItem, MenuTrigger } from "react-aria-components";
import { say, sayFailure } from "../../app/notices";
import { chooseSavePath, useSaveImage } from "../../ipc";
import { copyAndSay } from "../copy";
import { Icon } from "../Icon";
import { Popover } from "../Popover";
import { useCopyLink } from "../useCopyLink";
import { bytesOf, type Picture, type PictureFormat } from "./picture";

export function ShareMenu(props: {
  /** What is shared, where a screen has more than one. */
  label?: string;
  /** The file's name without what says its format. */
  name: string;
  /** What is drawn, when it is asked for. */
  draw: () => Picture;
  markdown?: () => string;
  "data-testid": string;
}) {
  const saving = useSaveImage();
  const copyLink = useCopyLink();
  const save = async (format: PictureFormat) => {
    const path = await chooseSavePath(`${props.name}.${format}`);
    if (!path) return;
    const image = await bytesOf(props.draw(), format);
    const onSuccess = () => say(`Saved ${path}`);
    saving.mutate({ path, image }, { onSuccess, onError: sayFailure });
  };
  const act = (key: string) => {
    if (key === "markdown") copyAndSay(props.markdown?.() ?? "", "as Markdown");
    else if (key === "link") void copyLink();
    else void save(key as PictureFormat);
  };
  return (
    <MenuTrigger>
      <AriaButton className="button plain" data-testid={props["data-testid"]}>
        <Icon name="share" />
        <span>{props.label ?? "Share"}</span>
      </AriaButton>
      <Popover className="popover" placement="bottom end" offset={4}>
        <Menu
          className="menu"
          aria-label={props.label ?? "Share"}
          onAction={(key) => act(String(key))}
        >
          <MenuItem id="png" className="menu-item" textValue="Image, PNG">
            Image, PNG
            <span className="small muted">to paste anywhere</span>
          </MenuItem>
          <MenuItem id="svg" className="menu-item" textValue="Image, SVG">
            Image, SVG
            <span className="small muted">sharp at any size</span>
          </MenuItem>
          {props.markdown && (
            <MenuItem id="markdown" className="menu-item" textValue="Copy as Markdown">
              Copy as Markdown
              <span className="small muted">for an issue or a chat</span>
            </MenuItem>
          )}
          <MenuItem id="link" className="menu-item" textValue="Copy link">
            Copy link
            <span className="small muted">opens Whyrank here</span>
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
