import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { FirstStart } from '../auth/first-start.js';
import type { WorkerShare } from '../common/worker-share.js';
import type { Config } from '../config/read-config.js';
import type { Foundation } from '../startup/prepare-start.js';

/** Everything a worker reads; restarted workers get the same, even if a file has changed. */
export interface WorkerSettings {
  /** Without its function, which can't be sent; the primary has read the models file. */
  config: Omit<Config, 'readSecret'>;
  foundation: Foundation;
  share: WorkerShare;
}

export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** What the primary calls in a worker, in this order. */
// Not an interface, which has no index signature.
export type WorkerMethods = {
  /** Starts to listen. Returns the URL. */
  start: (settings: WorkerSettings) => Promise<string>;
  /** Creates the first administrator if there are no users. */
  seed: () => Promise<FirstStart | undefined>;
  /** Reports ready. */
  run: () => void;
  readMetrics: () => Promise<Metrics>;
  /** Reports not ready and keeps serving requests for this time. */
  drain: (milliseconds: number) => Promise<void>;
  /** Leaves new connections to the other workers. */
  stopListening: () => Promise<void>;
  /** Finishes requests in flight, and exits. */
  finish: () => Promise<void>;
  /** Ends all waiting. */
  cut: () => void;
};

/** What a worker calls in the primary. */
export type PrimaryMethods = {
  /** Reports that it can be called. */
  loaded: () => void;
  /** Waits until connections that have arrived by now are on their way to a worker. */
  turn: () => Promise<void>;
};
