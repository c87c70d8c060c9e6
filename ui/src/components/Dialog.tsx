// A modal dialog with a title; Escape closes it. Title and footer stay, what is between scrolls.

import "./dialog.css";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { IconButton } from "./controls";

export function Dialog(props: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Actions that stay in sight. */
  footer?: ReactNode;
  wide?: boolean;
}) {
  const body = useRef<HTMLDivElement>(null);
  useEscapeFromNowhere(body, props.onClose);
  return (
    <ModalOverlay
      className="scrim"
      isOpen
      isDismissable
      onOpenChange={(open) => !open && props.onClose()}
    >
      <Modal className={props.wide ? "modal wide" : "modal"}>
        <AriaDialog className="dialog">
          <header className="dialog-head">
            <Heading slot="title" level={2}>
              {props.title}
            </Heading>
            <IconButton icon="close" label="Close" onPress={props.onClose} />
          </header>
          <div
            ref={body}
            className="dialog-body"
            // Without fields it is scrolled by keyboard.
            tabIndex={props.footer ? undefined : 0}
          >
            {props.children}
          </div>
          {props.footer && <footer className="dialog-actions dialog-foot">{props.footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Escape also counts when what had the focus is gone or off: the key then goes to the page. */
function useEscapeFromNowhere(body: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      const dialogs = document.querySelectorAll(".dialog-body");
      if (event.target !== document.body || dialogs[dialogs.length - 1] !== body.current) return;
      event.preventDefault();
      close.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [body]);
}
