// What grep would have cost for the same places, once it is asked for.

import { Button } from "../../components/controls";
import { FailureLine } from "../../components/states";
import { costInWords } from "./grep-cost";
import type { GrepCost } from "./useGrepCost";

export const HOW_GREP =
  "Measured with the benchmark's baseline smart-grep-fair on the files as they are now: grep for the name in files of code, ten lines around a definition. Both sides count a token for 3.5 characters.";

export function GrepLine({ cost }: { cost: GrepCost }) {
  return (
    <div className="session-grep" data-testid="session-grep">
      {cost.data ? (
        <p title={HOW_GREP}>{costInWords(cost.data)}</p>
      ) : (
        <Button
          icon="search"
          isDisabled={cost.isMeasuring}
          data-testid="session-measure"
          onPress={cost.measure}
        >
          {cost.isMeasuring ? "Asking grep" : "Compare with grep"}
        </Button>
      )}
      <FailureLine error={cost.error} />
    </div>
  );
}
