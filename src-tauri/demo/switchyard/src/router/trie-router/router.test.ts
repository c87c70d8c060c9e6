import { expect, it } from "vitest";
import { TrieRouter } from "./router";

it("matches a path with a parameter", () => {
  const router = new TrieRouter<string>();
  router.add("GET", "/orders/:id", "order");
  expect(router.match("GET", "/orders/7")).toEqual({ handlers: ["order"], params: { id: "7" } });
});

it("gives no handler for another method", () => {
  const router = new TrieRouter<string>();
  router.add("GET", "/orders", "orders");
  expect(router.match("POST", "/orders").handlers).toEqual([]);
});
