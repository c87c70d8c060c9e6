import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys } from "../../ipc";
import { useSettled } from "./useSettled";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function typing() {
  const client = new QueryClient();
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return { client, ...renderHook(useSettled, { initialProps: "", wrapper }) };
}

it("asks soon after the last letter, and not for each of a burst", async () => {
  const { result, rerender } = typing();
  rerender("r");
  await pass(10);
  rerender("ro");
  await pass(20);
  expect(result.current).toBe("");
  await pass(10);
  expect(result.current).toBe("ro");
});

it("asks one question at a time, but does not wait for a slow one", async () => {
  const { client, result, rerender } = typing();
  let answer = (_: string) => {};
  const ask = (id: string) =>
    void client.fetchQuery({
      queryKey: [...keys.search, id],
      queryFn: () => new Promise<string>((done) => (answer = done)),
    });
  ask("quick");
  rerender("ro");
  await pass(100);
  expect(result.current).toBe("");
  answer("");
  await pass(1);
  expect(result.current).toBe("ro");
  ask("slow");
  rerender("rou");
  await pass(240);
  expect(result.current).toBe("ro");
  await pass(20);
  expect(result.current).toBe("rou");
});
