// The bar that the page is held to: all scripts and style sheets, packed, are at most 500 kB.

import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const MOST_KB = 500;

export function bundleBar(): Plugin {
  return {
    name: "bundle-bar",
    apply: "build",
    generateBundle(_, bundle) {
      const sizes = Object.values(bundle)
        .filter((file) => /\.(?:js|css)$/.test(file.fileName))
        .map((file) => gzipSync(file.type === "chunk" ? file.code : file.source).length);
      const kb = sizes.reduce((sum, size) => sum + size, 0) / 1000;
      const words = `scripts and style sheets: ${kb.toFixed(1)} of ${MOST_KB} kB packed`;
      if (kb > MOST_KB) this.error(`${words}. Load less, or leave something out.`);
      console.log(words);
    },
  };
}
