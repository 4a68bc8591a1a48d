import 'reflect-metadata';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { ApiKeyVerifierService } from '../../src/api-keys/api-key-verifier.service.js';
import { hashApiKey } from '../../src/api-keys/api-key.token.js';
import { DatabaseHistory } from '../../src/database/history/database-history.service.js';
import type { LiveKey } from '../../src/api-keys/live-keys.js';
import { UsageRecorderService } from '../../src/usage/usage-recorder.service.js';
import { benchConfig } from '../servers/bench-config.js';
import { callRepeatedly, type CallsResult, type CallsTask } from './calls.js';
import { runTasks } from './run-tasks.js';

export interface VerifierLoad extends CallsTask {
  database: DatabaseConnection;
  keys: string[];
  /** `metered` also records the usage of one request. */
  verifyWith: 'service' | 'metered' | 'pool';
}

interface Verifier<Key = unknown> {
  /** Returns undefined for an unknown key. */
  verify: (key: string) => Promise<Key | undefined>;
  close: () => Promise<void>;
}

const verifiers = { service: openService, metered: openMetered, pool: openPool };

/** Each caller verifies one key after another. */
async function measure({ database, keys, verifyWith, ...task }: VerifierLoad): Promise<CallsResult> {
  const verifier = verifiers[verifyWith](database);
  const result = await callRepeatedly(task, keys, async (key) => (await verifier.verify(key)) !== undefined);
  await verifier.close();
  return result;
}

function openService(database: DatabaseConnection): Verifier<LiveKey> {
  const config = benchConfig(database);
  const service = new ApiKeyVerifierService(config, new DatabaseHistory(config));
  return { verify: (key) => service.verify(key), close: () => service.onApplicationShutdown() };
}

function openMetered(database: DatabaseConnection): Verifier {
  const service = openService(database);
  const config = benchConfig(database);
  const recorder = new UsageRecorderService(config, new DatabaseHistory(config));
  const verify = async (key: string) => {
    const found = await service.verify(key);
    if (found === undefined) return undefined;
    const { id: apiKeyId, organizationId } = found;
    const used = { model: 'mock', outcome: 'success', inputTokens: 20, pages: 0, milliseconds: 1 } as const;
    await recorder.record({ apiKeyId, organizationId, ...used });
    return found;
  };
  const close = async () => {
    await recorder.onApplicationShutdown();
    await service.close();
  };
  return { verify, close };
}

/** A pool of pg's default size, and a prepared statement. */
function openPool(database: DatabaseConnection): Verifier {
  const pool = new pg.Pool(database);
  const text = 'select id, organization_id from api_keys where secret_hash = $1';
  const verify = async (key: string) =>
    (await pool.query<object>({ name: 'find-api-key', text, values: [hashApiKey(key)] })).rows[0];
  return { verify, close: () => pool.end() };
}

runTasks(measure);
