// What is drawn as a file: for a page, for Graphviz, for other programs.

import { Button as AriaButton, Menu, MenuItem, MenuTrigger } from "react-aria-components";
import { say } from "../../app/notices";
import { Icon } from "../../components/Icon";
import { Popover } from "../../components/Popover";
import { bytesOf, pictureOf } from "../../components/share/picture";
import { FailureLine } from "../../components/states";
import { useCopyLink } from "../../components/useCopyLink";
import { Written } from "../../components/Written";
import { chooseSavePath, type GraphFormat, useGraphSave, useSaveImage } from "../../ipc";
import { asRequest, type Place, shortName } from "./place";

const FORMATS: { id: GraphFormat; name: string; about: string }[] = [
  { id: "svg", name: "SVG", about: "the drawing" },
  { id: "dot", name: "DOT", about: "for Graphviz" },
  { id: "json", name: "JSON", about: "nodes and edges" },
];

export function ExportMenu(props: { repo: string; place: Place; isDisabled: boolean }) {
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
  const act = (key: string) => {
    if (key === "png") void savePng();
    else if (key === "link") void copyLink();
    else void save(key as GraphFormat);
  };
  const written = saving.isSuccess ? saving.variables.path : undefined;
  return (
    <>
      <MenuTrigger>
        <AriaButton
          className="button plain"
          data-testid="graph-export"
          isDisabled={props.isDisabled}
        >
          <Icon name="download" />
          <span>{saving.isPending ? "Writing" : "Export"}</span>
        </AriaButton>
        <Popover className="popover" placement="bottom end" offset={4}>
          <Menu className="menu" aria-label="Format" onAction={(key) => act(String(key))}>
            {FORMATS.map((format) => (
              <MenuItem
                key={format.id}
                id={format.id}
                className="menu-item"
                textValue={format.name}
                data-testid={`graph-export-${format.id}`}
              >
                {format.name}
                <span className="small muted">{format.about}</span>
              </MenuItem>
            ))}
            <MenuItem id="png" className="menu-item" textValue="PNG">
              PNG
              <span className="small muted">what is in sight</span>
            </MenuItem>
            <MenuItem id="link" className="menu-item" textValue="Copy link">
              Copy link
              <span className="small muted">to this view</span>
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      {written && <Written path={written} testid="graph-written" onClose={saving.reset} />}
      {(saving.error ?? picturing.error) && (
        <div className="written">
          <FailureLine error={saving.error ?? picturing.error} />
        </div>
      )}
    </>
  );
}

function fileName({ focus, to }: Place, format: GraphFormat | "png"): string {
  const ends = [focus, to].flatMap((end) => (end ? [shortName(end)] : []));
  const name = ends.join("-to-").replaceAll(/[^\p{L}\p{N}._-]+/gu, "-");
  return `graph-${name}.${format}`;
}
