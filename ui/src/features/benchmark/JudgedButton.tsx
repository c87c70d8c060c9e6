// The way to the judged hits, with how many there are.

import { navigate } from "../../app/route";
import { Button } from "../../components/controls";
import { count } from "../../components/format";
import { useJudgedHits } from "../../ipc";

const open = () => navigate({ view: "benchmark", params: { judged: "1" } });

export function JudgedButton() {
  const n = useJudgedHits().data?.length ?? 0;
  return (
    <Button icon="check" data-testid="bench-judged-open" onPress={open}>
      {n > 0 ? `Judged hits (${count(n)})` : "Judged hits"}
    </Button>
  );
}
