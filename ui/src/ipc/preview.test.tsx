import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { usePreview } from ".";
import { installRecorded } from "./recorded";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it("keeps no file for long that is no longer looked at", async () => {
  installRecorded("full");
  const client = new QueryClient();
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const look = (path: string) => usePreview("a1b2c3d4e5f6", path);
  const { rerender } = renderHook(look, { initialProps: "a.ts", wrapper });
  const kept = () => client.getQueryCache().findAll({ queryKey: ["preview"] }).length;
  for (const path of ["b.ts", "c.ts", "d.ts"]) {
    await pass(1_000);
    rerender(path);
  }
  expect(kept()).toBe(4);
  await pass(20_000);
  expect(kept()).toBe(1);
});
