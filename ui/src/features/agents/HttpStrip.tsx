// The server over HTTP, for clients that take an address: on or off, where, and its token.

import { Button, Switch } from "../../components/controls";
import { FailureLine } from "../../components/states";
import { copyText, useHttpState, useHttpSwitch, useHttpToken } from "../../ipc";

export function HttpStrip() {
  const state = useHttpState();
  const turn = useHttpSwitch();
  const token = useHttpToken();
  const running = state.data?.running ?? false;
  const copyToken = (rotate: boolean) =>
    token.mutate(rotate, { onSuccess: (text) => void copyText(text) });
  return (
    <div className="http-strip" data-testid="http-strip">
      <Switch
        isSelected={running}
        isDisabled={turn.isPending || !state.data}
        onChange={(on) => turn.mutate(on)}
      >
        HTTP server
      </Switch>
      {running && state.data ? (
        <>
          <code>{state.data.url}</code>
          <span className="muted">this machine alone, with a token</span>
          <span className="spacer" />
          <Button kind="quiet" icon="copy" onPress={() => copyText(state.data.url)}>
            Copy address
          </Button>
          <Button kind="quiet" icon="copy" onPress={() => copyToken(false)}>
            Copy token
          </Button>
          <Button kind="quiet" icon="refresh" onPress={() => copyToken(true)}>
            New token
          </Button>
        </>
      ) : (
        <span className="muted">
          Off. Agents start their own server; this is for agents that connect by URL.
        </span>
      )}
      {token.isSuccess && (
        <span className="muted" role="status">
          {token.variables ? "New token copied. Restart the server to use it" : "Token copied"}
        </span>
      )}
      <FailureLine error={turn.error ?? token.error ?? state.error} />
    </div>
  );
}
