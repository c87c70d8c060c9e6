// A run as a file: for reading, for a pull request, for other programs.

import { type ExportFormatItem, ExportMenu } from "../../components/ExportMenu";
import { chooseSavePath, type ExportFormat, type RunInfo, useBenchExport } from "../../ipc";

const FORMATS: ExportFormatItem<ExportFormat>[] = [
  { id: "html", name: "HTML", about: "one page, with charts" },
  { id: "md", name: "Markdown", about: "tables for a pull request" },
  { id: "json", name: "JSON", about: "all figures" },
  { id: "csv", name: "CSV", about: "a line for each answer" },
];

export function RunExport({ run }: { run: RunInfo }) {
  const exporting = useBenchExport();
  const write = async (format: ExportFormat) => {
    const path = await chooseSavePath(`whyrank-benchmark-${run.id}.${format}`);
    if (path) exporting.mutate({ run: run.id, format, path });
  };
  return (
    <ExportMenu
      name="bench"
      formats={FORMATS}
      isWriting={exporting.isPending}
      written={exporting.data}
      error={exporting.error}
      onChoose={(format) => void write(format)}
      onClose={exporting.reset}
    />
  );
}
