// Channels: name, two-letter code and a colour that never changes.

import "./channels.css";
import type { Channel } from "../ipc";

export const CHANNELS: readonly Channel[] = [
  "fts",
  "vector",
  "doc-section",
  "path",
  "symbol-name",
  "graph",
  "late-interaction",
  "static",
];

const INFO: Record<Channel, { code: string; label: string; about: string }> = {
  fts: { code: "FT", label: "Full text", about: "BM25 over code-aware tokens" },
  vector: { code: "VE", label: "Vector", about: "Similarity of meaning, from the embedding model" },
  "doc-section": { code: "DO", label: "Docs", about: "Documentation and prose" },
  path: { code: "PA", label: "Path", about: "Query words in file names" },
  "symbol-name": { code: "SY", label: "Symbol name", about: "Query words in definition names" },
  graph: {
    code: "GR",
    label: "Graph",
    about: "Linked by calls, members and types to the other channels' top results",
  },
  "late-interaction": {
    code: "LI",
    label: "Late interaction",
    about: "Each query token against each code token (MaxSim)",
  },
  static: {
    code: "ST",
    label: "Static",
    about: "Similarity of meaning, from a table of words that comes with Whyrank",
  },
};

export const channelCode = (channel: Channel) => INFO[channel].code;
export const channelLabel = (channel: Channel) => INFO[channel].label;
export const channelAbout = (channel: Channel) => INFO[channel].about;
export const channelColour = (channel: Channel) => `var(--ch-${channel})`;

/** A dot in the channel's colour, with its code. */
export function ChannelDot({ channel, dim = false }: { channel: Channel; dim?: boolean }) {
  return (
    <span className="channel-dot" data-dim={dim || undefined} title={channelLabel(channel)}>
      <i style={{ background: channelColour(channel) }} aria-hidden="true" />
      {channelCode(channel)}
    </span>
  );
}
