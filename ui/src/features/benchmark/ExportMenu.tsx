// A run as a file: for reading, for a pull request, for other programs.

import { Button as AriaButton, Menu, MenuItem, MenuTrigger } from "react-aria-components";
import { Icon } from "../../components/Icon";
import { Popover } from "../../components/Popover";
import { FailureLine } from "../../components/states";
import { Written } from "../../components/Written";
import { chooseSavePath, type ExportFormat, type RunInfo, useBenchExport } from "../../ipc";

const FORMATS: { id: ExportFormat; name: string; about: string }[] = [
  { id: "html", name: "HTML", about: "one page, with charts" },
  { id: "md", name: "Markdown", about: "tables for a pull request" },
  { id: "json", name: "JSON", about: "all figures" },
  { id: "csv", name: "CSV", about: "a line for each answer" },
];

export function ExportMenu({ run }: { run: RunInfo }) {
  const exporting = useBenchExport();
  const write = async (format: ExportFormat) => {
    const path = await chooseSavePath(`whyrank-benchmark-${run.id}.${format}`);
    if (path) exporting.mutate({ run: run.id, format, path });
  };
  return (
    <>
      <MenuTrigger>
        <AriaButton className="button plain" data-testid="bench-export">
          <Icon name="download" />
          <span>{exporting.isPending ? "Writing" : "Export"}</span>
        </AriaButton>
        <Popover className="popover" placement="bottom end" offset={4}>
          <Menu
            className="menu"
            aria-label="Format"
            onAction={(key) => void write(key as ExportFormat)}
          >
            {FORMATS.map((format) => (
              <MenuItem
                key={format.id}
                id={format.id}
                className="menu-item"
                textValue={format.name}
                data-testid={`bench-export-${format.id}`}
              >
                {format.name}
                <span className="small muted">{format.about}</span>
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
      {exporting.isSuccess && (
        <Written path={exporting.data} testid="bench-written" onClose={exporting.reset} />
      )}
      {exporting.error && (
        <div className="written">
          <FailureLine error={exporting.error} />
        </div>
      )}
    </>
  );
}
