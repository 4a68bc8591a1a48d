import path from 'node:path';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { ClientConfig } from 'pg';
import type { ServiceConfig } from '../../src/config/service-config.js';

export const benchJwtSecret = 'the secret of the bench, longer than 32 bytes';

/** Where the build puts the dashboard; the commands of package.json run in the folder that it is in. */
const dashboardFolder = path.resolve('dashboard/dist');

export function benchConfig(database: ClientConfig): ServiceConfig {
  return {
    database,
    jwtSecret: benchJwtSecret,
    jwtTtlSeconds: 3600,
    trustProxy: false,
    publicUrl: undefined,
    corsOrigins: [],
    documentFetch: true,
    isPasswordSignInOn: true,
    oidc: undefined,
    models: defaultModels(),
    dashboardFolder,
  };
}
