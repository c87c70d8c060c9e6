// Names of a file as links, and the panel that opens under the line of one.

import { Compartment, type Extension } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { CodeProps } from "./CodeView";
import {
  type CodeLink,
  codeLinks,
  type LinkAct,
  type Peeked,
  placeOf,
  showLinks,
  titleOf,
} from "./code-links";
import { Peek } from "./Peek";

const NO_LINKS: CodeLink[] = [];

/** The extension that follows names, and what is drawn for it. */
export function useLinks(
  view: RefObject<EditorView | null>,
  told: RefObject<CodeProps>,
): { extension: Extension; drawn: ReactNode } {
  const { file, links } = told.current;
  const [peeked, setPeeked] = useState<Peeked | null>(null);
  const [said, setSaid] = useState("");
  const host = useRef<HTMLElement>(undefined);
  host.current ??= Object.assign(document.createElement("div"), { className: "cm-peek" });
  const isOpen = useRef(false);
  isOpen.current = peeked !== null;
  const close = () => {
    if (!isOpen.current) return false;
    setPeeked(null);
    view.current?.focus();
    return true;
  };
  const open = (place: Parameters<NonNullable<typeof links>["onOpen"]>[0], link: CodeLink) => {
    setPeeked(null);
    told.current.links?.onOpen(place, link.line);
    // The address may be the one that it was, and nothing be drawn anew.
    if (place.path === told.current.file.path && view.current) goToLine(view.current, place.line);
  };
  const follow = (link: CodeLink, act: LinkAct) => {
    const [target, ...others] = link.targets;
    if (!target) return;
    if (act === "uses" || link.own) setPeeked({ link, what: "uses" });
    else if (others.length > 0) setPeeked({ link, what: "choice" });
    else if (act === "go") open(placeOf(target), link);
    else setPeeked({ link, what: "definition" });
  };
  // What it closes over stays the same, or changes with `told`.
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once, for each file's state
  const extension = useMemo(
    () => [peeking.of([]), codeLinks(follow, (link) => setSaid(spoken(link)), close)],
    [],
  );
  const names = links?.path === file.path ? links.names : NO_LINKS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names belong to the text of this file
  useEffect(() => {
    if (view.current) showLinks(view.current, names);
  }, [file, names]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a panel belongs to its file
  useEffect(() => setPeeked(null), [file.path]);
  const line = peeked?.link.line;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state of the file has lost the panel
  useEffect(() => {
    if (view.current && host.current) showPeek(view.current, line, host.current);
  }, [line, file]);
  // What is to be chosen from takes the focus, once it is in its place; lines are only looked at.
  const takesFocus = peeked && peeked.what !== "definition" ? peeked : null;
  useEffect(() => {
    const panel = takesFocus && host.current?.querySelector<HTMLElement>(".peek");
    panel?.focus({ preventScroll: true });
  }, [takesFocus]);
  const drawn = (
    <>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {peeked &&
        links &&
        createPortal(
          <Peek
            peeked={peeked}
            repo={links.repo}
            asOf={links.asOf}
            onOpen={(place) => open(place, peeked.link)}
            onUses={() => setPeeked({ link: peeked.link, what: "uses" })}
            onClose={close}
            onResize={() => view.current && measure(view.current, host.current)}
          />,
          host.current,
        )}
    </>
  );
  return { extension, drawn };
}

/** A link as it is read out when a key goes to it. */
function spoken(link: CodeLink): string {
  const [what = ""] = titleOf(link).split("\n\n");
  return what.replaceAll("\n", ", ");
}

const peeking = new Compartment();

/** What is drawn under a line by others. */
class Panel extends WidgetType {
  constructor(readonly host: HTMLElement) {
    super();
  }

  override eq(other: Panel) {
    return other.host === this.host;
  }

  toDOM() {
    return this.host;
  }

  override get estimatedHeight() {
    return 200;
  }
}

function goToLine(view: EditorView, line: number): void {
  const { doc } = view.state;
  const { from } = doc.line(Math.min(line, doc.lines));
  view.dispatch({
    selection: { anchor: from },
    effects: EditorView.scrollIntoView(from, { y: "start", yMargin: 60 }),
  });
}

/** Gives the panel the place and width of what is seen beside the line numbers, and the code its height. */
function measure(view: EditorView, host: HTMLElement | undefined): void {
  view.requestMeasure({
    key: host,
    read: () => ({ seen: view.scrollDOM.clientWidth, left: view.contentDOM.offsetLeft }),
    write: ({ seen, left }) => {
      if (!host || seen <= left) return;
      host.style.left = `${left}px`;
      host.style.width = `${seen - left}px`;
    },
  });
}

function showPeek(view: EditorView, line: number | undefined, host: HTMLElement): void {
  const { doc } = view.state;
  if (line === undefined || line > doc.lines) {
    view.dispatch({ effects: peeking.reconfigure([]) });
    return;
  }
  const at = doc.line(line).to;
  const panel = Decoration.widget({ widget: new Panel(host), block: true, side: 1 }).range(at);
  view.dispatch({
    effects: [
      peeking.reconfigure(EditorView.decorations.of(Decoration.set(panel))),
      EditorView.scrollIntoView(at, { y: "nearest", yMargin: 220 }),
    ],
  });
}
