// What is drawn as a file: for a page, for Graphviz, for other programs.

import { say } from "../../app/notices";
import { type ExportFormatItem, ExportMenu } from "../../components/ExportMenu";
import { bytesOf, pictureOf } from "../../components/share/picture";
import { useCopyLink } from "../../components/useCopyLink";
import { chooseSavePath, type GraphFormat, useGraphSave, useSaveImage } from "../../ipc";
import { asRequest, type Place, shortName } from "./place";

type ExportId = GraphFormat | "png" | "link";

const FORMATS: ExportFormatItem<ExportId>[] = [
  { id: "svg", name: "SVG", about: "the graph as a picture" },
  { id: "dot", name: "DOT", about: "for Graphviz" },
  { id: "json", name: "JSON", about: "nodes and edges" },
  { id: "png", name: "PNG", about: "the visible part" },
  { id: "link", name: "Copy link", about: "to this view" },
];

export function GraphExport(props: { repo: string; place: Place; isDisabled: boolean }) {
  const { repo, place } = props;
  const saving = useGraphSave();
  const picturing = useSaveImage();
  const copyLink = useCopyLink();
  const save = async (format: GraphFormat) => {
    const path = await chooseSavePath(fileName(place, format));
    if (path) saving.mutate({ request: asRequest(repo, place), format, path });
  };
  const savePng = async () => {
    const drawing = document.querySelector<SVGSVGElement>(".graph-svg");
    const path = drawing && (await chooseSavePath(fileName(place, "png")));
    if (!path) return;
    const image = await bytesOf(pictureOf(drawing), "png");
    picturing.mutate({ path, image }, { onSuccess: () => say(`Saved ${path}`) });
  };
  const act = (id: ExportId) => {
    if (id === "png") void savePng();
    else if (id === "link") void copyLink();
    else void save(id);
  };
  return (
    <ExportMenu
      name="graph"
      formats={FORMATS}
      isDisabled={props.isDisabled}
      isWriting={saving.isPending}
      written={saving.isSuccess ? saving.variables.path : undefined}
      error={saving.error ?? picturing.error}
      onChoose={act}
      onClose={saving.reset}
    />
  );
}

function fileName({ focus, to }: Place, format: GraphFormat | "png"): string {
  const ends = [focus, to].flatMap((end) => (end ? [shortName(end)] : []));
  const name = ends.join("-to-").replaceAll(/[^\p{L}\p{N}._-]+/gu, "-");
  return `graph-${name}.${format}`;
}
