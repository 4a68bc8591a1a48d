import path from 'node:path';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { ClientConfig } from 'pg';
import { readConfig } from '../../src/config/read-config.js';
import type { ServiceConfig } from '../../src/config/service-config.js';

export const benchJwtSecret = 'the secret of the bench, longer than 32 bytes';

/** Where the service of the bench lists its models without a key, and with a TypeORM query per request. */
export const comparedPaths = { public: '/bench/public', typeorm: '/bench/typeorm' };

/** Where the build puts the dashboard; the commands of package.json run in the folder that it is in. */
const dashboardFolder = path.resolve('dashboard/dist');

export function benchConfig(database: ClientConfig): ServiceConfig {
  return {
    ...readConfig({}),
    database,
    jwtSecrets: [benchJwtSecret],
    jwtTtlSeconds: 3600,
    models: defaultModels(),
    dashboardFolder,
  };
}
