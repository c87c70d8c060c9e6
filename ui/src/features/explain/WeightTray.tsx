// Weights to move: the list follows at once, and nothing is saved until it is told so.

import { ChannelDot, channelAbout, channelColour, channelLabel } from "../../components/channels";
import { Button } from "../../components/controls";
import { weight } from "../../components/format";
import { FailureLine } from "../../components/states";
import type { Channel } from "../../ipc";
import { changes, type Factors } from "./refuse";
import { useSaveFactors } from "./useSaveFactors";

const MOST = 3;

export function WeightTray(props: {
  channels: readonly Channel[];
  factors: Factors;
  onFactors: (factors: Factors) => void;
}) {
  const { factors } = props;
  const saving = useSaveFactors();
  const isChanged = changes(factors);
  return (
    <section className="weight-tray" aria-label="Try other weights" data-testid="weight-tray">
      <div className="weight-tray-sliders">
        {props.channels.map((channel) => (
          <Slider
            key={channel}
            channel={channel}
            value={factors[channel] ?? 1}
            onChange={(value) => props.onFactors({ ...factors, [channel]: value })}
          />
        ))}
      </div>
      <div className="weight-tray-foot">
        <p className="small muted">
          A slider moves a channel's ranks and the evidence of its color, among these candidates.
        </p>
        <Button kind="quiet" isDisabled={!isChanged} onPress={() => props.onFactors({})}>
          Reset
        </Button>
        <Button
          isDisabled={!isChanged || !saving.isReady}
          isPending={saving.isPending}
          data-testid="weights-save"
          onPress={() => saving.save(factors)}
        >
          Save for all searches
        </Button>
      </div>
      {saving.isSaved && !isChanged && (
        <p className="small" role="status">
          Saved. The next search uses these weights.
        </p>
      )}
      <FailureLine error={saving.error} />
    </section>
  );
}

function Slider(props: { channel: Channel; value: number; onChange: (value: number) => void }) {
  const { channel, value } = props;
  const id = `try-${channel}`;
  return (
    <div className="weight-try">
      <label htmlFor={id} title={channelAbout(channel)}>
        <ChannelDot channel={channel} /> {channelLabel(channel)}
      </label>
      <output htmlFor={id} className="num" data-changed={value !== 1 || undefined}>
        {value === 0 ? "off" : `×${weight(value)}`}
      </output>
      <input
        id={id}
        type="range"
        min={0}
        max={MOST}
        step={0.1}
        value={value}
        data-testid={`try-${channel}`}
        aria-valuetext={value === 0 ? "off" : `times ${weight(value)}`}
        style={{ accentColor: channelColour(channel) }}
        onChange={(event) => props.onChange(Number(event.target.value))}
      />
    </div>
  );
}
