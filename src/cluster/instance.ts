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
import type { PrimaryMethods, InstanceMethods, InstanceSettings } from './instance-methods.js';

/*
 * An instance process: a replica that shares the port and the limits with the other instances. The primary starts and stops
 * it. Without the primary, Node ends the process.
 */

let running: Awaited<ReturnType<typeof startInstance>> | undefined;
const cut = new AbortController();

async function startInstance({ config, foundation, share }: InstanceSettings) {
  const logger = createLogger(config.logLevel).child({ instance: share.index + 1 });
  const { app, url } = await createAndListen(config, foundation, logger, share);
  return { config, logger, app, url };
}

function instance() {
  if (running === undefined) throw new Error('The instance has not started.');
  return running;
}

const methods: InstanceMethods = {
  start: async (settings) => {
    running = await startInstance(settings);
    return running.url;
  },
  seed: () => {
    const { app, config } = instance();
    return seedFirstStart(app.get(DataSource), { email: config.adminEmail, password: config.adminPassword });
  },
  run: () => {
    instance().app.get(ReadinessService).enter('running');
    letYoungGenerationGrow();
  },
  readMetrics: async () => (await instance().app.get(MetricsService).registry?.getMetricsAsJSON()) ?? [],
  drain: (milliseconds) => drain(instance().app, milliseconds, cut.signal),
  stopListening: () => {
    const connections = OpenConnections.of(instance().app.getHttpServer());
    // The primary accepts connections.
    return connections.stopListening(() => primary.call('turn'));
  },
  finish: async () => {
    const { app, config, logger } = instance();
    await finishRequests(app, { quietMilliseconds, stopMilliseconds: config.stopSeconds * 1000 }, logger, cut.signal);
    await flushLog(logger);
    process.exit(0);
  },
  cut: () => cut.abort(),
};

const primary = new RemoteCalls<PrimaryMethods>(process, methods);

void primary.call('loaded');

// A terminal sends signals to all processes of a service. The primary stops the instances.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
