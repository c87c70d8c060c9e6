// Short answers to what was done: copied, opened, failed. One at a time; the next takes its place.

import { createStore } from "./store";

export interface Notice {
  text: string;
  /** What failed stays until the next one, or until it is sent away. */
  isFailure: boolean;
  /** Takes back what was done. */
  undo?: () => void;
}

const STAYS_MS = 2600;
/** Long enough to read, to see what is missing, and to press. */
export const UNDO_STAYS_MS = 10_000;

export const notices = createStore<{ notice: Notice | null }>({ notice: null });

let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  show({ text, isFailure: false });
  timer = setTimeout(dismiss, STAYS_MS);
}

export function sayWithUndo(text: string, undo: () => void): void {
  show({ text, isFailure: false, undo });
  resumeNotice();
}

export function sayFailure(failure: { message: string; hint?: string }): void {
  const text = [failure.message, failure.hint].filter(Boolean).join(": ");
  show({ text: text.charAt(0).toUpperCase() + text.slice(1), isFailure: true });
}

export const dismiss = () => notices.set({ notice: null });

/** What is pointed at or has the focus does not go. */
export const holdNotice = () => clearTimeout(timer);

export function resumeNotice(): void {
  const { notice } = notices.get();
  if (!notice || notice.isFailure) return;
  clearTimeout(timer);
  timer = setTimeout(dismiss, notice.undo ? UNDO_STAYS_MS : STAYS_MS);
}

function show(notice: Notice): void {
  clearTimeout(timer);
  notices.set({ notice });
}
