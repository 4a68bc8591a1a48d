import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { maxLimit } from '../../src/common/rules/limit-rules.js';
import { toUrl } from '../../test/setup/test-database.js';
import { type ExternalServer, findFreePort, startExternalServer } from '../processes/external-server.js';

/** More than connections, so that requests at the same time have different keys. */
const keyCount = 100;
const readyAttempts = 300;
const readyPauseMilliseconds = 100;
const administrator = { email: 'admin@example.com', password: 'correct horse battery staple' };

/** A running build of Keycard. */
export interface RunningBuild extends ExternalServer {
  keys: string[];
  /** Keys with a limit that nothing here reaches. */
  limitedKeys: string[];
}

interface BuildSettings {
  /** Of the repository; contains `dist`. */
  folder: string;
  /** Of its database, configuration and data. */
  name: string;
  dataFolder: string;
  connection: DatabaseConnection;
  client: pg.Client;
  /** Of the models `mock` and `stream`. */
  upstreamUrls: { embeddings: string; stream: string };
}

/**
 * Starts a build as operators do, by environment variables and with a database of its own, and creates keys through its
 * API. Nothing here depends on the inner parts of a build, so that any two commits can be compared.
 */
export async function startBuild(settings: BuildSettings): Promise<RunningBuild> {
  const { folder, name, connection, client, upstreamUrls } = settings;
  const dataFolder = path.join(settings.dataFolder, name);
  mkdirSync(dataFolder);
  const modelsFile = path.join(dataFolder, 'models.yaml');
  writeFileSync(modelsFile, modelsOf(upstreamUrls));
  await client.query(`create database ${name}`);
  const port = await findFreePort();
  const server = await startExternalServer({
    command: process.execPath,
    args: ['--max-semi-space-size=32', path.join(folder, 'dist/main.js')],
    port,
    // Without an .env file.
    workingDirectory: dataFolder,
    environment: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      DATABASE_URL: toUrl({ ...connection, database: name }),
      DATA_DIR: dataFolder,
      JWT_SECRET: 'a secret for benchmarks, longer than 32 bytes',
      MODELS_FILE: modelsFile,
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
    },
  });
  try {
    await waitUntilReady(server.url);
    const { accessToken } = await post<{ accessToken: string }>(`${server.url}/auth/sign-in`, administrator);
    const create = (body: object) => createKeys(server.url, accessToken, body);
    const limits = [{ metric: 'requests', per: 'minute', max: maxLimit }];
    return { ...server, keys: await create({}), limitedKeys: await create({ limits }) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The port may be open before the administrator exists. */
async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < readyAttempts; attempt += 1) {
    const { ok } = await fetch(`${url}/health/ready`);
    if (ok) return;
    await delay(readyPauseMilliseconds);
  }
  throw new Error(`${url} is not ready.`);
}

async function createKeys(url: string, token: string, fields: object): Promise<string[]> {
  const keys: string[] = [];
  for (let count = 1; count <= keyCount; count += 1) {
    const body = { name: `Key ${count}`, ...fields };
    keys.push((await post<{ key: string }>(`${url}/api-keys`, body, token)).key);
  }
  return keys;
}

async function post<Result>(url: string, body: object, token?: string): Promise<Result> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Result;
}

const modelsOf = ({ embeddings, stream }: BuildSettings['upstreamUrls']) => `models:
  - { id: mock, task: embeddings, targets: [{ baseUrl: '${embeddings}/v1' }] }
  - { id: stream, task: generation, maxOutputTokens: 1000, targets: [{ baseUrl: '${stream}/v1' }] }
`;
