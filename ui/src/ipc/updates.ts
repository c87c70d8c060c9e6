// New versions of this program: looked for when the person asks, or daily where they chose so.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Answered, ask, useChange } from "./ask";
import type * as raw from "./bindings";
import { commands, events } from "./bindings";

export type UpdateState = raw.UpdateState;
export type UpdateOffer = raw.UpdateOffer;
export type UpdateProgress = raw.UpdateProgress;

const DAY_MS = 24 * 3_600_000;
const offerKey = ["update-offer"] as const;

export function useUpdateState(): Answered<UpdateState> {
  // Asked once: the shell says only once that a version was taken back.
  return useQuery({
    queryKey: ["update-state"],
    queryFn: () => ask<UpdateState>(commands.updateState()),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** The newer version, null where there is none; asks at the start and daily where `daily`, else on `refetch`. */
export function useUpdateOffer(daily: boolean): Answered<UpdateOffer | null> {
  return useQuery({
    queryKey: offerKey,
    queryFn: () => ask<UpdateOffer | null>(commands.checkForUpdate()),
    enabled: daily,
    refetchInterval: daily && DAY_MS,
    refetchIntervalInBackground: true,
    staleTime: DAY_MS,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

export function useInstallUpdate() {
  return useChange<void, null>(() => commands.installUpdate());
}

export function useCancelUpdate() {
  return useChange<void, null>(() => commands.cancelUpdate());
}

/** How much of the new version is here; null before the first report. */
export function useUpdateProgress(): UpdateProgress | null {
  const [progress, setProgress] = useState<UpdateProgress | null>(null);
  useEffect(() => {
    const listening = events.updateProgress.listen(({ payload }) => setProgress(payload));
    return () => void listening.then((unlisten) => unlisten());
  }, []);
  return progress;
}
