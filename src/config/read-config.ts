import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { errorCode } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';
import { providerLimits } from './provider-limits.js';
import { documentation, variables } from './variables.js';

export type Environment = Partial<Record<string, string>>;

/** The validated configuration. */
export type Config = ReturnType<typeof readConfig>;

/** The settings of `npm run admin`. */
export type AdminConfig = ReturnType<typeof readAdminConfig>;

/** The OpenID provider that users and programs sign in with. */
export type OidcConfig = NonNullable<Config['oidc']>;

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
  const values = parse(variables, environment, [
    ...findMissingSecret(environment),
    ...findMissingIssuer(environment),
    ...findMissingClient(environment),
  ]);
  return {
    host: values.HOST,
    port: values.PORT,
    dataDirectory: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    jwtSecrets: values.JWT_SECRET,
    jwtTtlSeconds: values.JWT_TTL_SECONDS,
    adminEmail: values.ADMIN_EMAIL,
    adminPassword: values.ADMIN_PASSWORD,
    logLevel: values.LOG_LEVEL,
    drainSeconds: values.DRAIN_SECONDS,
    stopSeconds: values.STOP_SECONDS,
    trustProxy: values.TRUST_PROXY,
    publicUrl: values.PUBLIC_URL,
    corsOrigins: values.CORS_ORIGINS,
    maxConnections: values.MAX_CONNECTIONS,
    modelsFile: values.MODELS_FILE === undefined ? undefined : path.resolve(values.MODELS_FILE),
    /** The value of a variable that the models file names, which may be a secret; undefined if unset. */
    readSecret: (name: string): string | undefined => environment[name] || undefined,
    documentFetch: values.DOCUMENT_FETCH,
    ocrLanguages: values.OCR_LANGUAGES,
    ocrWorkerMemoryMegabytes: values.OCR_WORKER_MEMORY_MB,
    isPasswordSignInOn: values.PASSWORD_SIGN_IN,
    oidc: toOidcConfig(values),
  };
}

function toOidcConfig(values: z.output<typeof variables>) {
  if (values.OIDC_ISSUER === undefined) return undefined;
  return {
    issuer: values.OIDC_ISSUER,
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

const adminVariables = variables.pick({
  HOST: true,
  PORT: true,
  DATA_DIR: true,
  DATABASE_URL: true,
  PUBLIC_URL: true,
  PASSWORD_SIGN_IN: true,
});

/** The settings that the commands of `npm run admin` need: a subset of the service's. */
export function readAdminConfig(environment: Environment) {
  const values = parse(adminVariables, environment, findMissingIssuer(environment));
  return {
    host: values.HOST,
    port: values.PORT,
    dataDirectory: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    publicUrl: values.PUBLIC_URL,
    isPasswordSignInOn: values.PASSWORD_SIGN_IN,
  };
}

/** @param missing sentences about variables that must be set */
function parse<Schema extends z.ZodObject>(schema: Schema, environment: Environment, missing: string[]) {
  const fields: Partial<Record<string, z.ZodType>> = variables.shape;
  const result = schema.safeParse(environment);
  // Built from names and documentation only: a message of the schema could quote a secret.
  const names = new Set(result.error?.issues.map(({ path: [name] }) => String(name)));
  const invalid = [...names].map((name) => {
    const field = fields[name];
    return `${name} must be ${field && documentation.get(field)?.allowed}.`;
  });
  const mistakes = [...invalid, ...missing];
  if (mistakes.length === 0 && result.success) return result.data;
  throw new StartupError(
    mistakes.length === 1 ? mistakes.join() : `several variables must be corrected:\n  ${mistakes.join('\n  ')}`,
  );
}

function findMissingSecret({ DATABASE_URL, JWT_SECRET }: Environment): string[] {
  if (!DATABASE_URL || JWT_SECRET) return [];
  return ['JWT_SECRET must be set when DATABASE_URL is set, at least 32 bytes long and the same on every replica.'];
}

/** Without a provider, `PASSWORD_SIGN_IN=off` would lock everyone out. */
function findMissingIssuer({ PASSWORD_SIGN_IN, OIDC_ISSUER }: Environment): string[] {
  if (PASSWORD_SIGN_IN !== 'off' || OIDC_ISSUER) return [];
  return ['OIDC_ISSUER must be set when PASSWORD_SIGN_IN=off is set.'];
}

function findMissingClient(environment: Environment): string[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_AUDIENCE } = environment;
  const needIssuer = ['OIDC_CLIENT_ID', 'OIDC_AUDIENCE', 'OIDC_DEFAULT_ROLE'].filter((name) => environment[name]);
  const missing = OIDC_ISSUER ? [] : needIssuer.map((name) => `OIDC_ISSUER must be set when ${name} is set.`);
  if (OIDC_CLIENT_SECRET && !OIDC_CLIENT_ID) missing.push('OIDC_CLIENT_ID must be set when OIDC_CLIENT_SECRET is set.');
  if (OIDC_ISSUER && !OIDC_CLIENT_ID && !OIDC_AUDIENCE) {
    missing.push('OIDC_CLIENT_ID or OIDC_AUDIENCE must be set when OIDC_ISSUER is set.');
  }
  return missing;
}
