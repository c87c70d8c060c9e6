// A modal dialog with a title; Escape closes it.

import "./dialog.css";
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { IconButton } from "./controls";

export function Dialog(props: {
  title: string;
  onClose: () => void;
  children: ReactNode;
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
          {props.children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
