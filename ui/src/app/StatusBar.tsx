// The foot of the window: the index in use, the model, what the last query took. It opens the drawer of
// repositories, jobs and models.

import { Suspense, useState } from "react";
import { ms } from "../components/format";
import { Icon } from "../components/Icon";
import { MOD } from "./platform-keys";
import { navigate } from "./route";
import { IndexState, ModelState, OtherJobs } from "./StatusParts";
import { statusDrawer } from "./screens";
import { session } from "./session";
import { useDrawer } from "./useDrawer";

export const DRAWER = "status-drawer";

export function StatusBar() {
  const { last } = session.use();
  const { isOpen, toggle, open, close } = useDrawer(DRAWER);
  return (
    <footer className="status-bar small">
      {isOpen && <Drawer onClose={close} />}
      <button
        type="button"
        className="status-job"
        data-testid="nav-repositories"
        aria-label="Repositories"
        title="Repositories"
        onClick={() => navigate({ view: "repositories" })}
      >
        <Icon name="repositories" />
      </button>
      <button
        type="button"
        className="status-job"
        data-testid="status-toggle"
        title={`Repositories, jobs and models (${MOD}J)`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? DRAWER : undefined}
        onClick={toggle}
      >
        <span className="visually-hidden">Repositories, jobs and models, </span>
        <IndexState />
        <Icon name="chevron" />
      </button>
      <OtherJobs onOpen={open} />
      <span className="status-part" data-testid="status-model">
        <ModelState />
      </span>
      <span className="spacer" />
      {last && (
        <span title={last.request.query}>
          last ranked query <b>{ms(last.elapsedMs)}</b>
        </span>
      )}
    </footer>
  );
}

/** Chosen once for its time on the page, as screens are. */
function Drawer({ onClose }: { onClose: () => void }) {
  const [{ Part }] = useState(() => ({ Part: statusDrawer() }));
  return (
    <Suspense>
      <Part id={DRAWER} onClose={onClose} />
    </Suspense>
  );
}
