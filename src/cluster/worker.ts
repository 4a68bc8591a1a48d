import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { seedFirstStart } from '../auth/first-start.js';
import { drain, finishRequests, quietMilliseconds } from '../startup/close-app.js';
import { OpenConnections } from '../common/http/open-connections.js';
import { createLogger } from '../common/logging/logger.js';
import { flushLog } from '../common/logging/standard-output.js';
import { letYoungGenerationGrow } from '../common/young-generation.js';
import { ReadinessService } from '../health/readiness.service.js';
import { MetricsService } from '../metrics/metrics.service.js';
import { createAndListen } from '../startup/create-and-listen.js';
import { RemoteCalls } from './remote-calls.js';
import type { PrimaryMethods, WorkerMethods, WorkerSettings } from './worker-methods.js';

/*
 * A worker process: a replica that shares the port and the limits with the other workers. The primary starts and stops
 * it. Without the primary, Node ends the process.
 */

let running: Awaited<ReturnType<typeof startWorker>> | undefined;
const cut = new AbortController();

async function startWorker({ config, foundation, share }: WorkerSettings) {
  const logger = createLogger(config.logLevel).child({ worker: share.index + 1 });
  const { app, url } = await createAndListen(config, foundation, logger, share);
  return { config, logger, app, url };
}

function worker() {
  if (running === undefined) throw new Error('The worker has not started.');
  return running;
}

const methods: WorkerMethods = {
  start: async (settings) => {
    running = await startWorker(settings);
    return running.url;
  },
  seed: () => {
    const { app, config } = worker();
    return seedFirstStart(app.get(DataSource), { email: config.adminEmail, password: config.adminPassword });
  },
  run: () => {
    worker().app.get(ReadinessService).enter('running');
    letYoungGenerationGrow();
  },
  readMetrics: async () => (await worker().app.get(MetricsService).registry?.getMetricsAsJSON()) ?? [],
  drain: (milliseconds) => drain(worker().app, milliseconds, cut.signal),
  stopListening: () => {
    const connections = OpenConnections.of(worker().app.getHttpServer());
    // The primary accepts connections.
    return connections.stopListening(() => primary.call('turn'));
  },
  finish: async () => {
    const { app, config, logger } = worker();
    await finishRequests(app, { quietMilliseconds, stopMilliseconds: config.stopSeconds * 1000 }, logger, cut.signal);
    await flushLog(logger);
    process.exit(0);
  },
  cut: () => cut.abort(),
};

const primary = new RemoteCalls<PrimaryMethods>(process, methods);

void primary.call('loaded');

// A terminal sends signals to all processes of a service. The primary stops the workers.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
