// A table head that sorts.

import type { ReactNode } from "react";
import "./sort-head.css";
import { Icon } from "./Icon";

export function SortHead(props: {
  label: ReactNode;
  about?: string;
  numeric?: boolean;
  className?: string;
  isActive: boolean;
  descending: boolean;
  onPress: () => void;
}) {
  const classes = [props.numeric && "num", props.className].filter(Boolean).join(" ");
  const direction = props.descending ? "descending" : "ascending";
  return (
    <th
      aria-sort={props.isActive ? direction : "none"}
      className={classes || undefined}
      title={props.about}
    >
      <button type="button" className="sort-button" onClick={props.onPress}>
        {props.label}
        {props.isActive && <Icon name={props.descending ? "down" : "up"} />}
      </button>
    </th>
  );
}
