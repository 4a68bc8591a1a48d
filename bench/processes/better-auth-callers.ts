import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { callRepeatedly, type CallsResult, type CallsTask } from './calls.js';
import { runTasks } from './run-tasks.js';

export interface BetterAuthLoad extends CallsTask {
  /** Where its packages are installed. */
  folder: string;
  /** A separate database. */
  database: DatabaseConnection;
  keyCount: number;
}

/** The used part of better-auth, which isn't among our dependencies. */
interface BetterAuth {
  options: object;
  api: {
    signUpEmail: (request: {
      body: Record<'name' | 'email' | 'password', string>;
    }) => Promise<{ user: { id: string } }>;
    createApiKey: (request: { body: { name: string; userId: string } }) => Promise<{ key: string }>;
    verifyApiKey: (request: { body: { key: string } }) => Promise<{ valid: boolean }>;
  };
}

interface Packages {
  betterAuth: (options: object) => BetterAuth;
  apiKey: (options: object) => object;
  getMigrations: (options: object) => Promise<{ runMigrations: () => Promise<void> }>;
}

interface PreparedKeys {
  auth: BetterAuth;
  keys: string[];
}

let prepared: PreparedKeys | undefined;

/** Each caller verifies one key after another. The keys are created by the first task. */
async function measure({ folder, database, keyCount, ...task }: BetterAuthLoad): Promise<CallsResult> {
  prepared ??= await prepare(folder, database, keyCount);
  const { auth, keys } = prepared;
  return callRepeatedly(task, keys, async (key) => (await auth.api.verifyApiKey({ body: { key } })).valid);
}

async function prepare(folder: string, database: DatabaseConnection, keyCount: number): Promise<PreparedKeys> {
  const { betterAuth, apiKey, getMigrations } = await importPackages(folder);
  const auth = betterAuth({
    database: new pg.Pool(database),
    secret: 'a secret for benchmarks, longer than 32 bytes',
    baseURL: 'http://127.0.0.1',
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    // It would complain about the missing tables, which are created below.
    logger: { disabled: true },
    // By default, a key may be used ten times a day.
    plugins: [apiKey({ rateLimit: { enabled: false } })],
  });
  await (await getMigrations(auth.options)).runMigrations();
  const body = { name: 'Bench', email: 'bench@example.com', password: 'a password for benchmarks' };
  const { user } = await auth.api.signUpEmail({ body });
  const keys: string[] = [];
  for (let count = 0; count < keyCount; count += 1) {
    keys.push((await auth.api.createApiKey({ body: { name: 'A known key', userId: user.id } })).key);
  }
  return { auth, keys };
}

async function importPackages(folder: string): Promise<Packages> {
  const require = createRequire(path.join(folder, 'package.json'));
  const importFrom = (name: string) => import(pathToFileURL(require.resolve(name)).href) as Promise<Packages>;
  const { betterAuth } = await importFrom('better-auth');
  const { apiKey } = await importFrom('@better-auth/api-key');
  const { getMigrations } = await importFrom('better-auth/db/migration');
  return { betterAuth, apiKey, getMigrations };
}

runTasks(measure);
