// What is asked follows what is typed: at once after a pause, and one question at a time.

import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { keys } from "../../ipc";

/** Letters that come as fast as this are one edit: a paste, a held key. */
const QUIET_MS = 25;
/** An answer that takes longer is not waited for. */
const PATIENCE_MS = 250;

export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  const isBusy = useIsFetching({ queryKey: keys.search }) > 0;
  const since = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of the last change
  useEffect(() => {
    since.current = performance.now();
  }, [typed]);
  useEffect(() => {
    const waited = performance.now() - since.current;
    const timer = setTimeout(() => setSettled(typed), (isBusy ? PATIENCE_MS : QUIET_MS) - waited);
    return () => clearTimeout(timer);
  }, [typed, isBusy]);
  return settled;
}
