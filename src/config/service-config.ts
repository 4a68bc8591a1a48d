import type { DatabaseConnection } from './database-connection.js';
import type { SinkDefinition } from './sink-definition.js';
import type { HttpLimits } from '../common/http/http-limits.js';
import type { AuditSigningKeys } from './audit-signing-keys.js';
import type { JwtSecrets } from './jwt-secret.js';
import type { MailConfig } from './mail-config.js';
import type { ModelDefinition } from './model-definition.js';
import type { Config } from './read-config.js';
import type { WebhookOptions } from './webhook-options.js';
import type { InstanceShare } from '../common/instance-share.js';

export const defaultCurrency = 'USD';

/** A service that reverse proxies protect. */
export interface ServiceDefinition {
  readonly name: string;
  /** Ids of the organizations whose keys may use it; undefined: all. */
  readonly organizations?: readonly string[] | undefined;
}

/** Configuration of a running service, with every choice of `Config` resolved. The class is the injection token. */
export abstract class ServiceConfig {
  /** How to reach PostgreSQL, embedded or not. */
  abstract readonly database: DatabaseConnection;
  /** Where the newest row of the database's history is kept between restarts; undefined: nowhere. */
  abstract readonly historyFile?: string;
  abstract readonly primaryLeaseSeconds?: Config['primaryLeaseSeconds'];
  /** Age after which database connections are replaced; a few minutes by default. */
  abstract readonly connectionMaxAgeSeconds?: number;
  /** Sign and verify access tokens (HS256). */
  abstract readonly jwtSecrets: JwtSecrets;
  abstract readonly jwtTtlSeconds: Config['jwtTtlSeconds'];
  abstract readonly trustProxy: Config['trustProxy'];
  abstract readonly publicUrl?: Config['publicUrl'];
  abstract readonly corsOrigins: Config['corsOrigins'];
  abstract readonly limitWaitSeconds: Config['limitWaitSeconds'];
  /** Requests to create something in 15 minutes. */
  abstract readonly creationLimitPerUser: Config['creationLimitPerUser'];
  abstract readonly creationLimitPerOrganization: Config['creationLimitPerOrganization'];
  /** Verify reports of leaked keys; undefined: reports need no signature. */
  abstract readonly leakedKeysPublicKeys?: Config['leakedKeysPublicKeys'];
  /** Networks that webhooks may be in, besides the public internet. */
  abstract readonly webhookAllowedNetworks: Config['webhookAllowedNetworks'];
  /** Overrides of `defaultWebhookOptions`. */
  abstract readonly webhooks?: Partial<WebhookOptions>;
  abstract readonly documentFetch: Config['documentFetch'];
  abstract readonly embeddingsCacheMb: Config['embeddingsCacheMb'];
  abstract readonly ocrDataDir?: Config['ocrDataDir'];
  abstract readonly ocrWorkerMemoryMb: Config['ocrWorkerMemoryMb'];
  abstract readonly usageRetentionDays: Config['usageRetentionDays'];
  /** Undefined: forever. */
  abstract readonly auditRetentionDays?: Config['auditRetentionDays'];
  /** Ed25519 seeds in base64: the first signs the audit log, all of them verify. Undefined: nothing is signed. */
  abstract readonly auditSigningKeys?: AuditSigningKeys | undefined;
  /** Where audit events are sent. */
  abstract readonly auditSinks?: readonly SinkDefinition[];
  /** Whether users can sign in with a password. */
  abstract readonly passwordSignIn: Config['passwordSignIn'];
  /** Accounts that may create organizations. */
  abstract readonly organizationCreation: Config['organizationCreation'];
  /** OpenID provider; undefined without single sign-on. */
  abstract readonly oidc: Config['oidc'];
  /** The served models. */
  abstract readonly models: readonly ModelDefinition[];
  /** Services that reverse proxies protect with `/v1/authorize`. */
  abstract readonly services: readonly (string | ServiceDefinition)[];
  /** Currency of the prices of models, as an ISO 4217 code; `defaultCurrency` by default. */
  abstract readonly currency?: string;
  /** Folder of the built dashboard; undefined serves the API only. */
  abstract readonly dashboardFolder: string | undefined;
  /** Where metrics are served. With `by-primary`, the primary process reads and serves them; undefined: nowhere. */
  abstract readonly metrics?: { readonly host: string; readonly port: number } | 'by-primary' | undefined;
  /** How mail is sent; undefined: not at all. */
  abstract readonly mail?: MailConfig | undefined;
  /** Where traces are sent; undefined: nowhere. */
  abstract readonly otel?: Config['otel'];
  /** Overrides of `defaultHttpLimits`. */
  abstract readonly http?: Partial<HttpLimits>;
  /** The limit of the whole service, even in an instance. */
  abstract readonly maxConnections: Config['maxConnections'];
  /** Which instance this process is; undefined if it's the whole service. */
  abstract readonly instanceShare?: InstanceShare | undefined;
}
