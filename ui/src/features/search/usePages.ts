// Hits are asked for page by page; another question begins with the first.

import { useCallback, useState } from "react";

/** Hits that are asked for at a time. */
const PAGE = 50;
const MOST = 500;

export function usePages(question: string) {
  const [pages, setPages] = useState({ question, n: 1 });
  const limit = Math.min(MOST, PAGE * (pages.question === question ? pages.n : 1));
  const more = useCallback(
    () => setPages({ question, n: Math.ceil(limit / PAGE) + 1 }),
    [question, limit],
  );
  return { limit, more, isLast: limit >= MOST };
}
