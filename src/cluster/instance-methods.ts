import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { FirstStart } from '../auth/first-start.js';
import type { InstanceShare } from '../common/instance-share.js';
import type { Config } from '../config/read-config.js';
import type { Foundation } from '../startup/prepare-start.js';

/** Everything an instance reads; restarted instances get the same, even if a file has changed. */
export interface InstanceSettings {
  /** Without its function, which can't be sent; the primary has read the models file. */
  config: Omit<Config, 'readSecret'>;
  foundation: Foundation;
  share: InstanceShare;
}

export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** What the primary calls in an instance, in this order. */
// Not an interface, which has no index signature.
export type InstanceMethods = {
  /** Starts to listen. Returns the URL. */
  start: (settings: InstanceSettings) => Promise<string>;
  /** Creates the first administrator if there are no users. */
  seed: () => Promise<FirstStart | undefined>;
  /** Reports ready. */
  run: () => void;
  readMetrics: () => Promise<Metrics>;
  /** Reports not ready and keeps serving requests for this time. */
  drain: (milliseconds: number) => Promise<void>;
  /** Leaves new connections to the other instances. */
  stopListening: () => Promise<void>;
  /** Finishes requests in flight, and exits. */
  finish: () => Promise<void>;
  /** Ends all waiting. */
  cut: () => void;
};

/** What an instance calls in the primary. */
export type PrimaryMethods = {
  /** Reports that it can be called. */
  loaded: () => void;
  /** Waits until connections that have arrived by now are on their way to an instance. */
  turn: () => Promise<void>;
};
