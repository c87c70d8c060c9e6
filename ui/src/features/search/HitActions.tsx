// What can be done with the chosen hit, beside it.

import { Icon, type IconName } from "../../components/Icon";
import type { Hit } from "../../ipc";

export function HitActions(props: {
  hit: Hit;
  top: number;
  onExplain: (hit: Hit) => void;
  onGraph: (hit: Hit) => void;
  onMemo: (hit: Hit) => void;
}) {
  const { hit } = props;
  const action = (
    testid: string,
    icon: IconName,
    label: string,
    about: string,
    act: () => void,
  ) => (
    <button type="button" data-testid={testid} aria-label={label} title={about} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div className="hit-actions" style={{ top: props.top }}>
      {action("hit-graph", "graph", "Graph", "Who uses it and what it uses (g)", () =>
        props.onGraph(hit),
      )}
      {action("hit-memo", "memory", "Memo", "Add a memo about this result (m)", () =>
        props.onMemo(hit),
      )}
      {action("hit-explain", "explain", "Explain", "Why it ranks here (e)", () =>
        props.onExplain(hit),
      )}
    </div>
  );
}
