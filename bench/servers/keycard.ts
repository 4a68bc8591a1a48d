import 'reflect-metadata';
import type { FastifyInstance } from 'fastify';
import { DataSource } from 'typeorm';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { readBearerToken } from '../../src/access/bearer-token.js';
import { toModelDto } from '../../src/ai-gateway/models/model.dto.js';
import { ModelCatalogService } from '../../src/ai-gateway/models/model-catalog.service.js';
import type { ModelDefinition } from '../../src/config/model-definition.js';
import type { ServiceConfig } from '../../src/config/service-config.js';
import { ApiKey } from '../../src/api-keys/api-key.entity.js';
import { hashApiKey } from '../../src/api-keys/api-key.token.js';
import { createApp } from '../../src/startup/create-app.js';
import { createLogger } from '../../src/common/logging/logger.js';
import { runTasks } from '../processes/run-tasks.js';
import { benchConfig, comparedPaths } from './bench-config.js';

export interface KeycardSettings {
  database: DatabaseConnection;
  /** The embedded models by default. */
  models?: ModelDefinition[];
  /** Whether metrics are collected. */
  hasMetrics?: boolean;
  /** Off by default. */
  embeddingsCacheMb?: number;
  /** None by default. */
  webhookAllowedNetworks?: ServiceConfig['webhookAllowedNetworks'];
}

export interface Listening {
  url: string;
}

/** Starts the service with the routes it is compared with. It logs each request at level `info`. */
async function start({
  database,
  models,
  hasMetrics,
  embeddingsCacheMb = 0,
  webhookAllowedNetworks = [],
}: KeycardSettings): Promise<Listening> {
  const metrics = hasMetrics === true ? { host: '127.0.0.1', port: 0 } : undefined;
  const own = { metrics, embeddingsCacheMb, webhookAllowedNetworks };
  const settings = { ...benchConfig(database), ...(models && { models }), ...own };
  const app = await createApp(settings, createLogger('info'));
  addComparedRoutes(app.getHttpAdapter().getInstance(), app.get(ModelCatalogService), app.get(DataSource));
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl() };
}

function addComparedRoutes(fastify: FastifyInstance, catalog: ModelCatalogService, dataSource: DataSource): void {
  const list = () => ({ object: 'list', data: catalog.list().map(({ name, model }) => toModelDto(name, model)) });
  fastify.get(comparedPaths.public, () => Promise.resolve(list()));
  // The obvious implementation: one repository query per request.
  fastify.get(comparedPaths.typeorm, async (request) => {
    const secretHash = hashApiKey(readBearerToken(request) ?? '');
    const { id, organizationId } = await dataSource.getRepository(ApiKey).findOneByOrFail({ secretHash });
    request.principal = { kind: 'api-key', id, organizationId, permissions: [] };
    return list();
  });
}

runTasks(start);
