import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { errorCode } from '../common/errors/error-facts.js';
import { StartupError } from '../common/startup-error.js';
import { type VariableName, variables, type VariableValue } from './variables.js';

export type Environment = Partial<Record<string, string>>;

/** What the operator has set, typed and validated. */
export type Config = ReturnType<typeof readConfig>;

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
  const jwtSecret = readOptional(environment, 'JWT_SECRET');
  if (databaseUrl !== undefined && jwtSecret === undefined) {
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
    jwtSecret,
    jwtTtlSeconds: read(environment, 'JWT_TTL_SECONDS'),
    adminEmail: read(environment, 'ADMIN_EMAIL'),
    adminPassword: readOptional(environment, 'ADMIN_PASSWORD'),
    logLevel: read(environment, 'LOG_LEVEL'),
    trustProxy: read(environment, 'TRUST_PROXY'),
    corsOrigins: read(environment, 'CORS_ORIGINS'),
    modelsFile: modelsFile === undefined ? undefined : path.resolve(modelsFile),
    /** The value of a variable that the models file names, which may be a secret; undefined when it is unset. */
    readSecret: (name: string): string | undefined => environment[name] || undefined,
    documentFetch: read(environment, 'DOCUMENT_FETCH'),
    ocrLanguages: read(environment, 'OCR_LANGUAGES'),
  };
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
