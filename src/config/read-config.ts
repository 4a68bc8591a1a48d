import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { errorCode } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';
import { providerLimits } from './provider-limits.js';
import { documentedVariables, variables } from './variables.js';

type Environment = Partial<Record<string, string>>;

/** If the trigger, a variable or `NAME=value`, is set, one of the needed variables must be set too. */
type Requirement = readonly [trigger: string, needed: string, note?: string];

/** The validated configuration. */
export type Config = ReturnType<typeof readConfig>;

/** The settings of `npm run admin`. */
export type AdminConfig = ReturnType<typeof readAdminConfig>;

/** The OpenID provider that users and programs sign in with. */
export type OidcConfig = NonNullable<Config['oidc']>;

/** Without a provider, no one could sign in. */
const adminRequirements: Requirement[] = [['PASSWORD_SIGN_IN=off', 'OIDC_ISSUER']];

const requirements: Requirement[] = [
  ['DATABASE_URL', 'JWT_SECRET', ', at least 32 bytes long and the same on every replica'],
  ...adminRequirements,
  ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
  ['OIDC_AUDIENCE', 'OIDC_ISSUER'],
  ['OIDC_DEFAULT_ROLE', 'OIDC_ISSUER'],
  ['OIDC_CLIENT_SECRET', 'OIDC_CLIENT_ID'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID or OIDC_AUDIENCE'],
];

const adminVariables = variables.pick({
  HOST: true,
  PORT: true,
  DATA_DIR: true,
  DATABASE_URL: true,
  PUBLIC_URL: true,
  PASSWORD_SIGN_IN: true,
});

/** The environment of the process, completed by `.env` in the working directory. */
export function readEnvironment(directory = process.cwd()): Environment {
  try {
    return { ...parseEnv(readFileSync(path.join(directory, '.env'), 'utf8')), ...process.env };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return process.env;
    throw new StartupError('.env in the working directory cannot be read; correct its permissions or remove it.');
  }
}

/**
 * Reads and validates every variable.
 *
 * @throws StartupError that lists every invalid variable with what is allowed, never with its value
 */
export function readConfig(environment: Environment) {
  const values = parse(variables, requirements, environment);
  return {
    ...toAdminConfig(values),
    jwtSecrets: values.JWT_SECRET,
    jwtTtlSeconds: values.JWT_TTL_SECONDS,
    adminEmail: values.ADMIN_EMAIL,
    adminPassword: values.ADMIN_PASSWORD,
    logLevel: values.LOG_LEVEL,
    drainSeconds: values.DRAIN_SECONDS,
    stopSeconds: values.STOP_SECONDS,
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS,
    maxConnections: values.MAX_CONNECTIONS,
    modelsFile: values.MODELS_FILE === undefined ? undefined : path.resolve(values.MODELS_FILE),
    /** The value of a variable that the models file names, which may be a secret; undefined if unset. */
    readSecret: (name: string): string | undefined => environment[name] || undefined,
    documentFetch: values.DOCUMENT_FETCH,
    ocrLanguages: values.OCR_LANGUAGES,
    ocrWorkerMemoryMegabytes: values.OCR_WORKER_MEMORY_MB,
    oidc: values.OIDC_ISSUER === undefined ? undefined : { issuer: values.OIDC_ISSUER, ...toOidcConfig(values) },
  };
}

/**
 * Reads the settings that the commands of `npm run admin` need.
 *
 * @throws StartupError, like `readConfig`
 */
export function readAdminConfig(environment: Environment) {
  return toAdminConfig(parse(adminVariables, adminRequirements, environment));
}

function toAdminConfig(values: z.output<typeof adminVariables>) {
  return {
    host: values.HOST,
    port: values.PORT,
    dataDirectory: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    publicUrl: values.PUBLIC_URL,
    isPasswordSignInOn: values.PASSWORD_SIGN_IN,
  };
}

function toOidcConfig(values: z.output<typeof variables>) {
  return {
    clientId: values.OIDC_CLIENT_ID,
    clientSecret: values.OIDC_CLIENT_SECRET,
    scopes: values.OIDC_SCOPES,
    isUserinfoOn: values.OIDC_USERINFO,
    audience: values.OIDC_AUDIENCE,
    organizationClaim: values.OIDC_ORGANIZATION_CLAIM,
    rolesClaim: values.OIDC_ROLES_CLAIM,
    sessionHours: values.OIDC_SESSION_HOURS,
    defaultRole: values.OIDC_DEFAULT_ROLE,
    missingRoles: values.OIDC_MISSING_ROLES,
    limits: providerLimits,
  };
}

function parse<Schema extends z.ZodObject>(
  schema: Schema,
  requirements: readonly Requirement[],
  environment: Environment,
): z.output<Schema> {
  // An empty variable counts as unset, as `NAME=` does in a Compose file.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  const result = schema.safeParse(given);
  const invalid = new Set(result.error?.issues.map(({ path: [name] }) => name));
  const isSet = (trigger: string) => {
    const [name = '', value] = trigger.split('=');
    return given[name] !== undefined && (value === undefined || given[name] === value);
  };
  const mistakes = [
    ...documentedVariables
      .filter(({ name }) => invalid.has(name))
      .map(({ name, allowed }) => `${name} must be ${allowed}.`),
    ...requirements
      .filter(([trigger, needed]) => isSet(trigger) && !needed.split(' or ').some(isSet))
      .map(([trigger, needed, note = '']) => `${needed} must be set when ${trigger} is set${note}.`),
  ];
  if (mistakes.length === 0 && result.success) return result.data;
  throw new StartupError(
    mistakes.length === 1 ? mistakes.join() : `several variables must be corrected:\n  ${mistakes.join('\n  ')}`,
  );
}
