// Changes: what the working tree holds that is not committed.

import { navigate } from "../../app/route";
import { Button } from "../../components/controls";
import { Empty } from "../../components/states";

export function ChangesView() {
  const toCode = () => navigate({ view: "search" });
  return (
    <section className="view" aria-label="Changes">
      <header className="view-head">
        <h1>Changes</h1>
      </header>
      <div className="view-body">
        <Empty action={<Button onPress={toCode}>Go to code</Button>}>
          No changed file has been reviewed yet.
        </Empty>
      </div>
    </section>
  );
}
