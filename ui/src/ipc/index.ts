// The window's one door to the shell.

export { useEngineEvents } from "./events";
export * from "./hooks";
export { chooseFolder, chooseSavePath, copyText, useDroppedPath } from "./platform";
export type * from "./types";
