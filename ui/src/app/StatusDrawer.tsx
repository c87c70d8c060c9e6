// What the status bar opens: the repository in use and its health, jobs at work, models, the other repositories.

import "./status-drawer.css";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { IconButton } from "../components/controls";
import { DrawerRepositories } from "../features/repositories/DrawerRepositories";
import { DrawerModels } from "../features/settings/DrawerModels";

export function StatusDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  return (
    <section
      ref={box}
      id={id}
      className="status-drawer"
      aria-label="Repositories, jobs and models"
      data-testid="status-drawer"
      tabIndex={-1}
      onKeyDown={keepKeys}
    >
      <div className="status-drawer-close">
        <IconButton icon="close" label="Close" data-testid="status-close" onPress={onClose} />
      </div>
      <DrawerRepositories onLeave={onClose} />
      <DrawerModels onLeave={onClose} />
    </section>
  );
}

/** What is pressed here is no key of the screen behind. */
function keepKeys(event: KeyboardEvent): void {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isPlain && event.key !== "?" && event.key !== "Escape") event.stopPropagation();
}
