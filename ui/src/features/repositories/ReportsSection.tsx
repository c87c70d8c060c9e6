// Coverage reports, profiles, traces and compilers' indexes beside a repository, and how to use them.

import { count } from "../../components/format";
import type { FoundReports } from "../../ipc";

export function ReportsSection({ found }: { found: FoundReports }) {
  const unused = found.reports.filter((report) => !report.is_used);
  return (
    <section className="health-section" data-testid="reports">
      <h3>Reports beside it</h3>
      <ul>
        {found.reports.map((report) => (
          <li key={report.path} className="wrap">
            <span className="code">{report.path}</span> {report.kind},{" "}
            {report.is_used ? "used" : report.note || "not used"}
          </li>
        ))}
      </ul>
      {found.n_more > 0 && <p className="small muted">and {count(found.n_more)} more</p>}
      {unused.length > 0 && (
        <p className="small muted wrap">
          They may have come with the repository, so no answer reads one before you name it:{" "}
          <code>whyrank reports use {unused[0]?.path}</code>
        </p>
      )}
    </section>
  );
}
