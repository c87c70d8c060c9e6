import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useAgents } from ".";
import { installRecorded } from "./recorded";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("leaves a failure in place until it is asked again", async () => {
  installRecorded("failing");
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result, unmount } = renderHook(() => useAgents([]), { wrapper });
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(result.current.isError).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  const [query] = client.getQueryCache().findAll({ queryKey: ["agents"] });
  expect(query?.state.errorUpdateCount).toBe(1);
  unmount();
});
