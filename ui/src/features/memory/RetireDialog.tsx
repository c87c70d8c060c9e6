// Asks before an import ends memos that are here.

import { Button } from "../../components/controls";
import { Dialog } from "../../components/Dialog";
import { plural } from "../../components/format";
import type { MemoImport } from "../../ipc";

export function RetireDialog(props: {
  imported: MemoImport;
  onTake: () => void;
  onClose: () => void;
}) {
  const { n_endings, endings } = props.imported;
  const n_more = n_endings - endings.length;
  return (
    <Dialog
      title={`Take in ${plural(n_endings, "end")} of memos?`}
      onClose={props.onClose}
      footer={
        <>
          <Button onPress={props.onClose}>Keep my memos</Button>
          <Button kind="danger" data-testid="memory-retire" onPress={props.onTake}>
            Take them in
          </Button>
        </>
      }
    >
      <p>
        All else was imported. Whoever wrote the export ended these memos, demoted or unpinned them;
        here they are as they were.
      </p>
      <ul data-testid="memory-endings">
        {endings.map((ending) => (
          <li key={`${ending.memo} ${ending.act}`}>
            {ending.act} by {ending.author.name || "nobody"}:{" "}
            <span className="muted">{ending.content.slice(0, 160) || ending.memo}</span>
          </li>
        ))}
        {n_more > 0 && <li>{n_more} more</li>}
      </ul>
    </Dialog>
  );
}
