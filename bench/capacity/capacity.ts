import { cpus } from 'node:os';
import type { Costs } from './measure-costs.js';

/** The share of its processors that a primary should use, so that a peak or a vacuum fits. */
export const sustainableShare = 0.6;
/** Beyond which commits of a usual cloud disk (gp3 with 250 MB/s) wait. */
const diskBytesPerSecond = 125_000_000;
const replicaProcessors = 1;
/** For management, verification, reservations, usage, webhooks, history and retention; see docs/scaling.md. */
const connectionsPerReplica = 16;
const secondsPerDay = 86_400;

/** What a primary with a number of cores carries of one kind of request. */
export interface Capacity {
  cores: number;
  requestsPerSecond: number;
  replicas: number;
  connections: number;
  walGigabytesPerDay: number;
  endsFirst: 'processors' | 'disk';
}

/**
 * Extrapolates the costs of a request to a primary of its own.
 *
 * requests/s = min(share × cores / CPU in PostgreSQL, disk / WAL)
 *
 */
export function capacityOf(costs: Costs, cores: number): Capacity {
  const bounds = {
    processors: (sustainableShare * cores * 1e6) / costs.postgres,
    disk: diskBytesPerSecond / costs.walBytes,
  };
  const requestsPerSecond = Math.min(...Object.values(bounds));
  const names = Object.keys(bounds) as (keyof typeof bounds)[];
  const endsFirst = names.find((name) => bounds[name] === requestsPerSecond) ?? 'processors';
  const replicas = Math.ceil((requestsPerSecond * costs.keycard) / 1e6 / (sustainableShare * replicaProcessors));
  return {
    cores,
    requestsPerSecond,
    replicas,
    connections: replicas * connectionsPerReplica,
    walGigabytesPerDay: (requestsPerSecond * costs.walBytes * secondsPerDay) / 1e9,
    endsFirst,
  };
}

export const processorCount = cpus().length;

/** The machine's processors, such as "2 × AMD EPYC". */
export const processorsHere = () => `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`;
