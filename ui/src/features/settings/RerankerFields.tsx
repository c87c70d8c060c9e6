// What the reranker is told: an endpoint, and its limits.

import { Switch } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { NumberField } from "../../components/NumberField";
import type { RerankSettings } from "../../ipc";

const NUMBERS: [
  key: "top_n" | "snippet_tokens" | "time_limit_s" | "agents_wait_s",
  label: string,
  least: number,
  most: number,
][] = [
  ["top_n", "Results to rerank", 2, 100],
  ["snippet_tokens", "Tokens per result, max", 16, 4096],
  ["time_limit_s", "Time limit (s)", 1, 3600],
  ["agents_wait_s", "Agents wait up to (s)", 0, 600],
];

interface Part {
  draft: RerankSettings;
  onChange: (change: Partial<RerankSettings>) => void;
}

export function Endpoint({ draft, onChange }: Part) {
  const text = (
    key: "endpoint" | "endpoint_model" | "key_env",
    label: string,
    placeholder: string,
  ) => (
    <div className="field">
      <label htmlFor={`reranker-${key}`}>{label}</label>
      <input
        id={`reranker-${key}`}
        className="input code"
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        value={draft[key]}
        onChange={(event) => onChange({ [key]: event.target.value })}
      />
    </div>
  );
  return (
    <div className="reranker-fields">
      <p className="reranker-warning small" role="note">
        <Icon name="warn" />
        <span>
          Your query and snippets of code from up to {draft.top_n} results are sent to{" "}
          {draft.endpoint.trim() || "this endpoint"} for every search.
        </span>
      </p>
      {text("endpoint", "Base URL", "http://localhost:11434/v1")}
      {text("endpoint_model", "Model", "qwen2.5-coder:7b")}
      {text("key_env", "API key variable", "OPENAI_API_KEY, or empty")}
      <p className="small muted field-note">
        The key stays in your environment; only the variable's name is saved.
      </p>
      <Switch
        isSelected={draft.allow_plain_http}
        onChange={(allow_plain_http) => onChange({ allow_plain_http })}
      >
        Allow unencrypted HTTP to other machines
      </Switch>
    </div>
  );
}

export function Numbers({ draft, onChange }: Part) {
  return (
    <fieldset className="gate-bounds">
      <legend className="visually-hidden">Limits of the reranker</legend>
      {NUMBERS.map(([key, label, least, most]) => (
        <NumberField
          key={key}
          label={label}
          value={draft[key]}
          min={least}
          max={most}
          onChange={(value) => onChange({ [key]: Math.round(value) })}
        />
      ))}
    </fieldset>
  );
}
