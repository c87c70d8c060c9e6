// A table head that sorts.

import "./sort-head.css";
import { Icon } from "./Icon";

export function SortHead(props: {
  label: string;
  about?: string;
  numeric?: boolean;
  isActive: boolean;
  descending: boolean;
  onPress: () => void;
}) {
  const direction = props.descending ? "descending" : "ascending";
  return (
    <th
      aria-sort={props.isActive ? direction : "none"}
      className={props.numeric ? "num" : undefined}
      title={props.about}
    >
      <button type="button" className="sort-button" onClick={props.onPress}>
        {props.label}
        {props.isActive && <Icon name={props.descending ? "down" : "up"} />}
      </button>
    </th>
  );
}
