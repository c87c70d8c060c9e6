// Looks for a new version daily where the person chose so, and says on any screen that there is one.

import { useEffect } from "react";
import { useUpdateOffer, useUpdateState } from "../ipc";
import { say, sayFailure } from "./notices";
import { preferences } from "./preferences";

export function useUpdates(): void {
  const { updates } = preferences.use();
  const { by, failed } = useUpdateState().data ?? {};
  const isOffered = by === "itself" || by === "package-manager";
  const version = useUpdateOffer(updates && isOffered).data?.version;
  useEffect(() => {
    if (version) say(`Whyrank ${version} is there: see Settings, Updates`);
  }, [version]);
  useEffect(() => {
    if (failed) sayFailure({ message: `Whyrank ${failed} did not start; this version is back` });
  }, [failed]);
}
