// The focus goes where the person goes: onto a new screen, never to the page behind it.

import { useEffect } from "react";

/** What a screen names as its beginning, else its heading, else the screen. */
export function focusScreen(): void {
  const main = document.querySelector<HTMLElement>("main");
  const begin = main?.querySelector<HTMLElement>("[data-begin]") ?? main?.querySelector("h1");
  const target = begin instanceof HTMLElement ? begin : main;
  if (target && target.tabIndex < 0) target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

/** How long a screen may take to fill; what comes later does not move the focus. */
const FILLING_MS = 5_000;

/** After a screen has come, unless it took the focus itself; what it fills with is waited for. */
export function useScreenFocus(view: string, id: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen, or another thing on it
  useEffect(() => {
    const main = document.querySelector("main");
    const isOpen = () =>
      [document.body, main, main?.querySelector("h1")].includes(
        document.activeElement as HTMLElement,
      );
    if (!main || !isOpen()) return;
    focusScreen();
    const watch = new MutationObserver(() => {
      if (isOpen()) focusScreen();
      else watch.disconnect();
    });
    watch.observe(main, { childList: true, subtree: true });
    const timer = setTimeout(() => watch.disconnect(), FILLING_MS);
    return () => {
      clearTimeout(timer);
      watch.disconnect();
    };
  }, [view, id]);
}
