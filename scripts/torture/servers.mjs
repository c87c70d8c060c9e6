// Eight servers on one repository while files are saved and memos written: no error, no lost memo, and in the end
// all give the answers of a fresh index.

import { answers, client, die, edit, fresh, join, repository, run, scratch, sleep } from "./lib.mjs";

export async function servers({ seconds, seed, n = 8 }) {
  const random = die(seed);
  const base = scratch("servers");
  const folder = repository(join(base, "repo"), ["crates/system/src", "ui/src/ipc"]);
  const home = fresh(join(base, "home"));
  run(home, folder, ["index", folder, "--no-vectors"]);
  const failures = [];
  const written = [];
  const all = Array.from({ length: n }, () => client(home, folder));
  await Promise.all(all.map((one) => one.begin()));
  const end = Date.now() + seconds * 1000;
  let n_calls = 0;
  const work = all.map(async (one, number) => {
    for (let at = 0; Date.now() < end; at += 1) {
      const text = `server ${number} wrote memo ${at}`;
      const isMemo = at % 9 === 4;
      const call = isMemo ? ["remember", { content: text }] : ["search", { query: random.pick(["replace a file", "program", "visible text", "added"]) }];
      const answer = await one.call(...call);
      n_calls += 1;
      if (answer === null || answer.error || (answer.result?.isError && !/busy|behind|try again/.test(JSON.stringify(answer)))) failures.push(`${call[0]}: ${JSON.stringify(answer).slice(0, 200)} ${one.said()}`);
      else if (isMemo && !answer.result?.isError) written.push(text);
    }
  });
  for (let number = 1; Date.now() < end; number += 1) {
    edit(random, folder, number);
    await sleep(400);
  }
  await Promise.all(work);
  for (const one of all) one.end();
  // All that is recorded: a list leaves out what holds on other branches alone.
  const listed = run(home, folder, ["memo", "export"]).out;
  failures.push(...written.filter((text) => !listed.includes(`${text}"`)).map((text) => `lost: ${text}`));
  run(home, folder, ["index", folder, "--no-vectors"]);
  const other = fresh(join(base, "fresh"));
  run(other, folder, ["index", folder, "--no-vectors"]);
  const [lived, expected] = [answers(home, folder).given, answers(other, folder).given];
  expected.forEach((answer, at) => answer === lived[at] || failures.push(`answer ${at} differs from a fresh index`));
  return { name: "servers at once", tried: `${n} servers for ${seconds} s: ${n_calls} calls, ${written.length} memos`, failures };
}
