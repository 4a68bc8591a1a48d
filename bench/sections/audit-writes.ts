import { DataSource } from 'typeorm';
import { AuditService } from '../../src/audit/audit.service.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';

const rounds = 12;
const writes = 600;
const maxRatio = 1.05;

/** Measures writing audit events with and without the trigger that queues them for their tree. */
export async function measureAuditWrites({ client, connection }: BenchDatabase): Promise<Row[]> {
  const dataSource = await new DataSource(dataSourceOptions(connection, [], 1)).initialize();
  const setTrigger = (change: 'enable' | 'disable') =>
    client.query(`alter table audit_events ${change} trigger audit_events_are_pending`);
  const measure = async (change: 'enable' | 'disable') => {
    await setTrigger(change);
    const micros = await measureWrites(dataSource);
    // What the task that hashes events does.
    await client.query('truncate audit_pending');
    return micros;
  };
  try {
    const { queued, plain } = await measureInRounds(rounds, {
      plain: () => measure('disable'),
      queued: () => measure('enable'),
    });
    return [
      ratioRow(
        {
          what: 'writing an audit event',
          measured: quantity(median(queued), 'µs'),
          against: `without proofs: ${quantity(median(plain), 'µs')}`,
          explanation:
            'Median of a transaction that only writes an event, with durable commits. Events are queued for the Merkle tree of their organization.',
        },
        medianRatio(queued, plain),
        { max: maxRatio },
      ),
    ];
  } finally {
    await setTrigger('enable');
    await dataSource.destroy();
  }
}

/** In microseconds. */
async function measureWrites(dataSource: DataSource): Promise<number> {
  const audit = new AuditService();
  const figures: number[] = [];
  for (let write = 0; write < writes; write += 1) {
    const start = performance.now();
    await dataSource.transaction((manager) =>
      audit.record(
        manager,
        { id: null, email: 'bench@example.com', organizationId: null, origin: { address: '::1', userAgent: 'bench' } },
        { action: 'sign-in', target: { kind: 'user', id: null, name: 'bench@example.com' } },
      ),
    );
    figures.push(1000 * (performance.now() - start));
  }
  return median(figures);
}
