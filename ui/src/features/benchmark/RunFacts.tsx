// Under which circumstances the figures came about, so that they can be had again.

import { Fact } from "../../components/Fact";
import { bytes, count, seconds } from "../../components/format";
import { Icon } from "../../components/Icon";
import type { RepositoryInfo, RunInfo, SubjectInfo } from "../../ipc";
import { moment } from "./figures";
import { ScrollBox } from "./ScrollBox";
import { SubjectName } from "./SubjectMark";

export function RunFacts({ run }: { run: RunInfo }) {
  const { machine } = run;
  const memory = machine.memory_mib > 0 ? `, ${bytes(machine.memory_mib * 2 ** 20)}` : "";
  return (
    <div className="bench-facts" data-testid="bench-details">
      <section>
        <h3>Run</h3>
        <dl>
          <Fact name="Id">
            <code>{run.id}</code>
          </Fact>
          <Fact name="Started">{moment(run.started)}</Fact>
          <Fact name="Took">{seconds(run.seconds)}</Fact>
          <Fact name="Whyrank">{run.version}</Fact>
          <Fact name="Commit">
            <code className="wrap">{run.commit ?? "not under git"}</code>
          </Fact>
          <Fact name="Seed">{run.seed}</Fact>
          <Fact name="Suites">{run.suites.join(", ")}</Fact>
          <Fact name="Answers">
            {count(run.n_done)} of {count(run.n_wanted)}
          </Fact>
          <Fact name="Machine">
            {machine.system}, {machine.processor}, {machine.cores} cores{memory}
          </Fact>
        </dl>
      </section>
      <section>
        <h3>Tools compared</h3>
        <ul>
          {run.subjects.map((subject) => (
            <Subject key={subject.name} subject={subject} />
          ))}
        </ul>
      </section>
      <section className="bench-facts-wide">
        <h3>Repositories</h3>
        <Repositories repositories={run.repositories} />
      </section>
    </div>
  );
}

function Subject({ subject }: { subject: SubjectInfo }) {
  return (
    <li className="bench-fact-subject">
      <p>
        <SubjectName subject={subject.name} /> <span className="muted">{subject.version}</span>
      </p>
      <p className="small muted">{subject.notes}</p>
      {subject.configuration && (
        <details className="small">
          <summary>Configuration</summary>
          <pre className="code">{pretty(subject.configuration)}</pre>
        </details>
      )}
    </li>
  );
}

function pretty(configuration: string): string {
  try {
    return JSON.stringify(JSON.parse(configuration), null, 2);
  } catch {
    return configuration;
  }
}

function Repositories({ repositories }: { repositories: RepositoryInfo[] }) {
  return (
    <ScrollBox label="Repositories">
      <table className="bench-table">
        <thead>
          <tr>
            <th>Name</th>
            <th>Version</th>
            <th className="num">Files</th>
            <th className="num">Index, CPU s</th>
            <th>Index</th>
            <th>Skipped because</th>
          </tr>
        </thead>
        <tbody>
          {repositories.map((repository) => (
            <tr key={repository.name}>
              <td>{repository.name}</td>
              <td className="code">{repository.version}</td>
              <td className="num">{count(repository.files)}</td>
              <td className="num">{repository.index_cpu_s?.toFixed(2) ?? "–"}</td>
              <td className="code">{repository.manifest || "–"}</td>
              <td>
                {repository.error && (
                  <span className="bench-warn">
                    <Icon name="warn" /> {repository.error}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
