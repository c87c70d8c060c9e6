// Explain: how an answer came about, from the run that gave it.

import { ShareMenu } from "../../components/share/ShareMenu";
import { explainCard } from "./explain-card";
import { explainMarkdown } from "./explain-markdown";
import "./explain.css";
import "./second-stage.css";
import { useEffect, useMemo, useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { amend, navigate, useRoute } from "../../app/route";
import { session } from "../../app/session";
import { Behind } from "../../components/Behind";
import { Button } from "../../components/controls";
import { Empty, Failure, FailureLine, Loading } from "../../components/states";
import { chooseSavePath, type Trace, useExplain, useExportTrace } from "../../ipc";
import { rowKey } from "./arithmetic";
import { BumpChart } from "./BumpChart";
import { GatePanel } from "./GatePanel";
import { IssuePanel } from "./IssuePanel";
import { JudgeRow } from "./JudgeRow";
import { Pipeline } from "./Pipeline";
import { RankingPanel } from "./RankingPanel";
import { RerankPanel } from "./RerankPanel";
import { RunPanel } from "./RunPanel";
import type { Factors } from "./refuse";
import { useAnswerOfNow } from "./useAnswerOfNow";
import { WhyHead } from "./WhyHead";
import { WordsPanel } from "./WordsPanel";
import { whyOf } from "./why";

export function ExplainView() {
  const { id, params } = useRoute();
  const { last } = session.use();
  const queryId = id ?? last?.queryId;
  const trace = useExplain(queryId);
  const { isOpening, asOf } = useAnswerOfNow(queryId);

  useEffect(() => {
    if (!id && last) amend({ view: "explain", id: last.queryId });
  }, [id, last]);

  const toSearch = () =>
    navigate({
      view: "search",
      params: { q: (last?.queryId === queryId ? last?.text : trace.data?.query) ?? "" },
    });
  if (!queryId) {
    return (
      <Empty
        action={
          <Button kind="primary" icon="search" onPress={toSearch}>
            Go to code
          </Button>
        }
      >
        Search first; every answer can be explained.
      </Empty>
    );
  }
  if (trace.isPending || isOpening) return <Loading label="Reading the trace" />;
  if (trace.isError) {
    return (
      <Failure
        error={trace.error}
        onRetry={() => trace.refetch()}
        action={
          <Button kind="primary" icon="search" onPress={toSearch}>
            Go to code
          </Button>
        }
      />
    );
  }
  return (
    <TraceView key={queryId} trace={trace.data} asOf={asOf} row={params.row} onSearch={toSearch} />
  );
}

function TraceView(props: {
  trace: Trace;
  asOf: string | null;
  row: string | undefined;
  onSearch: () => void;
}) {
  const { trace } = props;
  const [tab, setTab] = useState<string>("ranking");
  const [chosen, setChosen] = useState(() => firstKey(trace, props.row));
  const [factors, setFactors] = useState<Factors>({});
  const row = trace.rows.find((one) => rowKey(one) === chosen);
  const why = useMemo(() => row && whyOf(trace, row), [trace, row]);
  const exporting = useExportTrace();
  const exportJson = async () => {
    const path = await chooseSavePath(`whyrank-${trace.query_id}.json`);
    if (path) exporting.mutate({ queryId: trace.query_id, path });
  };
  return (
    <section className="view explain" aria-label="Explain">
      <Behind asOf={props.asOf} />
      <header className="view-head">
        <div className="explain-title">
          <h1 className="ellipsis" title={trace.query}>
            {trace.query}
          </h1>
          <p className="small muted ellipsis">
            {trace.view} · <span className="code">{trace.query_id}</span>
          </p>
        </div>
        <Button icon="search" onPress={props.onSearch}>
          Back to code
        </Button>
        {row && (
          <ShareMenu
            name={`whyrank-${trace.query_id}`}
            draw={() => explainCard(trace, row)}
            markdown={() => explainMarkdown(trace, row)}
            data-testid="explain-share"
          />
        )}
        <Button icon="download" data-testid="explain-export" onPress={exportJson}>
          Export JSON
        </Button>
      </header>
      <FailureLine error={exporting.error} />
      {row && why && (
        <WhyHead
          row={row}
          why={why}
          judge={<JudgeRow trace={trace} row={row} />}
          factors={factors}
          onFactors={(tried) => {
            setFactors(tried);
            setTab("ranking");
          }}
        />
      )}
      <Pipeline trace={trace} onGate={() => setTab("gate")} onRerank={() => setTab("rerank")} />
      <Tabs className="tabs" selectedKey={tab} onSelectionChange={(key) => setTab(String(key))}>
        <TabList className="tab-list" aria-label="Parts of the explanation">
          <Tab id="ranking" className="tab">
            Ranking
          </Tab>
          {trace.issue && (
            <Tab id="issue" className="tab" data-testid="explain-tab-issue">
              Issue
            </Tab>
          )}
          <Tab id="movement" className="tab" data-testid="explain-tab-movement">
            Movement
          </Tab>
          <Tab id="gate" className="tab" data-testid="explain-tab-gate">
            Gate
          </Tab>
          <Tab id="words" className="tab" data-testid="explain-tab-words">
            Alignments
          </Tab>
          {trace.rerank && (
            <Tab id="rerank" className="tab" data-testid="explain-tab-rerank">
              Reranker
            </Tab>
          )}
          <Tab id="run" className="tab">
            Weights, times and index
          </Tab>
        </TabList>
        <TabPanel id="ranking" className="tab-panel">
          <RankingPanel
            trace={trace}
            chosen={chosen}
            factors={factors}
            onFactors={setFactors}
            onChoose={setChosen}
          />
        </TabPanel>
        {trace.issue && row && (
          <TabPanel id="issue" className="tab-panel">
            <IssuePanel record={trace.issue} row={row} />
          </TabPanel>
        )}
        <TabPanel id="movement" className="tab-panel">
          <BumpChart trace={trace} chosen={chosen} onChoose={setChosen} />
        </TabPanel>
        <TabPanel id="gate" className="tab-panel">
          <GatePanel trace={trace} />
        </TabPanel>
        <TabPanel id="words" className="tab-panel">
          <WordsPanel trace={trace} chosen={chosen} onChoose={setChosen} />
        </TabPanel>
        {trace.rerank && (
          <TabPanel id="rerank" className="tab-panel">
            <RerankPanel trace={trace} record={trace.rerank} onChoose={setChosen} />
          </TabPanel>
        )}
        <TabPanel id="run" className="tab-panel">
          <RunPanel trace={trace} />
        </TabPanel>
      </Tabs>
    </section>
  );
}

function firstKey(trace: Trace, row: string | undefined): string | undefined {
  const named =
    trace.rows.find((one) => rowKey(one) === row || `#${one.rank}` === row) ??
    trace.rows.find((one) => one.shown) ??
    trace.rows[0];
  return named && rowKey(named);
}
