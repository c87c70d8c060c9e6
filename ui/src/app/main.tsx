import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "../styles/tokens.css";
import "../styles/base.css";
import "../components/marks.css";
import "../components/dialog.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { beginOnSearch } from "./begin";
import { applyPreferences, followSystemTheme } from "./preferences";

if (import.meta.env.DEV && !("__TAURI_INTERNALS__" in window)) {
  const scene = new URLSearchParams(location.search).get("recorded") || "full";
  const { installRecorded } = await import("../ipc/recorded");
  installRecorded(scene as Parameters<typeof installRecorded>[0]);
}

applyPreferences();
followSystemTheme();
beginOnSearch();

const client = new QueryClient({
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
