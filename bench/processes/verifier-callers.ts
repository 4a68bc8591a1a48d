import 'reflect-metadata';
import pg, { type ClientConfig } from 'pg';
import { ApiKeyVerifierService } from '../../src/api-keys/api-key-verifier.service.js';
import { hashApiKey } from '../../src/api-keys/api-key.token.js';
import { benchConfig } from '../servers/bench-config.js';
import { runTasks } from './run-tasks.js';

export interface VerifierLoad {
  database: ClientConfig;
  keys: string[];
  verifyWith: 'service' | 'pool';
  callers: number;
  seconds: number;
}

export interface VerifierResult {
  lookupsPerSecond: number;
}

interface Verifier {
  verify: (key: string) => Promise<unknown>;
  close: () => Promise<void>;
}

/** Each caller verifies one key after another. */
async function measure({ database, keys, verifyWith, callers, seconds }: VerifierLoad): Promise<VerifierResult> {
  const verifier = verifyWith === 'service' ? openService(database) : openPool(database);
  await callUntil(performance.now() + 200, verifier, keys, callers);
  const start = performance.now();
  const calls = await callUntil(start + seconds * 1000, verifier, keys, callers);
  const elapsedSeconds = (performance.now() - start) / 1000;
  await verifier.close();
  return { lookupsPerSecond: calls / elapsedSeconds };
}

async function callUntil(end: number, verifier: Verifier, keys: readonly string[], callers: number): Promise<number> {
  let calls = 0;
  const call = async () => {
    while (performance.now() < end) {
      const found = await verifier.verify(keys[calls++ % keys.length] ?? '');
      if (found === undefined) throw new Error('A key was not found.');
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return calls;
}

function openService(database: ClientConfig): Verifier {
  const service = new ApiKeyVerifierService(benchConfig(database));
  return { verify: (key) => service.verify(key), close: () => service.onApplicationShutdown() };
}

/** A pool of pg's default size, and a prepared statement. */
function openPool(database: ClientConfig): Verifier {
  const pool = new pg.Pool(database);
  const text = 'select id, organization_id from api_keys where key_hash = $1';
  const verify = async (key: string) =>
    (await pool.query<object>({ name: 'find-api-key', text, values: [hashApiKey(key)] })).rows[0];
  return { verify, close: () => pool.end() };
}

runTasks(measure);
