// What an answer does not show yet, above it: files that changed since the index. Rows of before are marked
// as such until those of now are there.

import "./behind.css";
import { useEffect, useState } from "react";
import { useScope } from "../app/scope";
import { session } from "../app/session";
import { isCurrent, type TreeLook, useLooks, useRepos } from "../ipc";
import { whatIsBehind, whatIsDone } from "./behind-words";
import { Icon } from "./Icon";

/** What is brought up to date sooner is not worth a band that comes and goes. */
const BAND_MS = 400;

/** `asOf`: the commit that is asked, which does not change. */
export function Behind({ asOf = null }: { asOf?: string | null }) {
  const { behind, isLooking } = useBehind();
  const { data: repos = [] } = useRepos();
  const isLasting = useLasting(behind.length > 0 && asOf === null);
  if (asOf !== null) return null;
  const nameOf = ({ repo }: TreeLook) =>
    behind.length > 1 ? `${repos.find(({ id }) => id === repo)?.name ?? ""}: ` : "";
  const state = behind.length > 0 ? "behind" : isLooking ? "looking" : "current";
  return (
    <div className="behind-mark" data-testid="behind-mark" data-state={state}>
      {isLasting && (
        <div className="behind" role="status" data-testid="behind">
          <Icon name="refresh" />
          <span>
            {behind.map((look) => (
              <span key={look.repo}>
                {nameOf(look)}
                <b>{whatIsBehind(look)}.</b> {whatIsDone(look)}{" "}
              </span>
            ))}
          </span>
        </div>
      )}
    </div>
  );
}

/** The repositories that are asked, as far as their files changed since the index. */
export function useBehind(): { behind: TreeLook[]; isLooking: boolean } {
  const looks = useLooks(useAsked());
  return {
    behind: looks.filter((look) => !isCurrent(look)),
    isLooking: looks.some((look) => look.is_looking),
  };
}

/** The repositories that a question goes to. */
export function useAsked(): string[] {
  const { repo } = session.use();
  const { scope } = useScope();
  return scope ? scope.repos.map(({ id }) => id) : repo === "" ? [] : [repo];
}

function useLasting(holds: boolean): boolean {
  const [isLasting, setLasting] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLasting(holds), holds ? BAND_MS : 0);
    return () => clearTimeout(timer);
  }, [holds]);
  return isLasting && holds;
}
