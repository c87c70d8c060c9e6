// Which token vectors indexing makes, and what that costs.

import { Segmented } from "../../components/controls";
import { FailureLine } from "../../components/states";
import { type Settings, useSetSettings, useSettings } from "../../ipc";

const WHAT: Record<Settings["token_vectors"], string> = {
  off: "No late interaction. Saves about 5 kB per chunk.",
  rescore: "Late interaction rescores the top candidates. About 5 kB per chunk.",
  wide: "Late interaction can search the whole index. About 10 kB per chunk.",
};

export function TokenVectorsChoice() {
  const settings = useSettings();
  const save = useSetSettings();
  if (!settings.data) return null;
  const { data } = settings;
  return (
    <div data-testid="token-vectors">
      <div className="choice">
        <span>Token vectors</span>
        <Segmented
          label="Token vectors"
          value={data.token_vectors}
          options={[
            { value: "off", label: "None" },
            { value: "rescore", label: "For candidates" },
            { value: "wide", label: "For everything" },
          ]}
          onChange={(value) => save.mutate({ ...data, token_vectors: value })}
        />
      </div>
      <p className="small muted">
        {WHAT[data.token_vectors]} Takes effect when a repository is indexed next.
      </p>
      <FailureLine error={save.error} />
    </div>
  );
}
