// Short answers to what was done: copied, opened, failed. One at a time; the next takes its place.

import { createStore } from "./store";

export interface Notice {
  text: string;
  /** What failed stays until the next one, or until it is sent away. */
  isFailure: boolean;
}

const STAYS_MS = 2600;

export const notices = createStore<{ notice: Notice | null }>({ notice: null });

let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  show({ text, isFailure: false });
  timer = setTimeout(dismiss, STAYS_MS);
}

export function sayFailure(failure: { message: string; hint?: string }): void {
  const text = [failure.message, failure.hint].filter(Boolean).join(": ");
  show({ text: text.charAt(0).toUpperCase() + text.slice(1), isFailure: true });
}

export const dismiss = () => notices.set({ notice: null });

function show(notice: Notice): void {
  clearTimeout(timer);
  notices.set({ notice });
}
