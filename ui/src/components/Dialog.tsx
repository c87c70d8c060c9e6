// A modal dialog with a title; Escape closes it. Title and footer stay, what is between scrolls.

import "./dialog.css";
import type { ReactNode } from "react";
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
