import { randomBytes } from 'node:crypto';
import type { ModelDefinition } from '../../src/config/model-definition.js';
import { runMove } from '../../src/admin/cells/move-organization.js';
import { readMoveOptions } from '../../src/admin/cells/read-move-options.js';
import type { Step } from '../../src/admin/cells/step.js';
import { Progress } from '../../src/admin/progress.js';
import { readAdminConfig } from '../../src/config/read-config.js';
import { generationModel } from '../setup/generation-gateway.js';
import { type GenerationUpstream, startGenerationUpstream } from '../setup/generation-upstream/generation-upstream.js';
import { operator, runAdminWith } from '../setup/run-admin.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { toUrl } from '../setup/test-database.js';

/** Two installations that share nothing but the key of the audit log. */
export interface Cells {
  source: TestApp;
  target: TestApp;
  upstream: GenerationUpstream;
  auditSigningKey: string;
  models: ModelDefinition[];
  /** Runs `npm run admin -- move-organization ORGANIZATION --to … WORDS`. */
  move: (organizationId: string, ...words: string[]) => Promise<string>;
  /** Runs another command in a cell. */
  run: (cell: TestApp, ...words: string[]) => Promise<string>;
  stop: () => Promise<void>;
}

export const targetUrl = 'https://other.keycard.example';

/** A token of input costs 1000 billionths, one of output 4000. */
const priced = (upstream: GenerationUpstream): ModelDefinition[] => [
  generationModel(
    { baseUrl: upstream.baseUrl },
    { maxOutputTokens: 400, price: { perMillionTokens: { input: '1', output: '4' } } },
  ),
];

export async function startCells(): Promise<Cells> {
  const upstream = await startGenerationUpstream();
  const auditSigningKey = randomBytes(32).toString('base64');
  const models = priced(upstream);
  const config = { models, auditSigningKeys: [auditSigningKey] as [string] };
  const source = await startTestApp({ config });
  const target = await startTestApp({ config });
  const environment = (cell: TestApp) => ({
    DATABASE_URL: toUrl(cell.database),
    AUDIT_SIGNING_KEY: auditSigningKey,
  });
  return {
    source,
    target,
    upstream,
    auditSigningKey,
    models,
    move: (organizationId, ...words) =>
      runAdminWith(
        environment(source),
        ...['move-organization', organizationId, '--to', toUrl(target.database), '--drain-seconds', '0', ...words],
      ),
    run: (cell, ...words) => runAdminWith(environment(cell), ...words),
    stop: async () => {
      await source.stop();
      await target.stop();
      await upstream.stop();
    },
  };
}

/** Moves an organization in this process, and calls `atStep` between steps. */
export async function moveWith(
  { source, target, auditSigningKey }: Cells,
  organizationId: string,
  atStep: Step,
): Promise<string> {
  const config = readAdminConfig({ DATABASE_URL: toUrl(source.database), AUDIT_SIGNING_KEY: auditSigningKey });
  const options = readMoveOptions(organizationId, new Set(), { to: toUrl(target.database), 'drain-seconds': '0' });
  return runMove({ config, operator, progress: new Progress({ write: () => undefined }) }, options, atStep);
}

/** Moves an organization, and kills the command when a step is complete. Its sessions end, as those of a lost process do. */
export async function killMoveAt(cells: Cells, organizationId: string, step: string): Promise<boolean> {
  const { source, target } = cells;
  return new Promise<boolean>((resolve, reject) => {
    const atStep: Step = async (name) => {
      if (name !== step) return;
      await Promise.all([source, target].map(endSessions));
      await setClosedSince(source, organizationId, 'infinity');
      resolve(true);
      // A killed process runs nothing any more.
      await new Promise(() => undefined);
    };
    moveWith(cells, organizationId, atStep).then(() => resolve(false), reject);
  });
}

/**
 * Sets since when no cell serves an organization: after 4 seconds, the source opens by itself, and a slow test would see
 * that. Does nothing in other states.
 *
 * @param time such as `infinity`, so that it stays closed
 */
export async function setClosedSince({ query }: TestApp, organizationId: string, time: string): Promise<void> {
  const statement = `update organization_moves set changed_at = $2 where organization_id = $1 and state = 'switching'`;
  await query(statement, [organizationId, time]);
}

async function endSessions({ query }: TestApp): Promise<void> {
  await query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where datname = current_database() and application_name = 'keycard move'`,
  );
}
