import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { errorCode } from '../common/errors/error-facts.js';
import { StartupError } from '../common/startup-error.js';
import { providerLimits } from './provider-limits.js';
import { type VariableName, variables, type VariableValue } from './variables.js';

export type Environment = Partial<Record<string, string>>;

/** What the operator has set, typed and validated. */
export type Config = ReturnType<typeof readConfig>;

/** The settings of `npm run admin`. */
export type AdminConfig = ReturnType<typeof readAdminConfig>;

/** The OpenID provider that people and programs sign in with. */
export type OidcConfig = NonNullable<Config['oidc']>;

/** The process's environment, completed by `.env` in the working directory. */
export function readEnvironment(directory = process.cwd()): Environment {
  try {
    return { ...parseEnv(readFileSync(path.join(directory, '.env'), 'utf8')), ...process.env };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return process.env;
    throw new StartupError('.env in the working directory cannot be read; correct its permissions or remove it.');
  }
}

/**
 * Reads and checks every variable.
 *
 * @throws StartupError that names the first wrong variable and what is allowed, never its value
 */
export function readConfig(environment: Environment) {
  const databaseUrl = readOptional(environment, 'DATABASE_URL');
  const jwtSecrets = readOptional(environment, 'JWT_SECRET');
  if (databaseUrl !== undefined && jwtSecrets === undefined) {
    throw new StartupError(
      'JWT_SECRET must be set when DATABASE_URL is set, at least 32 bytes long and the same on every replica.',
    );
  }
  const modelsFile = readOptional(environment, 'MODELS_FILE');
  return {
    host: read(environment, 'HOST'),
    port: read(environment, 'PORT'),
    dataDirectory: path.resolve(read(environment, 'DATA_DIR')),
    databaseUrl,
    jwtSecrets,
    jwtTtlSeconds: read(environment, 'JWT_TTL_SECONDS'),
    adminEmail: read(environment, 'ADMIN_EMAIL'),
    adminPassword: readOptional(environment, 'ADMIN_PASSWORD'),
    logLevel: read(environment, 'LOG_LEVEL'),
    drainSeconds: read(environment, 'DRAIN_SECONDS'),
    stopSeconds: read(environment, 'STOP_SECONDS'),
    trustProxy: read(environment, 'TRUST_PROXY'),
    publicUrl: readOptional(environment, 'PUBLIC_URL'),
    corsOrigins: read(environment, 'CORS_ORIGINS'),
    maxConnections: read(environment, 'MAX_CONNECTIONS'),
    modelsFile: modelsFile === undefined ? undefined : path.resolve(modelsFile),
    /** The value of a variable that the models file names, which may be a secret; undefined when it is unset. */
    readSecret: (name: string): string | undefined => environment[name] || undefined,
    documentFetch: read(environment, 'DOCUMENT_FETCH'),
    ocrLanguages: read(environment, 'OCR_LANGUAGES'),
    ocrWorkerMemoryMegabytes: read(environment, 'OCR_WORKER_MEMORY_MB'),
    isPasswordSignInOn: readPasswordSignIn(environment),
    oidc: readOidc(environment),
  };
}

/** The settings that the commands of `npm run admin` need: a subset of the service's. */
export function readAdminConfig(environment: Environment) {
  return {
    host: read(environment, 'HOST'),
    port: read(environment, 'PORT'),
    dataDirectory: path.resolve(read(environment, 'DATA_DIR')),
    databaseUrl: readOptional(environment, 'DATABASE_URL'),
    publicUrl: readOptional(environment, 'PUBLIC_URL'),
    isPasswordSignInOn: readPasswordSignIn(environment),
  };
}

/** Switching passwords off without another way to sign in would lock everybody out. */
function readPasswordSignIn(environment: Environment): boolean {
  const isOn = read(environment, 'PASSWORD_SIGN_IN') === 'on';
  if (!isOn) requireTogether(environment, 'PASSWORD_SIGN_IN=off', 'OIDC_ISSUER');
  return isOn;
}

/** The OpenID provider; undefined without one. */
function readOidc(environment: Environment) {
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_AUDIENCE', 'OIDC_DEFAULT_ROLE'] as const) {
    if (environment[name]) requireTogether(environment, name, 'OIDC_ISSUER');
  }
  if (environment['OIDC_CLIENT_SECRET']) requireTogether(environment, 'OIDC_CLIENT_SECRET', 'OIDC_CLIENT_ID');
  // Read even without an issuer, so that a wrong value is told in any case.
  const settings = {
    clientId: readOptional(environment, 'OIDC_CLIENT_ID'),
    clientSecret: readOptional(environment, 'OIDC_CLIENT_SECRET'),
    scopes: read(environment, 'OIDC_SCOPES'),
    isUserinfoOn: read(environment, 'OIDC_USERINFO') === 'on',
    audience: readOptional(environment, 'OIDC_AUDIENCE'),
    organizationClaim: read(environment, 'OIDC_ORGANIZATION_CLAIM'),
    rolesClaim: read(environment, 'OIDC_ROLES_CLAIM'),
    sessionHours: read(environment, 'OIDC_SESSION_HOURS'),
    defaultRole: readOptional(environment, 'OIDC_DEFAULT_ROLE'),
    missingRoles: read(environment, 'OIDC_MISSING_ROLES'),
  };
  const issuer = readOptional(environment, 'OIDC_ISSUER');
  if (issuer === undefined) return undefined;
  if (settings.clientId === undefined && settings.audience === undefined) {
    throw new StartupError('OIDC_CLIENT_ID or OIDC_AUDIENCE must be set when OIDC_ISSUER is set.');
  }
  return { issuer, ...settings, limits: providerLimits };
}

function requireTogether(environment: Environment, setting: string, needed: VariableName): void {
  if (!environment[needed]) throw new StartupError(`${needed} must be set when ${setting} is set.`);
}

function readOptional<Name extends VariableName>(
  environment: Environment,
  name: Name,
): VariableValue<Name> | undefined {
  const variable = variables[name];
  // An empty variable counts as unset: that is what `NAME=` in a .env or compose file means.
  const text = environment[name] || variable.default;
  if (text === undefined) return undefined;
  const value = variable.parse(text);
  if (value === undefined) throw new StartupError(`${name} must be ${variable.allowed}.`);
  return value as VariableValue<Name>;
}

function read<Name extends VariableName>(environment: Environment, name: Name): VariableValue<Name> {
  const value = readOptional(environment, name);
  if (value === undefined) throw new StartupError(`${name} must be set: ${variables[name].allowed}.`);
  return value;
}
