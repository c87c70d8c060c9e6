import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { type PropsWithChildren, useLayoutEffect } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { navigate } from "../../app/route";
import { useSearchQuery } from "./useSearchQuery";

beforeEach(() => navigate({ view: "search" }));
afterEach(() => navigate({ view: "repositories" }));

/** Opens the graph as soon as `ab` is asked, before what follows that question. */
function asking(leaves: boolean) {
  const client = new QueryClient();
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(
    () => {
      const asked = useSearchQuery();
      const { text } = asked.settled;
      useLayoutEffect(() => {
        if (leaves && text === "ab") navigate({ view: "graph" });
      }, [text]);
      return asked;
    },
    { wrapper },
  );
}

it("writes what is asked into the address", async () => {
  const { result } = asking(false);
  act(() => result.current.change({ text: "ab" }));
  await waitFor(() => expect(location.hash).toBe("#/search?q=ab"));
});

it("leaves the address of a screen that was opened meanwhile", async () => {
  const { result } = asking(true);
  act(() => result.current.change({ text: "ab" }));
  await waitFor(() => expect(location.hash).not.toBe("#/search"));
  expect(location.hash).toBe("#/graph");
});
