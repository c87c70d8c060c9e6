// The file of the chosen hit or line, whole, at its place.

import { useMemo, useState } from "react";
import { openCode } from "../../app/opened";
import { preferences } from "../../app/preferences";
import type { LinesPlace } from "../../app/scope";
import type { LineSpan, WordMark } from "../../components/CodeView";
import { IconButton } from "../../components/controls";
import { PathText } from "../../components/PathText";
import { PinnableCode } from "../../components/PinnableCode";
import { Failure, Loading } from "../../components/states";
import { useCodeLinks } from "../../components/useCodeLinks";
import { type FilePreview, type Hit, type SymbolLine, useBlame, usePreview } from "../../ipc";
import { BlameLine } from "./BlameLine";
import { Outline } from "./Outline";
import { PreviewActions } from "./PreviewActions";
import { useOutline } from "./useOutline";

export type PreviewPlace = Pick<
  Hit,
  "path" | "start_line" | "end_line" | "signature" | "more_in_file"
>;

export function PreviewPane(props: {
  repo: string;
  /** The revision that is searched; `null` for the working tree. */
  asOf: string | null;
  place: PreviewPlace | undefined;
  spans: LineSpan[];
  /** The words of a file that are marked. */
  wordsIn: (file: FilePreview) => WordMark[];
  /** Shows why it ranks here, where it is ranked. */
  onExplain?: () => void;
  onGraph: () => void;
  onPin: () => void;
  /** Begins a memo about lines that are selected; one of the chosen repository without it. */
  onPinLines?: (place: LinesPlace) => void;
  /** Shows all hits of a file. */
  onFile?: (path: string) => void;
  /** Goes back to what was shown before, where a name or a lens led here. */
  onBack?: () => void;
}) {
  const { repo, asOf, place, spans, wordsIn } = props;
  const { blame: isBlamed } = preferences.use();
  const preview = usePreview(repo, place?.path, asOf);
  const blame = useBlame(repo, place?.path, asOf, isBlamed);
  const file = preview.data?.path === place?.path ? preview.data : undefined;
  const words = useMemo(() => (file ? wordsIn(file) : []), [file, wordsIn]);
  const { links, note } = useCodeLinks(repo, file?.path, asOf);
  const outline = useOutline();
  const [jump, setJump] = useState<{ from: PreviewPlace; line: number } | null>(null);
  if (!place) return null;
  const within = file?.symbols.filter(
    (symbol) => symbol.start_line <= place.start_line && symbol.end_line >= place.end_line,
  );
  const { more_in_file: nMore, path } = place;
  const isAtJump = jump?.from === place;
  const line = isAtJump ? jump.line : place.start_line;
  const goTo = ({ name_line }: SymbolLine) => {
    outline.leave();
    // A place is one of the files as they are; in an older state one just goes there.
    if (asOf === null) openCode({ repo, path, line: name_line }, place.start_line);
    else setJump({ from: place, line: name_line });
  };
  return (
    <section className="preview" data-testid="preview" data-path={file?.path} aria-label="Preview">
      <header className="preview-head">
        {props.onBack && (
          <IconButton
            icon="left"
            label="Back (Alt+←)"
            data-testid="preview-back"
            onPress={props.onBack}
          />
        )}
        <IconButton
          icon="outline"
          label={outline.isShown ? "Hide the outline (O)" : "Outline (O)"}
          aria-expanded={outline.isShown}
          data-testid="preview-outline"
          onPress={outline.toggle}
        />
        <div className="preview-title">
          <PathText className="code" path={path} />
          <span className="small muted preview-within">
            <span className="ellipsis">
              {within?.map((symbol) => symbol.name).join(" › ") || place.signature}
            </span>
            {nMore > 0 && (
              <button
                type="button"
                className="link"
                data-testid="preview-more"
                title="Show all results of this file"
                onClick={() => props.onFile?.(path)}
              >{`+${nMore} in this file`}</button>
            )}
          </span>
        </div>
        <PreviewActions {...props} place={place} file={file} />
      </header>
      {preview.isError && <Failure error={preview.error} onRetry={() => preview.refetch()} />}
      {!file && !preview.isError && <Loading label="Reading the file" />}
      {file && !preview.isError && (
        <div className="preview-body">
          {outline.isShown && (
            <Outline
              symbols={file.symbols}
              line={line}
              isOver={outline.isOver}
              takesFocus={outline.takesFocus}
              onChoose={goTo}
              onLeave={outline.leave}
            />
          )}
          <PinnableCode
            file={file}
            spans={isAtJump ? [{ from: line, to: line, main: true }] : spans}
            words={words}
            blame={isBlamed ? blame.data : undefined}
            links={links}
            onPin={props.onPinLines}
          />
        </div>
      )}
      {file?.truncated && <p className="small muted preview-note">Truncated at the size limit.</p>}
      {note && <p className="small muted preview-note">{note}</p>}
      {isBlamed && <BlameLine blame={blame} line={place.start_line} />}
    </section>
  );
}
