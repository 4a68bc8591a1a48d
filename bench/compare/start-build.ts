import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
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
  /** Creates further keys, with more fields than a name. */
  createKeys: (fields: object) => Promise<string[]>;
}

interface BuildSettings {
  /** Of the repository; contains `dist`. */
  folder: string;
  /** Runs the build; by default, what runs this process. */
  node?: string;
  /** Of its database, configuration and data. */
  name: string;
  dataFolder: string;
  connection: DatabaseConnection;
  client: pg.Client;
  /** Of the models `mock` and `stream`, which old builds don't support. */
  upstreamUrls: { embeddings: string; stream?: string };
}

/**
 * Starts a build as operators do, by environment variables and with a database of its own, and creates keys through its
 * API. Nothing here depends on the inner parts of a build, so that any two commits can be compared.
 */
export async function startBuild(settings: BuildSettings): Promise<RunningBuild> {
  const { folder, node = process.execPath, name, connection, client, upstreamUrls } = settings;
  const dataFolder = path.join(settings.dataFolder, name);
  mkdirSync(dataFolder);
  const modelsFile = path.join(dataFolder, 'models.yaml');
  writeFileSync(modelsFile, modelsOf(upstreamUrls));
  await client.query(`create database ${name}`);
  const port = await findFreePort();
  const server = await startExternalServer({
    command: node,
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
    const create = (fields: object) => createKeys(server.url, accessToken, fields);
    return { ...server, keys: await create({}), createKeys: create };
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

function modelsOf({ embeddings, stream }: BuildSettings['upstreamUrls']): string {
  const models = [
    `{ id: mock, task: embeddings, targets: [{ baseUrl: '${embeddings}/v1' }] }`,
    ...(stream === undefined
      ? []
      : [`{ id: stream, task: generation, maxOutputTokens: 1000, targets: [{ baseUrl: '${stream}/v1' }] }`]),
  ];
  return `models:\n${models.map((model) => `  - ${model}\n`).join('')}`;
}
