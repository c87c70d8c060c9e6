import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { bundleBar } from "./bundle-bar.ts";
import { englishOnly } from "./english-only.ts";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Text is shown by one way, whichever component holds it: `src/visible`.
  plugins: [englishOnly(), react({ jsxImportSource: "#visible" }), bundleBar()],
  server: { port: 5183, strictPort: true },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "safari16",
    chunkSizeWarningLimit: 1000,
    // WebKit holds back the styles that scripts make, CodeMirror's, while a sheet is on its way: a file that is
    // shown then has all its lines in sight, goes to none, and stays at its first line.
    cssCodeSplit: false,
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/settled.ts"],
    restoreMocks: true,
    testTimeout: 20_000,
    // A document and its modules for all files of a worker: making them anew took most of the time.
    pool: "threads",
    isolate: false,
    // One order of files everywhere, by size: what an earlier run took must not decide it.
    cache: false,
    maxWorkers: "100%",
  },
});
