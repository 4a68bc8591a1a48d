import type { ClientConfig } from 'pg';
import type { ModelDefinition } from './model-definition.js';
import type { HttpLimits } from '../common/http/http-limits.js';
import type { JwtSecrets } from './jwt-secret.js';
import type { Config } from './read-config.js';

/** The configuration of a running service: every open choice of `Config` is made. Injected by this class. */
export abstract class ServiceConfig {
  /** How to reach PostgreSQL, embedded or not. */
  abstract readonly database: ClientConfig;
  /** Age after which database connections are replaced, if not the default of a few minutes. */
  abstract readonly connectionMaxAgeSeconds?: number;
  /** Sign and verify the tokens of signed-in users (HS256). */
  abstract readonly jwtSecrets: JwtSecrets;
  abstract readonly jwtTtlSeconds: Config['jwtTtlSeconds'];
  abstract readonly trustProxy: Config['trustProxy'];
  abstract readonly publicUrl: Config['publicUrl'];
  abstract readonly corsOrigins: Config['corsOrigins'];
  abstract readonly documentFetch: Config['documentFetch'];
  abstract readonly ocrWorkerMemoryMegabytes: Config['ocrWorkerMemoryMegabytes'];
  /** Whether people may sign in with a password. */
  abstract readonly isPasswordSignInOn: Config['isPasswordSignInOn'];
  /** The OpenID provider; undefined without single sign-on. */
  abstract readonly oidc: Config['oidc'];
  /** The models that are served. */
  abstract readonly models: readonly ModelDefinition[];
  /** Where the built dashboard is; undefined: the API is served alone. */
  abstract readonly dashboardFolder: string | undefined;
  /** Limits of the HTTP server that differ from `defaultHttpLimits`. */
  abstract readonly http?: Partial<HttpLimits>;
  abstract readonly maxConnections: Config['maxConnections'];
}
