// A channel's weight, 0 to 5; at 0 the channel is off.

import { ChannelDot, channelAbout, channelColour, channelLabel } from "../../components/channels";
import { weight } from "../../components/format";
import type { WeightSetting } from "../../ipc";

/** Late interaction also reorders what the others found, which has its own switch below. */
const NOTES: Partial<Record<WeightSetting["channel"], string>> = {
  "late-interaction": "as a channel",
};

export function WeightSlider(props: {
  entry: WeightSetting;
  standard: number | undefined;
  onChange: (value: number) => void;
}) {
  const { channel, weight: value } = props.entry;
  const id = `weight-${channel}`;
  return (
    <div className="weight">
      <label htmlFor={id} title={channelAbout(channel)}>
        <ChannelDot channel={channel} /> {channelLabel(channel)} {NOTES[channel]}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={5}
        step={0.1}
        value={value}
        data-testid={`weight-slider-${channel}`}
        aria-valuetext={value === 0 ? "off" : weight(value)}
        style={{ accentColor: channelColour(channel) }}
        onChange={(event) => props.onChange(Number(event.target.value))}
      />
      <output htmlFor={id} className="num strong">
        {value === 0 ? "off" : weight(value)}
      </output>
      <span className="small muted">
        {props.standard !== undefined && props.standard !== value
          ? `default ${weight(props.standard)}`
          : ""}
      </span>
    </div>
  );
}
