// Names in the code as links: drawn when one points at them, followed with mouse and keys.

import {
  Compartment,
  type EditorState,
  type Extension,
  Facet,
  Prec,
  type Range,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap } from "@codemirror/view";
import type { SymbolLine } from "../ipc";
import { visible } from "../visible/visible";

/** A name in the code, and what it means. */
export interface CodeLink {
  /** From 1. */
  line: number;
  /** Columns, from 0. */
  start: number;
  end: number;
  /** The definitions, one at least. */
  targets: SymbolLine[];
  /** Scope, imports, types or a compiler lead there. */
  certain: boolean;
  /** It is the definition's own name. */
  own: boolean;
}

/** What becomes of a name. */
export type LinkAct = "go" | "uses" | "peek";

export type FollowLink = (link: CodeLink, act: LinkAct) => void;

/** Opens lines of a file of the same repository. */
export type OpenPlace = (place: { path: string; line: number; endLine?: number }) => void;

/** The names of a file that can be followed, and where they lead. */
export interface CodeLinks {
  /** Of the file whose names these are. */
  path: string;
  repo: string;
  /** Commit, or `null` for the working tree. */
  asOf: string | null;
  names: CodeLink[];
  /** `from` is the line of the name that was followed. */
  onOpen: (place: Parameters<OpenPlace>[0], from: number) => void;
}

/** What a panel under a line is about. */
export interface Peeked {
  link: CodeLink;
  what: "definition" | "uses" | "choice";
}

/** The lines of a definition from its name on. */
export function placeOf(target: SymbolLine): Parameters<OpenPlace>[0] {
  return { path: target.path, line: target.name_line, endLine: target.end_line };
}

/** How long a click waits for a second one, which selects the word. */
const DOUBLE_CLICK_MS = 220;

const shown = new Compartment();
const links = Facet.define<CodeLink[], CodeLink[]>({ combine: (all) => all[0] ?? [] });

/** Follows links; `onWalk` is told of the one that a key went to, `onEscape` says whether it did something. */
export function codeLinks(
  follow: FollowLink,
  onWalk: (link: CodeLink) => void,
  onEscape: () => boolean,
): Extension {
  const at = (act: LinkAct) => (view: EditorView) => {
    const link = linkAtCursor(view.state);
    if (link) follow(link, act);
    return link !== undefined;
  };
  const walk = (by: 1 | -1) => (view: EditorView) => {
    const link = nextLink(view, by);
    const anchor = link && rangeOf(view.state, link)?.from;
    if (!link || anchor === undefined) return false;
    view.dispatch({ selection: { anchor }, scrollIntoView: true });
    onWalk(link);
    return true;
  };
  return [
    shown.of([]),
    EditorView.decorations.of(drawnIn),
    clicks(follow),
    Prec.high(
      keymap.of([
        { key: "F12", run: at("go"), shift: at("uses") },
        { key: "Enter", run: at("go") },
        { key: "Alt-Enter", run: at("uses") },
        { key: "Space", run: at("peek") },
        { key: ".", run: walk(1) },
        { key: ",", run: walk(-1) },
        { key: "Escape", run: onEscape },
      ]),
    ),
  ];
}

/** Shows these links, by line and column, in place of those before. */
export function showLinks(view: EditorView, names: CodeLink[]): void {
  view.dispatch({ effects: shown.reconfigure(links.of(names)) });
}

/** A press and its release are told apart from a drag here: the press moves the cursor, which draws the name
 * anew, and WebKit makes no click of two nodes. */
function clicks(follow: FollowLink): Extension {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let pressed: CodeLink | undefined;
  return EditorView.domEventHandlers({
    mousedown(event, view) {
      clearTimeout(waiting);
      pressed = event.button === 0 && !event.shiftKey ? linkUnder(event, view) : undefined;
      return false;
    },
    mouseup(event, view) {
      const link = linkUnder(event, view);
      if (!link || link !== pressed || event.detail > 1) return false;
      // A text that was just selected is meant, not the name that it ends on.
      if (!view.state.selection.main.empty) return false;
      if (event.altKey) follow(link, "uses");
      else if (event.ctrlKey || event.metaKey) follow(link, "go");
      else waiting = setTimeout(() => follow(link, "go"), DOUBLE_CLICK_MS);
      return false;
    },
  });
}

