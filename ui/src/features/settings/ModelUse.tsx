// What a model that is here is used for; each role has a setting of its own.

import { Switch } from "../../components/controls";
import { FailureLine } from "../../components/states";
import { type ModelSummary, type Settings, useSetSettings, useSettings } from "../../ipc";

interface Use {
  role: string;
  label: string;
  isOn: (settings: Settings, name: string) => boolean;
  /** Null where switching off means nothing: some model makes the vectors. */
  change: (name: string, on: boolean) => Partial<Settings> | null;
}

const USES: readonly Use[] = [
  {
    role: "bi-encoder",
    label: "Vectors",
    isOn: (settings, name) => settings.model === name,
    change: (name, on) => (on ? { model: name } : null),
  },
  {
    role: "token encoder",
    label: "Token vectors",
    isOn: (settings, name) => (settings.token_model ?? settings.model) === name,
    change: (name, on) => ({ token_model: on ? name : null }),
  },
];

export function ModelUse({ model }: { model: ModelSummary }) {
  const settings = useSettings();
  const save = useSetSettings();
  if (!settings.data || model.state !== "present") return null;
  const { data } = settings;
  return (
    <>
      <div className="model-uses" data-testid="model-uses">
        {USES.filter((use) => model.roles.includes(use.role)).map((use) => {
          const on = use.isOn(data, model.name);
          // The model of the vectors gives the token vectors too, unless another one does.
          const isGiven = on && (use.change(model.name, false) === null || isImplied(use, data));
          return (
            <Switch
              key={use.role}
              isSelected={on}
              isDisabled={isGiven || save.isPending}
              onChange={(value) => {
                const change = use.change(model.name, value);
                if (change) save.mutate({ ...data, ...change });
              }}
            >
              {use.label}
            </Switch>
          );
        })}
      </div>
      <FailureLine error={save.error} />
    </>
  );
}

function isImplied(use: Use, settings: Settings): boolean {
  return use.role === "token encoder" && settings.token_model === null;
}
