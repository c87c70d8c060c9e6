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

/** A button that is gone or at rest once it is pressed keeps the focus, or leaves it to what is around it. */
export function useKeptFocus(): void {
  useEffect(() => {
    const main = document.querySelector("main");
    if (!main) return;
    let around: Element[] = [];
    let rested = false;
    const onFocus = ({ target }: FocusEvent) => {
      rested = false;
      around = [];
      for (let at = target instanceof Element ? target : null; at; at = at.parentElement)
        around.push(at);
    };
    const forget = () => {
      around = [];
    };
    const watch = new MutationObserver(() => {
      const [last] = around;
      if (!(last instanceof HTMLElement)) return;
      const isResting = last.matches(":disabled");
      const comesBack = rested && !isResting;
      rested = isResting;
      if (document.activeElement !== document.body) return;
      if (!last.isConnected) focusAround(main, around);
      else if (comesBack) last.focus({ preventScroll: true });
    });
    main.addEventListener("focusin", onFocus);
    // Who presses elsewhere has left it.
    window.addEventListener("pointerdown", forget, true);
    const attributeFilter = ["disabled"];
    watch.observe(main, { childList: true, subtree: true, attributes: true, attributeFilter });
    return () => {
      main.removeEventListener("focusin", onFocus);
      window.removeEventListener("pointerdown", forget, true);
      watch.disconnect();
    };
  }, []);
}

/** Another button of the same item of a list, or where the screen begins; never a field that takes letters. */
function focusAround(main: Element, around: Element[]): void {
  const near = around.find((one) => one.isConnected && main.contains(one));
  const item = near?.closest("main li");
  const buttons = [...(item?.querySelectorAll<HTMLElement>("button") ?? [])];
  const next = buttons.find((one) => !one.matches(":disabled"));
  if (next) next.focus({ preventScroll: true });
  else focusScreen();
}
