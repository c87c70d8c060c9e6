// What is compared with what: chosen from the branch, its recent commits, or written.

import { Button as AriaButton, Dialog, DialogTrigger } from "react-aria-components";
import { Icon } from "../../components/Icon";
import { Popover } from "../../components/Popover";
import { References, type ReferencesProps } from "./References";
import { referenceWords } from "./words";

export function Compare(
  props: ReferencesProps & { isOpen: boolean; onOpen: (isOpen: boolean) => void },
) {
  const { reference, isOpen, onOpen } = props;
  const words = referenceWords(reference);
  const choose = (chosen: string) => {
    onOpen(false);
    props.onChange(chosen);
  };
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={onOpen}>
      <AriaButton
        className="button changes-compare"
        aria-label={`Compared: ${words}`}
        data-testid="changes-compare"
      >
        <Icon name="swap" />
        <span className="ellipsis">{words}</span>
        <Icon name="chevron" />
      </AriaButton>
      <Popover className="choice-popover" placement="bottom start" offset={4}>
        <Dialog className="changes-compare-dialog" aria-label="What is compared">
          <References {...props} onChange={choose} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
