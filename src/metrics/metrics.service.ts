import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

/** A value for a combination of labels. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** A number that is read when metrics are requested, so that it costs requests nothing. */
export interface Reading {
  /** Counters only grow, and their names end in `_total`. */
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** How the values of several instances become one; `sum` by default. */
  readonly ofInstances?: 'sum' | 'max';
  readonly read: () => number | Iterable<Sample>;
}

/** A histogram of durations. */
export class DurationMetric {
  /** Set while metrics are exposed. */
  record: ((labels: Labels, seconds: number) => void) | undefined;

  constructor(
    readonly name: string,
    readonly help: string,
    readonly labelNames: readonly string[],
  ) {}
}

/**
 * What this replica exposes as metrics. Features add theirs, and don't know who reads them. Labels must have few values:
 * never anything of a key, a user or an organization.
 */
@Injectable()
export class MetricsService {
  readonly readings: Reading[] = [];
  /** Set while metrics are exposed. */
  registry: Pick<Registry, 'getMetricsAsJSON'> | undefined;
  /** Such as `http://127.0.0.1:9090/metrics`; undefined unless this process serves them. */
  url: string | undefined;
  readonly requests = new DurationMetric(
    'http_server_request_duration_seconds',
    'Duration of requests to Keycard, in seconds. Status 499: the client disconnected.',
    ['http_request_method', 'http_route', 'http_response_status_code'],
  );
  readonly upstreamRequests = new DurationMetric(
    'http_client_request_duration_seconds',
    'Duration of requests to upstreams until the response began, in seconds.',
    ['server_address', 'outcome'],
  );

  readonly timeToFirstToken = new DurationMetric(
    'gen_ai_server_time_to_first_token_seconds',
    'Time from the arrival of a request until the first event of its stream, in seconds.',
    ['gen_ai_request_model'],
  );
  readonly timePerOutputToken = new DurationMetric(
    'gen_ai_server_time_per_output_token_seconds',
    'Time per output token of a stream after the first one, in seconds: the inverse of tokens per second.',
    ['gen_ai_request_model'],
  );

  /** All durations. */
  get durations(): readonly DurationMetric[] {
    return [this.requests, this.upstreamRequests, this.timeToFirstToken, this.timePerOutputToken];
  }

  add(...readings: readonly Reading[]): void {
    this.readings.push(...readings);
  }
}
