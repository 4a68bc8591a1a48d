import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { errorCode } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';
import { parseSettings } from '../common/validation/settings-schema.js';
import { providerLimits } from './provider-limits.js';
import { variableName, variables } from './variables.js';

type Environment = Partial<Record<string, string>>;

/** If the trigger, a variable or `NAME=value`, is set, one of the needed variables must be set too. */
type Requirement = readonly [trigger: string, needed: string, note?: string];

/** The validated configuration. */
export type Config = ReturnType<typeof readConfig>;

/** The settings of `npm run admin`. */
export type AdminConfig = ReturnType<typeof readAdminConfig>;

/** The OpenID provider that users and programs sign in with. */
export type OidcConfig = NonNullable<Config['oidc']>;

/** Stands for the secrets in examples. */
const placeholder = 'REPLACE-ME';

/** Without a provider, no one could sign in. */
const adminRequirements: Requirement[] = [['PASSWORD_SIGN_IN=off', 'OIDC_ISSUER']];

const requirements: Requirement[] = [
  ['DATABASE_URL', 'JWT_SECRET', ', at least 32 bytes long and the same on every replica'],
  ...adminRequirements,
  ['SMTP_URL', 'MAIL_FROM'],
  ['SMTP_URL', 'PUBLIC_URL', ', because mail contains links'],
  ['MAIL_FROM', 'SMTP_URL'],
  ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
  ['OIDC_AUDIENCE', 'OIDC_ISSUER'],
  ['OIDC_DEFAULT_ROLE', 'OIDC_ISSUER'],
  ['OIDC_CLIENT_SECRET', 'OIDC_CLIENT_ID'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID or OIDC_AUDIENCE'],
];

const adminVariables = variables.pick({
  host: true,
  port: true,
  dataDir: true,
  databaseUrl: true,
  publicUrl: true,
  backupSigningKey: true,
  auditSigningKey: true,
  passwordSignIn: true,
  modelsFile: true,
});

/**
 * The environment of the process, completed by `.env` in the working directory. An empty variable doesn't override `.env`:
 * if a script lost the value of DATABASE_URL, Keycard would use the embedded database, where deleted keys may work.
 */
export function readEnvironment(directory = process.cwd()): Environment {
  try {
    const set = Object.entries(process.env).filter(([, value]) => value !== '');
    return { ...parseEnv(readFileSync(path.join(directory, '.env'), 'utf8')), ...Object.fromEntries(set) };
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
  const { oidc, otel, smtpUrl, mailFrom, ...config } = parse(variables, requirements, environment);
  const { issuer, ...provider } = oidc;
  const { exporterOtlpEndpoint, ...exporter } = otel;
  return {
    ...config,
    /** The value of a variable that the models file names, which may be a secret; undefined if unset. */
    readSecret: (name: string): string | undefined => environment[name] || undefined,
    /** Undefined: no mail is sent. */
    mail: smtpUrl === undefined || mailFrom === undefined ? undefined : { smtpUrl, from: mailFrom },
    otel: exporterOtlpEndpoint === undefined ? undefined : { exporterOtlpEndpoint, ...exporter },
    oidc: issuer === undefined ? undefined : { issuer, ...provider, limits: providerLimits },
  };
}

/**
 * Reads the settings that the commands of `npm run admin` need.
 *
 * @throws StartupError, like `readConfig`
 */
export function readAdminConfig(environment: Environment) {
  return parse(adminVariables, adminRequirements, environment);
}

/** Names the database for people, without credentials: `db.example.com:5432/keycard`, or where the embedded one is. */
export function describeDatabase({ databaseUrl, dataDir }: Pick<AdminConfig, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === undefined) return `the embedded database in ${dataDir}`;
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

function parse<Schema extends z.ZodObject>(
  schema: Schema,
  requirements: readonly Requirement[],
  environment: Environment,
): z.output<Schema> {
  const { settings, problems } = parseSettings(schema, readFields(schema, environment), variableName);
  const isSet = (trigger: string) => {
    const [name = '', value] = trigger.split('=');
    return value === undefined ? Boolean(environment[name]) : environment[name] === value;
  };
  for (const [trigger, needed, note = ''] of requirements) {
    const isMissing = isSet(trigger) && !needed.split(' or ').some(isSet);
    if (isMissing) problems.push(`${needed} must be set when ${trigger} is set${note}`);
  }
  for (const [name, value] of namedValues(schema, environment)) {
    if (value?.includes(placeholder)) problems.push(`${name} still has the placeholder ${placeholder}`);
  }
  if (settings !== undefined && problems.length === 0) return settings;
  const heading = problems.length > 1 ? ['several variables must be corrected:'] : [];
  throw new StartupError([...heading, ...problems.map((problem) => `${problem}.`)].join('\n  '));
}

/** Returns every variable with its value. */
function namedValues({ shape }: z.ZodObject, environment: Environment, parents: string[] = []): [string, string?][] {
  return Object.entries(shape).flatMap(([field, type]): [string, string?][] => {
    const path = [...parents, field];
    if (type instanceof z.ZodObject) return namedValues(type, environment, path);
    const name = variableName(path);
    return [[name, environment[name]]];
  });
}

/** Returns the text of each field. An empty variable counts as unset, as `NAME=` does in a Compose file. */
function readFields({ shape }: z.ZodObject, environment: Environment, parents: string[] = []): object {
  const fields = Object.entries(shape).map(([field, type]) => {
    const path = [...parents, field];
    if (type instanceof z.ZodObject) return [field, readFields(type, environment, path)];
    return [field, environment[variableName(path)] || undefined];
  });
  return Object.fromEntries(fields) as object;
}
