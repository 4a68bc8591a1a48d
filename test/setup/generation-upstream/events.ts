/** A part of a stream, as it is sent. */
export interface StreamEvent {
  text: string;
  /** Output tokens that are generated for it, including reasoning. */
  output: number;
  reasoning: number;
  /** Whether it completes what the upstream reports of usage. */
  reportsUsage: boolean;
}

interface Generated {
  output?: number;
  reasoning?: number;
  reportsUsage?: boolean;
}

/** An event with a line for its data, and one for its name if it has one. */
export function toEvent(data: object | string, generated: Generated = {}, name?: string): StreamEvent {
  const { output = 0, reasoning = 0, reportsUsage = false } = generated;
  const line = typeof data === 'string' ? data : JSON.stringify(data);
  const text = `${name === undefined ? '' : `event: ${name}\n`}data: ${line}\n\n`;
  return { text, output, reasoning, reportsUsage };
}

/** An event named like the `type` of its data. */
export function toTypedEvent<Data extends { type: string }>(data: Data, generated: Generated = {}): StreamEvent {
  return toEvent(data, generated, data.type);
}

export function toComment(text: string): StreamEvent {
  return { text: `: ${text}\n\n`, output: 0, reasoning: 0, reportsUsage: false };
}

/** Puts tokens of several choices in the order in which a server that generates them together sends them. */
export function interleave<Item>(lists: Item[][]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list.slice(place, place + 1))).flat();
}

/** Returns one event for all, so that they are written at once. */
export function merge(events: StreamEvent[]): StreamEvent {
  return events.reduce((merged, { text, output, reasoning, reportsUsage }) => ({
    text: merged.text + text,
    output: merged.output + output,
    reasoning: merged.reasoning + reasoning,
    reportsUsage: merged.reportsUsage || reportsUsage,
  }));
}
