// What leaves this machine, which is nothing unasked, and what is written on it.

import { IconButton } from "../../components/controls";
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
        Nothing leaves this machine. Only the download of a model and a look for a new version open
        a connection, and only when asked. A benchmark run has your own package managers and git
        fetch the repositories of its tasks. Repositories are only read, never written to.
      </p>
      <FailureLine error={info.error} />
      {info.data && (
        <table className="paths">
          <caption className="visually-hidden">Paths written</caption>
          <tbody>
            <PathRow
              what={`Indexes of ${repos.data?.length ?? 0} repositories`}
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