function linkUnder(
  { target, clientX, clientY }: MouseEvent,
  view: EditorView,
): CodeLink | undefined {
  const name = target instanceof Element && target.closest("[data-name]");
  if (name) return view.state.facet(links)[Number(name.getAttribute("data-name"))];
  const position = view.posAtCoords({ x: clientX, y: clientY });
  return position === null ? undefined : linkAt(view.state, position);
}

/** The links of what is drawn: a file has thousands, a screen some hundreds. */
function drawnIn(view: EditorView): DecorationSet {
  const { state } = view;
  const { doc } = state;
  const all = state.facet(links);
  const [first, last] = [doc.lineAt(view.viewport.from), doc.lineAt(view.viewport.to)];
  const atCursor = linkAtCursor(state);
  const drawn: Range<Decoration>[] = [];
  for (let index = firstFrom(all, first.number); index < all.length; index++) {
    const link = all[index];
    if (!link || link.line > last.number) break;
    const place = rangeOf(state, link);
    if (!place || place.from === place.to) continue;
    const attributes = { "data-name": String(index), title: titleOf(link) };
    const mark = { class: classOf(link, link === atCursor), attributes };
    drawn.push(Decoration.mark(mark).range(place.from, place.to));
  }
  return Decoration.set(drawn, true);
}

function classOf(link: CodeLink, isAtCursor: boolean): string {
  return `cm-name${link.certain ? "" : " guess"}${isAtCursor ? " at" : ""}`;
}

/** What a name means, in words. */
export function titleOf(link: CodeLink): string {
  const [target, ...others] = link.targets;
  if (!target) return "";
  const what = `${target.kind} ${target.qualified}\n${target.path}:${target.name_line}`;
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  const sure = link.certain ? "" : "\nA guess: only its name leads there.";
  const keys = link.own ? "\nClick: its uses" : "\nClick: go there. Alt+click: its uses";
  return visible(`${what}${more}${sure}${keys}`);
}

/** The index of the first link of a line or those below it. */
function firstFrom(all: CodeLink[], line: number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where a link stands; nowhere in a text that is shorter by now. */
function rangeOf({ doc }: EditorState, link: CodeLink): { from: number; to: number } | undefined {
  if (link.line > doc.lines) return undefined;
  const line = doc.line(link.line);
  const at = (column: number) => Math.min(line.to, line.from + column);
  return { from: at(link.start), to: at(link.end) };
}

function linkAtCursor(state: EditorState): CodeLink | undefined {
  return linkAt(state, state.selection.main.head);
}

function linkAt(state: EditorState, position: number): CodeLink | undefined {
  const line = state.doc.lineAt(position);
  const column = position - line.from;
  const all = state.facet(links);
  for (let index = firstFrom(all, line.number); index < all.length; index++) {
    const link = all[index];
    if (link?.line !== line.number) break;
    if (link.start <= column && column <= link.end) return link;
  }
  return undefined;
}

/** The next link in the text, or the one before; from what is in sight where the cursor is not. */
function nextLink(view: EditorView, by: 1 | -1): CodeLink | undefined {
  const { state } = view;
  const { from, to } = inSight(view);
  const { head } = state.selection.main;
  const isSeen = from <= head && head <= to;
  const start = isSeen ? head : by > 0 ? from - 1 : to + 1;
  const all = state.facet(links);
  const after = (link: CodeLink) => ((rangeOf(state, link)?.from ?? start) - start) * by > 0;
  return by > 0 ? all.find(after) : all.findLast(after);
}

/** What of the text is to be seen, as far as that is measured. */
function inSight(view: EditorView): { from: number; to: number } {
  const { top, bottom } = view.scrollDOM.getBoundingClientRect();
  if (bottom <= top) return view.viewport;
  const at = (y: number) => view.lineBlockAtHeight(y - view.documentTop);
  return { from: at(top).from, to: at(bottom).to };
}
