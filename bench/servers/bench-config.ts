import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { ClientConfig } from 'pg';
import type { ServiceConfig } from '../../src/config/service-config.js';

export const benchJwtSecret = 'the secret of the bench, longer than 32 bytes';

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
    dashboardFolder: undefined,
  };
}
