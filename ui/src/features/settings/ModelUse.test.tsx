import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ModelSummary } from "../../ipc";
import { commands } from "../../ipc/bindings";
import { cleanUpAfterEach, showRecorded } from "../../testing/show";
import { ModelUse } from "./ModelUse";

cleanUpAfterEach();

function show(change: Partial<ModelSummary>) {
  const model: ModelSummary = {
    name: "late",
    description: "",
    roles: ["token encoder"],
    licence: "Apache-2.0",
    dimensions: 128,
    size_bytes: 18_000_000,
    import_only: false,
    upstream: "sentence-transformers/all-MiniLM-L6-v2@c9745ed",
    problems: [],
    state: "present",
    state_note: "ready",
    path: null,
    chosen: false,
    ...change,
  };
  showRecorded(<ModelUse model={model} />);
}

const settings = async () => {
  const answer = await commands.settings();
  return answer.status === "ok" ? answer.data : undefined;
};

it("switches token vectors on and off", async () => {
  show({});
  fireEvent.click(await screen.findByRole("switch", { name: "Token vectors" }));
  await waitFor(async () => expect((await settings())?.token_model).toBe("late"));
  await waitFor(() => expect(screen.getByRole("switch").hasAttribute("disabled")).toBe(false));
  fireEvent.click(screen.getByRole("switch"));
  await waitFor(async () => expect((await settings())?.token_model).toBe(null));
});

it("offers a model for what it does, and nothing before it is here", async () => {
  show({ roles: ["bi-encoder"] });
  await screen.findByRole("switch", { name: "Vectors" });
  cleanup();
  show({ state: "absent" });
  await waitFor(() => expect(screen.queryByRole("switch")).toBeNull());
});
