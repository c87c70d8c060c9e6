// What opens over the page: it stands in a landmark of its own, where readers of the screen find it.

import { Popover as AriaPopover, type PopoverProps } from "react-aria-components";

export function Popover(props: PopoverProps) {
  return <AriaPopover {...props} UNSTABLE_portalContainer={host()} />;
}

const ID = "popovers";

/** The landmark of what opens over the page. */
export function host(): Element {
  const known = document.getElementById(ID);
  if (known) return known;
  const made = document.createElement("div");
  made.id = ID;
  made.setAttribute("role", "region");
  made.setAttribute("aria-label", "Menus and lists");
  document.body.append(made);
  return made;
}
