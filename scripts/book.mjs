// What mdBook runs over the pages before it builds the site: links that leave `docs/` go to the forge, since the site has
// `docs/` alone. Called as `node scripts/book.mjs`, with the book as JSON on standard input.

import { posix } from "node:path";
import { home } from "./package/release.mjs";

if (process.argv[2] === "supports") process.exit(process.argv[3] === "html" ? 0 : 1);

let input = "";
for await (const text of process.stdin) input += text;
const [, book] = JSON.parse(input);
for (const item of book.items ?? book.sections) visit(item);
process.stdout.write(JSON.stringify(book));

function visit(item) {
  const chapter = item.Chapter;
  if (!chapter) return;
  if (chapter.path) chapter.content = linked(chapter.content, posix.join("docs", posix.dirname(chapter.path)));
  chapter.sub_items.forEach(visit);
}

function linked(text, folder) {
  return text.replace(/\]\((\.\.\/[^)\s]+)\)/g, (whole, link) => {
    const path = posix.join(folder, link);
    return path.startsWith("docs/") ? whole : `](${home}/blob/main/${path})`;
  });
}
