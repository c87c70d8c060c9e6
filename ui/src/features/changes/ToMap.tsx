// The way to the map with what a diff reaches drawn over it.

import { showOnMap } from "../../app/on-map";
import { Button } from "../../components/controls";
import { useKeys } from "../../components/useKeys";

export function ToMap({ reference }: { reference: string }) {
  const show = () => showOnMap({ over: "changes", base: reference });
  useKeys({ g: show });
  return (
    <Button icon="graph" data-testid="changes-map" onPress={show}>
      Show on the map
    </Button>
  );
}
