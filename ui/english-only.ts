// The widgets bring their words in thirty languages. The window speaks English, so theirs are English as well,
// and 29 translations stay out of what is delivered.

import type { Plugin } from "vite";

const TRANSLATION = /react-(?:aria|aria-components|stately)\/dist\/.*\/([a-z]{2}-[A-Z]{2})\.m?js$/;

export function englishOnly(): Plugin {
  return {
    name: "english-only",
    enforce: "pre",
    load(id) {
      const locale = TRANSLATION.exec(id)?.[1];
      if (locale && locale !== "en-US") return 'export { default } from "./en-US.mjs";';
    },
  };
}
