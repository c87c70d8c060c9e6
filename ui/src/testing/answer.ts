// What the engine says only in rare cases: one command's answer of a test's own, typed as the engine's.

import { vi } from "vitest";
import { commands } from "../ipc/bindings";
import type { EngineFailure } from "../ipc/types";

type Commands = typeof commands;
type Name = keyof Commands;
type Answer<C extends Name> = Extract<Awaited<ReturnType<Commands[C]>>, { status: "ok" }>["data"];

/** Lets a command answer this until the test ends; gives the spy on it. */
export function answer<C extends Name>(command: C, data: Answer<C>) {
  return vi
    .spyOn(commands, command)
    .mockImplementation((async () => ({ status: "ok", data })) as never);
}

/** Lets a command fail until the test ends. */
export function fail(command: Name, error: EngineFailure) {
  return vi.spyOn(commands, command as "repos").mockResolvedValue({ status: "error", error });
}

/** What a command said, to be changed for a test. */
export async function said<T>(
  outcome: Promise<{ status: "ok"; data: T } | { status: "error"; error: EngineFailure }>,
): Promise<T> {
  const settled = await outcome;
  if (settled.status === "error") throw new Error(settled.error.message);
  return settled.data;
}
