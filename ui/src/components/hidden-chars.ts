// Hidden characters of a file, written out where they stand; its offsets stay what they are.

import type { Extension } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from "@codemirror/view";
import { HIDDEN, shownAfter } from "../visible/visible";

class WrittenOut extends WidgetType {
  constructor(readonly text: string) {
    super();
  }

  override eq(other: WrittenOut) {
    return other.text === this.text;
  }

  toDOM() {
    const shown = document.createElement("span");
    shown.className = "cm-hidden-char";
    shown.textContent = this.text;
    return shown;
  }
}

const writer = new MatchDecorator({
  regexp: HIDDEN,
  decorate: (add, from, to, [char], view) => {
    const before = view.state.sliceDoc(Math.max(0, from - 2), from);
    const text = shownAfter(before, char);
    if (text) add(from, to, Decoration.replace({ widget: new WrittenOut(text) }));
  },
});

export const hiddenChars: Extension = ViewPlugin.fromClass(
  class {
    shown: DecorationSet;

    constructor(view: EditorView) {
      this.shown = writer.createDeco(view);
    }

    update(update: ViewUpdate) {
      this.shown = writer.updateDeco(update, this.shown);
    }
  },
  { decorations: (plugin) => plugin.shown },
);
