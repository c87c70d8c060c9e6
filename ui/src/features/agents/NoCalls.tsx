// Nothing is in the log: because nothing is recorded, or because nobody has asked.

import { navigate } from "../../app/route";
import { Button } from "../../components/controls";
import { Empty } from "../../components/states";
import { useKeepCalls } from "../../ipc";

export function NoCalls({ isOn }: { isOn: boolean }) {
  const keep = useKeepCalls();
  if (!isOn)
    return (
      <Empty action={<Button onPress={() => keep.mutate(true)}>Keep calls</Button>}>
        The log is off: calls are answered but not recorded.
      </Empty>
    );
  const setUp = () => navigate({ view: "agents", params: { tab: "setup" } });
  return (
    <Empty action={<Button onPress={setUp}>Set up an agent</Button>}>
      No agent has asked anything yet. Calls appear here as they happen.
    </Empty>
  );
}
