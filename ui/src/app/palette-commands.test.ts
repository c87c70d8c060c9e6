import { expect, it } from "vitest";
import { byGroup, namedFilesFirst } from "./palette-commands";

const command = (group: "Symbols" | "Files", label: string) => ({ group, label }) as const;
const found = [
  command("Symbols", "bindTestStruct.GoT"),
  command("Files", "src/bind.go"),
  command("Files", "src/binder.go"),
];

it("puts the file that is named before symbols that its letters abbreviate", () => {
  const labels = namedFilesFirst(found, "Bind.go").map((one) => one.label);
  expect(labels).toEqual(["src/bind.go", "src/binder.go", "bindTestStruct.GoT"]);
});

it("leaves symbols first where no file is named whole", () => {
  expect(namedFilesFirst(found, "bind")).toEqual(found);
  expect(namedFilesFirst(found, "ind.go")).toEqual(found);
});

it("gives each group one heading", () => {
  const of = (group: "Screens" | "Actions") => ({ group });
  const mixed = [of("Actions"), of("Screens"), of("Actions")];
  expect(byGroup(mixed).map((one) => one.group)).toEqual(["Screens", "Actions", "Actions"]);
});
