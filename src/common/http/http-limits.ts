import { partOf, type InstanceShare } from '../instance-share.js';
import type { LingerLimits } from './lingering-connections.js';
import type { ReaderLimits } from './slow-readers.js';

/** Limits of the HTTP server. Tests use smaller ones. */
export interface HttpLimits {
  /** How long a body may make no progress, including before its first byte. */
  readonly bodyIdleMilliseconds: number;
  /** How long the headers of a request may take to arrive. */
  readonly headersMilliseconds: number;
  /** How long a whole request may take to arrive. */
  readonly requestMilliseconds: number;
  /** How often the two limits above are checked. */
  readonly checkIntervalMilliseconds: number;
  /** For connections that are closed while their client may still be sending. */
  readonly linger: LingerLimits;
  /** For clients that don't read their responses. */
  readonly reader: ReaderLimits;
}

export const defaultHttpLimits: HttpLimits = {
  bodyIdleMilliseconds: 20_000,
  headersMilliseconds: 20_000,
  requestMilliseconds: 120_000,
  checkIntervalMilliseconds: 5_000,
  linger: { idleMilliseconds: 5_000, totalMilliseconds: 30_000, bytes: 128 * 1024 * 1024, connections: 256 },
  reader: { idleMilliseconds: 60_000, unsentBytes: 256 * 1024 * 1024, checkIntervalMilliseconds: 250 },
};

/** Twice the largest response. */
const minUnsentBytes = 128 * 1024 * 1024;

/** Divides the limits that apply to all connections together. */
export function divideLimits(limits: HttpLimits, share: InstanceShare | undefined): HttpLimits {
  const { linger, reader } = limits;
  return {
    ...limits,
    linger: { ...linger, connections: partOf(linger.connections, share) },
    reader: { ...reader, unsentBytes: partOf(reader.unsentBytes, share, minUnsentBytes) },
  };
}
