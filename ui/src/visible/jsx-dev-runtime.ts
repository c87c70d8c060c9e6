import { Fragment, jsxDEV as made } from "react/jsx-dev-runtime";
import { shownProps } from "./showing";

export type { JSX } from "react/jsx-dev-runtime";
export { Fragment };

export const jsxDEV: typeof made = (type, props, ...more) => made(type, shownProps(props), ...more);
