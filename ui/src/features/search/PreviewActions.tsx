// What can be done with the place in the preview.

import { preferences } from "../../app/preferences";
import { Button, IconButton } from "../../components/controls";
import { asMarkdown, copyAndSay } from "../../components/copy";
import { OpenInEditor } from "../../components/OpenInEditor";
import { type FilePreview, permalink } from "../../ipc";
import type { PreviewPlace } from "./PreviewPane";

export function PreviewActions(props: {
  repo: string;
  asOf: string | null;
  place: PreviewPlace;
  file: FilePreview | undefined;
  onExplain?: () => void;
  onGraph: () => void;
  onPin: () => void;
}) {
  const { place, file } = props;
  const { blame } = preferences.use();
  const at = `${place.path}:${place.start_line}`;
  const copyMarkdown = async (file: FilePreview) => {
    const lines: [number, number] = [place.start_line, place.end_line];
    const link = await permalink(props.repo, place.path, lines, props.asOf);
    const how = link.url ? "as Markdown with permalink" : `as Markdown; ${link.missing}`;
    await copyAndSay(markdownOf(file, place, link.url), how);
  };
  return (
    <>
      <IconButton icon="copy" label={`Copy ${at} (c)`} onPress={() => copyAndSay(at)} />
      <IconButton
        icon="markdown"
        label="Copy as Markdown"
        data-testid="preview-markdown"
        isDisabled={!file}
        onPress={() => file && void copyMarkdown(file)}
      />
      <IconButton
        icon="blame"
        label={blame ? "Hide who wrote each line (b)" : "Who wrote each line (b)"}
        aria-pressed={blame}
        data-testid="preview-blame"
        onPress={toggleBlame}
      />
      <OpenInEditor repo={props.repo} path={place.path} line={place.start_line} shortcut="o" />
      <IconButton
        icon="graph"
        label="Show in graph (g)"
        data-testid="preview-graph"
        onPress={props.onGraph}
      />
      <IconButton
        icon="memory"
        label="Add a memo here (m)"
        data-testid="preview-pin"
        onPress={props.onPin}
      />
      {props.onExplain && (
        <Button icon="explain" data-testid="preview-explain" onPress={props.onExplain}>
          Explain
        </Button>
      )}
    </>
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
