import { expect, it } from "vitest";
import { asRanked, atRevision } from "./search-query";

it("asks the same of another revision, and of the files as they are", () => {
  expect(atRevision(asRanked("vat rate -tests"), "4f2a91c")).toEqual(
    asRanked("vat rate -tests at:4f2a91c"),
  );
  const past = asRanked("vat at:v1.2 rate");
  expect(atRevision(past, "4f2a91c").text).toBe("vat rate at:4f2a91c");
  expect(atRevision(past, null).text).toBe("vat rate");
  expect(atRevision(asRanked("format:json"), null).text).toBe("format:json");
});
