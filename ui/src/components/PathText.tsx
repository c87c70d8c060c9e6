// A path that is cut in its folders where there is no room, so that the name of its file is read; its
// line is never cut.

import "./path-text.css";
import type { CSSProperties } from "react";

export function PathText(props: {
  /** May end in lines: `src/a.rs:3`. */
  path: string;
  /** What stands before it, told apart: the repository. */
  before?: string | null;
  title?: string;
  className?: string;
}) {
  const { path, before } = props;
  const cut = path.lastIndexOf("/");
  const name = cut > 0 ? path.slice(cut) : path;
  const line = /:\d+(?:[-–]\d+)?$/.exec(name)?.[0] ?? "";
  return (
    <span
      className={`path-text ${props.className ?? ""}`}
      title={props.title ?? path}
      style={
        {
          "--name": `${[...path.slice(cut)].length + 1}ch`,
          "--folders": `${Math.max(0, cut)}ch`,
        } as CSSProperties
      }
    >
      {before && (
        <b className="path-before">
          {before}
          {cut <= 0 && "/"}
        </b>
      )}
      {cut > 0 && (
        <span className="path-folders">
          {/* With its slash: where the folders are cut away, the name has its own. */}
          <bdi dir="ltr">{`${before ? "/" : ""}${path.slice(0, cut)}`}</bdi>
        </span>
      )}
      <bdi dir="ltr" className="path-name">
        <span className="path-file">{name.slice(0, name.length - line.length)}</span>
        {line && <span className="path-line">{line}</span>}
      </bdi>
    </span>
  );
}
