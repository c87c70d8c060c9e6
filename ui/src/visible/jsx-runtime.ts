import { Fragment, jsx as made, jsxs as madeOfSeveral } from "react/jsx-runtime";
import { type Made, shownProps } from "./showing";

export type { JSX } from "react/jsx-runtime";
export { Fragment };

export const jsx = (type: Made[0], props: Made[1], key?: Made[2]) =>
  made(type, shownProps(props), key);
export const jsxs = (type: Made[0], props: Made[1], key?: Made[2]) =>
  madeOfSeveral(type, shownProps(props), key);
