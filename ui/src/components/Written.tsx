// Where a file was written to.

import { PathText } from "./PathText";
import "./written.css";
import { copyText } from "../ipc";
import { IconButton } from "./controls";
import { Icon } from "./Icon";

export function Written(props: { path: string; testid: string; onClose: () => void }) {
  return (
    <p className="written" role="status" data-testid={props.testid}>
      <Icon name="check" />
      <span>Written to</span>
      <PathText className="code" path={props.path} />
      <IconButton icon="copy" label="Copy path" onPress={() => copyText(props.path)} />
      <IconButton icon="close" label="Hide" onPress={props.onClose} />
    </p>
  );
}
