import path from 'node:path';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { readConfig } from '../../src/config/read-config.js';
import type { ServiceConfig } from '../../src/config/service-config.js';

export const benchJwtSecret = 'a secret for benchmarks, longer than 32 bytes';

/** Routes that `GET /v1/models` is compared with: one without a key, one with a TypeORM query per request. */
export const comparedPaths = { public: '/bench/public', typeorm: '/bench/typeorm' };

/** The built dashboard. npm runs scripts in the project's folder. */
const dashboardFolder = path.resolve('dashboard/dist');

export function benchConfig(database: DatabaseConnection): ServiceConfig {
  return {
    ...readConfig({}),
    database,
    jwtSecrets: [benchJwtSecret],
    jwtTtlSeconds: 3600,
    models: defaultModels(),
    services: [],
    dashboardFolder,
  };
}
