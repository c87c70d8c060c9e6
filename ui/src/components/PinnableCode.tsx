// Code of which lines can be selected, with the mouse or the keyboard, to anchor a memo to them.

import "./pinnable-code.css";
import { useState } from "react";
import { type LinesPlace, newMemo } from "../app/scope";
import type { FileBlame, FilePreview } from "../ipc";
import { CodeView, type LineRange, type LineSpan, type WordMark } from "./CodeView";
import type { CodeLinks } from "./code-links";
import { Button, Kbd } from "./controls";

export function PinnableCode(props: {
  file: FilePreview;
  spans: LineSpan[];
  words?: WordMark[];
  blame?: FileBlame;
  links?: CodeLinks;
  /** What the button says. */
  label?: string;
  /** What becomes of the lines; without it a new memo is begun. */
  onPin?: (place: LinesPlace) => void;
}) {
  const { file } = props;
  const [lines, setLines] = useState<LineRange | null>(null);
  const pin = (range: LineRange) => {
    const place = { path: file.path, ...range };
    if (props.onPin) props.onPin(place);
    else newMemo(place);
  };
  return (
    <div className="pinnable">
      <CodeView
        file={file}
        spans={props.spans}
        words={props.words}
        blame={props.blame}
        links={props.links}
        onLines={setLines}
        onPin={pin}
      />
      {lines && (
        <div className="pinnable-bar" role="status" data-testid="code-selection">
          <span className="small">{linesInWords(lines)}</span>
          <Button kind="primary" icon="memory" data-testid="code-pin" onPress={() => pin(lines)}>
            {props.label ?? "Pin a memo here"}
          </Button>
          <Kbd>m</Kbd>
        </div>
      )}
    </div>
  );
}

function linesInWords({ from, to }: LineRange): string {
  return from === to ? `Line ${from}` : `Lines ${from}–${to}`;
}
