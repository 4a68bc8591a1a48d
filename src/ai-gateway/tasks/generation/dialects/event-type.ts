import type { ServerSentEvent } from '../../../upstreams/events/server-sent-event.js';
import { asRecord } from './dialect.js';

/** The type of a named event. Some servers leave out `event:`, and only repeat the name in the data. */
export function eventType({ name, data }: ServerSentEvent): string {
  if (name !== undefined) return name;
  const { type } = parseEvent(data);
  return typeof type === 'string' ? type : '';
}

/** The JSON object in an event; empty if it has none. */
export function parseEvent(data: Buffer): Readonly<Record<string, unknown>> {
  try {
    return asRecord(JSON.parse(data.toString('utf8')));
  } catch {
    // The parser's message quotes the text, so it's dropped.
    return {};
  }
}
