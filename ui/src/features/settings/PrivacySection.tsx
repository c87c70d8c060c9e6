// What leaves this machine, which is nothing unasked, and what is written on it.

import { IconButton } from "../../components/controls";
import { plural } from "../../components/format";
import { FailureLine } from "../../components/states";
import { copyText, useAppInfo, useModels, useRepos } from "../../ipc";
import { Section } from "./Section";

export function PrivacySection() {
  const info = useAppInfo();
  const repos = useRepos();
  const models = useModels();
  const present = models.data?.filter((model) => model.path) ?? [];
  return (
    <Section title="Privacy">
      <p>
        Your code stays on this machine, unless you choose a reranker on another machine. Whyrank
        connects only to download a model or to look for a new version, and only when you ask. A
        benchmark run fetches the repositories of its tasks with git and your package managers.
        Repositories are read, never written to.
      </p>
      <FailureLine error={info.error} />
      {info.data && (
        <table className="paths">
          <caption className="visually-hidden">Paths written</caption>
          <tbody>
            <PathRow
              what={`Indexes of ${plural(repos.data?.length ?? 0, "repository", "repositories")}`}
              path={info.data.data_dir}
            />
            <PathRow what="Settings" path={info.data.config_file} />
            {present.map((model) => (
              <PathRow key={model.name} what={`Model ${model.name}`} path={model.path ?? ""} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function PathRow({ what, path }: { what: string; path: string }) {
  return (
    <tr>
      <th scope="row">{what}</th>
      <td>
        <code className="wrap">{path}</code>
      </td>
      <td>
        <IconButton icon="copy" label={`Copy path: ${what}`} onPress={() => copyText(path)} />
      </td>
    </tr>
  );
}
