// Copies a link that opens this screen of this repository, here and where else it is registered.

import { linkTo } from "../app/link";
import { currentRoute } from "../app/route";
import { session } from "../app/session";
import { useRepos } from "../ipc";
import { copyAndSay } from "./copy";

export function useCopyLink(): () => Promise<void> {
  const { repo } = session.use();
  const { data } = useRepos();
  const current = data?.find((one) => one.id === repo);
  return () => copyAndSay(linkTo(currentRoute(), current), "link to this screen");
}
