// Shares of languages as one bar; the words stand beside it, so colour is not needed to read it.

import "./language-bar.css";
import type { LanguageShare } from "../ipc";
import { count } from "./format";

const STEPS = 4;

export function LanguageBar({ languages }: { languages: LanguageShare[] }) {
  const total = languages.reduce((sum, language) => sum + language.lines, 0) || 1;
  const parts = foldTail(languages);
  if (parts.length === 0) return null;
  const words = parts.map((part) => `${part.language} ${whole(part.lines / total)}`);
  return (
    <div className="language-bar" title={languages.map(inWords).join("\n")}>
      <div className="language-track" aria-hidden="true">
        {parts.map((part, index) => (
          <i key={part.language} data-step={index} style={{ flexGrow: part.lines / total }} />
        ))}
      </div>
      <span className="small muted ellipsis">{words.join(" · ")}</span>
    </div>
  );
}

/** Shares that stand side by side are rounded alike. */
function whole(share: number): string {
  return share < 0.005 ? "< 1%" : `${Math.round(share * 100)}%`;
}

function inWords(share: LanguageShare): string {
  return `${share.language}: ${count(share.files)} files, ${count(share.lines)} lines`;
}

function foldTail(languages: LanguageShare[]): LanguageShare[] {
  if (languages.length <= STEPS) return languages;
  const tail = languages.slice(STEPS - 1);
  const sum = (pick: (share: LanguageShare) => number) => tail.reduce((all, s) => all + pick(s), 0);
  const other = { language: "other", files: sum((s) => s.files), lines: sum((s) => s.lines) };
  return [...languages.slice(0, STEPS - 1), other];
}
