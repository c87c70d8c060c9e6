// Memos about the question, above the hits and marked as what they are.

import { navigate } from "../../app/route";
import { Icon } from "../../components/Icon";
import { memoTitle } from "../../components/memo-title";
import type { Memo } from "../../ipc";

export function Memos({ memos }: { memos: Memo[] }) {
  if (memos.length === 0) return null;
  return (
    <ul className="search-memos" aria-label="Memos" data-testid="search-memos">
      {memos.map((memo) => (
        <li key={memo.id}>
          <button
            type="button"
            data-testid="search-memo"
            title={memo.content}
            onClick={() => navigate({ view: "memory", params: { memo: memo.id } })}
          >
            <Icon name="memory" />
            <span className="small muted">{memo.kind}</span>
            <span className="ellipsis">{memoTitle(memo)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
