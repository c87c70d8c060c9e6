/** The most bytes of a path that are looked at. */
const LIMIT = 8192;

/** The path of a request: without host, query and fragment, decoded. */
export function getPath(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const end = url.slice(start).search(/[?#]/);
  const path = end < 0 ? url.slice(start) : url.slice(start, start + end);
  return decodePath(path.slice(0, LIMIT));
}

/** The path without a slash at its end. */
export function getPathNoStrict(url: string): string {
  const path = getPath(url);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Decodes a path once; what is no valid encoding stays as it is. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The segments between the slashes of a path. */
export function splitPath(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** Joins paths with one slash between them. */
export function mergePath(...paths: string[]): string {
  return `/${paths.flatMap(splitPath).join("/")}`;
}
