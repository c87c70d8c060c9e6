// A file in CodeMirror: the core alone, painted with the ranges that the engine's parser found.

import "./code-links.css";
import "./code-view.css";
import { gotoLine, search, searchKeymap } from "@codemirror/search";
import {
  type ChangeSpec,
  Compartment,
  EditorSelection,
  EditorState,
  type Extension,
  Facet,
  type Range,
  RangeSet,
  RangeSetBuilder,
  StateEffect,
  Text,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { type RefObject, useEffect, useRef } from "react";
import type { FilePreview, PaintedRange } from "../ipc";
import { blameGutter } from "./blame-gutter";
import type { CodeProps, LineRange, LineSpan, WordMark } from "./CodeView";
import { findPanel } from "./FindBar";
import { hiddenChars } from "./hidden-chars";
import { useKeptInSight } from "./useKeptInSight";
import { useLinks } from "./usePeek";

/** Lines from the first on that are sure to be seen with it. */
const SEEN_LINES = 20;

const NO_WORDS: WordMark[] = [];

export function CodeMirror(props: CodeProps) {
  const { file, spans, words = NO_WORDS, blame } = props;
  const told = useRef(props);
  told.current = props;
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef<EditorView>(null);
  const scroller = useRef<HTMLElement>(null);
  const revealed = useRef("");
  const follows = useRef<Extension>([]);
  // One view for all files: an answer that takes another's place leaves the focus and the lines in sight.
  useEffect(() => {
    if (!host.current) return;
    const view = new EditorView({ parent: host.current });
    shown.current = view;
    scroller.current = view.scrollDOM;
    return () => {
      told.current.onLines?.(null);
      view.destroy();
    };
  }, []);
  useEffect(() => {
    if (shown.current)
      showFile(shown.current, file, [keysAndSelection(told), follows.current], told);
  }, [file]);
  useEffect(() => {
    const view = shown.current;
    if (!view) return;
    view.dispatch({ effects: hits.reconfigure(hitsOf(spans)) });
    const line = lineToShow(view.state.doc, spans);
    const before = spans.find((span) => span.main)?.before;
    const place = `${file.path}:${line} ${before}`;
    if (line && revealed.current !== place) reveal(view, line, before);
    revealed.current = place;
  }, [file, spans]);
  useChosenInSight(shown, scroller, told);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words belong to the text of this file
  useEffect(() => {
    if (shown.current) markWords(shown.current, words);
  }, [file, words]);
  useEffect(() => {
    const its = blame?.path === file.path ? blame : undefined;
    shown.current?.dispatch({ effects: blaming.reconfigure(blameGutter(its)) });
  }, [file, blame]);
  // After the effects above: the names come into the file that these put there.
  const links = useLinks(shown, told);
  follows.current = links.extension;
  return (
    <>
      <div className="code-view" ref={host} />
      {links.drawn}
    </>
  );
}

/** Puts a file into the view. The same file, written anew, stays where it was read. */
function showFile(
  view: EditorView,
  file: FilePreview,
  more: Extension,
  told: RefObject<CodeProps>,
): void {
  // CodeMirror counts every line break as one unit; the engine counts the text as it is.
  const text = file.text.replaceAll("\r\n", "\n");
  const extensions = extensionsOf(file, more);
  if (view.state.facet(pathShown) !== file.path) {
    view.setState(EditorState.create({ doc: linesIn(text), extensions }));
    told.current.onLines?.(null);
    return;
  }
  // What is drawn at places of the text before goes before that text does.
  view.dispatch({ effects: StateEffect.reconfigure.of([]) });
  view.dispatch({
    changes: changeTo(text, view.state.doc.toString()),
    effects: StateEffect.reconfigure.of(extensions),
  });
}

/** The one change that makes a text of the text before: places outside of it stay what they are. */
function changeTo(text: string, before: string): ChangeSpec {
  const shorter = Math.min(text.length, before.length);
  let from = 0;
  while (from < shorter && text[from] === before[from]) from++;
  let nAfter = 0;
  while (nAfter < shorter - from && text.at(-1 - nAfter) === before.at(-1 - nAfter)) nAfter++;
  const insert = linesIn(text.slice(from, text.length - nAfter));
  return { from, to: before.length - nAfter, insert };
}

/** A lone carriage return ends no line, as it ends none for the engine. */
const linesIn = (text: string) => Text.of(text.split("\n"));

/** Tells of selected lines; arrows move the cursor, and `m` pins its line. */
function keysAndSelection(told: RefObject<CodeProps>): Extension {
  return [
    EditorView.updateListener.of((update) => {
      if (!update.selectionSet && !update.docChanged) return;
      told.current.onLines?.(update.state.selection.main.empty ? null : linesAt(update.state));
    }),
    keymap.of([
      {
        key: "ArrowDown",
        run: (view) => moved(view, true),
        shift: (view) => moved(view, true, true),
      },
      {
        key: "ArrowUp",
        run: (view) => moved(view, false),
        shift: (view) => moved(view, false, true),
      },
      {
        key: "m",
        run: (view) => {
          told.current.onPin?.(linesAt(view.state));
          return told.current.onPin !== undefined;
        },
      },
    ]),
  ];
}

/** Moves the cursor by a line, or the end of the selection. */
function moved(view: EditorView, isDown: boolean, isSelecting = false): boolean {
  const { main } = view.state.selection;
  const { head } = view.moveVertically(main, isDown);
  view.dispatch({
    selection: { anchor: isSelecting ? main.anchor : head, head },
    scrollIntoView: true,
  });
  return true;
}

/** The lines of the selection; a line is left out where nothing of it is selected at the end. */
function linesAt(state: EditorState): LineRange {
  const { from, to, empty } = state.selection.main;
  const [first, last] = [state.doc.lineAt(from), state.doc.lineAt(to)];
  const isAtStart = !empty && to === last.from && last.number > first.number;
  return { from: first.number, to: last.number - (isAtStart ? 1 : 0) };
}

const pathShown = Facet.define<string, string>({ combine: (paths) => paths[0] ?? "" });
const hits = new Compartment();
const wordMarks = new Compartment();
const blaming = new Compartment();

function markWords(view: EditorView, words: WordMark[]): void {
  const { doc } = view.state;
  const ranges = words.flatMap((word, index) => {
    if (word.length === 0 || word.line > doc.lines) return [];
    const line = doc.line(word.line);
    const from = Math.min(line.to, line.from + word.column);
    const to = Math.min(line.to, from + word.length);
    return to > from ? [{ from, to, main: word.main, index }] : [];
  });
  const marks = ranges
    .sort((a, b) => a.from - b.from || a.to - b.to)
    .map(({ from, to, main, index }) => {
      const attributes = { "data-word": String(index) };
      return Decoration.mark({ class: main ? "cm-word main" : "cm-word", attributes }).range(
        from,
        to,
      );
    });
  const main = ranges.find((range) => range.main);
  view.dispatch({
    effects: [
      wordMarks.reconfigure(EditorView.decorations.of(Decoration.set(marks, true))),
      ...(main ? [intoSight(doc, main)] : []),
    ],
  });
}

/** To the end of a word from where its line begins: the line is moved sideways only as far as the word lies
 * beyond the pane. */
function intoSight(doc: Text, { from, to }: { from: number; to: number }) {
  const range = EditorSelection.range(doc.lineAt(from).from, to);
  return EditorView.scrollIntoView(range, { y: "nearest", yMargin: 60, xMargin: 16 });
}

/** What is pointed at, or the line that is shown of the chosen hit, through changes of the pane's size. */
function useChosenInSight(
  shown: RefObject<EditorView | null>,
  scroller: RefObject<HTMLElement | null>,
  told: RefObject<CodeProps>,
): void {
  const chosenOf = ({ state: { doc } }: EditorView) => {
    const { spans, words = NO_WORDS } = told.current;
    const word = words.find((one) => one.main && one.line <= doc.lines);
    const line = word?.line ?? lineToShow(doc, spans);
    if (line === undefined) return null;
    const { from, to } = doc.line(line);
    return { from, to: word ? Math.min(to, from + word.column + word.length) : from };
  };
  useKeptInSight(
    scroller,
    () => {
      const view = shown.current;
      const chosen = view && chosenOf(view);
      return chosen ? view.lineBlockAt(chosen.from) : null;
    },
    () => {
      const view = shown.current;
      const chosen = view && chosenOf(view);
      if (chosen) view.dispatch({ effects: intoSight(view.state.doc, chosen) });
    },
  );
}

function extensionsOf(file: FilePreview, more: Extension): Extension[] {
  const isShifted = file.text.includes("\r\n");
  const ranges = isShifted ? shiftForBreaks(file.text, file.highlights) : file.highlights;
  return [
    EditorState.readOnly.of(true),
    // Else a lone carriage return would end a line in what is copied.
    EditorState.lineSeparator.of("\n"),
    hiddenChars,
    EditorView.contentAttributes.of({
      "aria-label": `Text of ${file.path}`,
      "aria-readonly": "true",
      tabindex: "0",
    }),
    blaming.of([]),
    lineNumbers(),
    search({ top: true, createPanel: findPanel }),
    keymap.of(searchKeymap.filter((one) => one.run !== gotoLine)),
    EditorView.decorations.of((view) => paint(view, ranges)),
    pathShown.of(file.path),
    wordMarks.of([]),
    more,
    hits.of([]),
  ];
}

/** The ranges of what is drawn: a file has tens of thousands, a screen some hundreds. */
function paint(view: EditorView, ranges: PaintedRange[]): DecorationSet {
  const { from, to } = view.viewport;
  const end = view.state.doc.length;
  const drawn: Range<Decoration>[] = [];
  for (let index = firstEndingAfter(ranges, from); index < ranges.length; index++) {
    const range = ranges[index];
    if (!range || range.start >= to || range.end > end) break;
    if (range.end > range.start) drawn.push(markOf(range.class).range(range.start, range.end));
  }
  return Decoration.set(drawn, true);
}

/** Ranges follow one another and do not overlap. */
function firstEndingAfter(ranges: PaintedRange[], offset: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

const marks = new Map<string, Decoration>();

function markOf(kind: string): Decoration {
  const mark = marks.get(kind) ?? Decoration.mark({ class: `hl-${kind}` });
  marks.set(kind, mark);
  return mark;
}

function hitLines(doc: Text, spans: LineSpan[]): DecorationSet {
  const main = spans.find((span) => span.main);
  if (!main) return Decoration.none;
  const builder = new RangeSetBuilder<Decoration>();
  for (const line of linesOf(doc, main)) {
    builder.add(
      doc.line(line).from,
      doc.line(line).from,
      Decoration.line({ class: "cm-hit-line" }),
    );
  }
  return builder.finish();
}

class HitMark extends GutterMarker {
  constructor(readonly main: boolean) {
    super();
    this.elementClass = main ? "cm-hit-mark main" : "cm-hit-mark";
  }
}

function hitMarks(doc: Text, spans: LineSpan[]): RangeSet<GutterMarker> {
  const marked = new Map<number, boolean>();
  for (const span of spans) {
    for (const line of linesOf(doc, span)) marked.set(line, span.main || !!marked.get(line));
  }
  const marks = [...marked].map(([line, main]) => new HitMark(main).range(doc.line(line).from));
  return RangeSet.of(marks, true);
}

function linesOf(doc: Text, span: LineSpan): number[] {
  const from = Math.max(1, span.from);
  const to = Math.min(doc.lines, span.to);
  return to < from ? [] : Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The lines of the hits, drawn and beside the numbers. */
function hitsOf(spans: LineSpan[]): Extension {
  return [
    EditorView.decorations.of((view) => hitLines(view.state.doc, spans)),
    gutter({ class: "cm-hits", markers: (view) => hitMarks(view.state.doc, spans) }),
  ];
}

/** The line to show, from 1; none where the file no longer has it. */
function lineToShow(doc: Text, spans: LineSpan[]): number | undefined {
  const main = spans.find((span) => span.main);
  if (!main || main.from > doc.lines) return undefined;
  const at = main.at ?? main.from;
  const line = at - main.from < SEEN_LINES ? main.from : at;
  return Math.min(doc.lines, Math.max(1, line));
}

function reveal(view: EditorView, line: number, before?: number): void {
  const { doc } = view.state;
  const isThere = before !== undefined && before <= doc.lines;
  const { from } = doc.line(isThere ? before : line);
  const way = isThere ? ({ y: "center" } as const) : ({ y: "start", yMargin: 60 } as const);
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, way) });
}

/** Offsets in a text with `\r\n`, as offsets in the same text with `\n`. */
function shiftForBreaks(text: string, ranges: PaintedRange[]): PaintedRange[] {
  const breaks = [...text.matchAll(/\r\n/g)].map((match) => match.index);
  const before = (offset: number) => {
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return ranges.map((range) => ({
    ...range,
    start: range.start - before(range.start),
    end: range.end - before(range.end),
  }));
}
