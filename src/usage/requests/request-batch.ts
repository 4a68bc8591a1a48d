import { type LoggedRequest, toLine } from './logged-request.js';
import { fingerprintOf } from './request-fingerprint.js';

/** Further requests are dropped. */
const maxRequests = 20_000;

interface Group {
  apiKeyId: string;
  isFailure: boolean;
  lastAt: Date;
  fingerprints: Buffer[];
  lines: string[];
}

/** Requests that wait to be written. */
export class RequestBatch {
  private readonly groups = new Map<string, Group>();
  private count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Adds a request of a key. */
  add(apiKeyId: string, request: LoggedRequest): void {
    if (this.count >= maxRequests) return;
    this.count += 1;
    const isFailure = request.outcome !== 'success';
    const { occurredAt } = request;
    const name = `${apiKeyId} ${isFailure}`;
    const group = this.groups.get(name) ?? { apiKeyId, isFailure, lastAt: occurredAt, fingerprints: [], lines: [] };
    this.groups.set(name, group);
    if (occurredAt > group.lastAt) group.lastAt = occurredAt;
    group.fingerprints.push(fingerprintOf(request.requestId));
    group.lines.push(toLine(request));
  }

  /** The parameter of write-requests.sql. */
  toParameter(): string {
    const groups = Array.from(this.groups.values(), ({ apiKeyId, isFailure, lastAt, fingerprints, lines }) => ({
      api_key_id: apiKeyId,
      is_failure: isFailure,
      count: lines.length,
      last_at: lastAt,
      fingerprints: `\\x${Buffer.concat(fingerprints).toString('hex')}`,
      requests: lines.join('\n'),
    }));
    return JSON.stringify(groups);
  }
}
