import { type Cell, change, columnsOf, select, transact } from './cell.js';
import { dispatchLock } from './copy-access.js';
import { type HandedTable, handedTables } from './handed-tables.js';
import type { Move } from './move-state.js';

interface Batch {
  number: string;
  table: string;
  rows: string;
}

/**
 * Takes a batch from the source, adds it to the target, and then forgets it. The numbers of batches make sure that each is
 * added once, whenever the command is killed.
 */
export class HandOver {
  private readonly columns = new Map<string, string[]>();

  constructor(
    private readonly source: Cell,
    private readonly target: Cell,
    private readonly move: Move,
  ) {}

  /**
   * Hands over all rows that are there now.
   *
   * @returns their number
   */
  async run(onAdded: (table: string, rows: number) => void = () => undefined): Promise<number> {
    let total = 0;
    await this.addNoted();
    for (const table of handedTables) {
      for (;;) {
        const count = await this.take(table);
        if (count === 0) break;
        await this.addNoted();
        total += count;
        onAdded(table.name, count);
        if (count < table.rowsPerBatch) break;
      }
    }
    return total;
  }

  /** Moves rows of the source into the row of the move. */
  private take({ name, order, rowsPerBatch, email }: HandedTable): Promise<number> {
    const { organizationId, holder } = this.move;
    return transact(this.source, async () => {
      const [taken] = await select<{ rows: string; count: number }>(
        this.source,
        `with chosen as materialized (
           select ctid from ${name} where organization_id = $1 order by ${order} limit ${rowsPerBatch} for update
         ), taken as (
           delete from ${name} where ctid = any (array(select ctid from chosen))
           returning *${email === undefined ? '' : `, ${email} as email`}
         )
         select coalesce(json_agg(row_to_json(taken)), '[]')::text as rows, count(*)::integer as count from taken`,
        [organizationId],
      );
      if (taken === undefined || taken.count === 0) return 0;
      const noted = await change(
        this.source,
        `update organization_moves
         set batch_number = batch_number + 1, batch = json_build_object('table', $3::text, 'rows', $4::json)
         where organization_id = $1 and holder = $2 and batch is null`,
        [organizationId, holder, name, taken.rows],
      );
      if (noted === 0) throw new Error('Another command has continued this move.');
      return taken.count;
    });
  }

  /** Adds the batch in the row of the move to the target, if it isn't there yet. */
  private async addNoted(): Promise<void> {
    const { organizationId } = this.move;
    const [batch] = await select<Batch>(
      this.source,
      `select batch_number::text as number, batch->>'table' as table, batch->>'rows' as rows
       from organization_moves where organization_id = $1 and batch is not null`,
      [organizationId],
    );
    if (batch === undefined) return;
    await transact(this.target, async () => {
      const isNext = await change(
        this.target,
        'update organization_moves set batch_number = $2 where organization_id = $1 and batch_number < $2',
        [organizationId, batch.number],
      );
      if (isNext > 0) await this.add(batch);
    });
    await change(
      this.source,
      'update organization_moves set batch = null where organization_id = $1 and batch_number = $2',
      [organizationId, batch.number],
    );
  }

  private async add({ table, rows }: Batch): Promise<void> {
    const handed = handedTables.find(({ name }) => name === table);
    if (handed === undefined) throw new Error(`${table} isn't handed over.`);
    const columns = this.columns.get(table) ?? (await columnsOf(this.target, table));
    this.columns.set(table, columns);
    if (table === 'events') await change(this.target, 'select pg_advisory_xact_lock($1)', [dispatchLock]);
    await change(this.target, handed.add(columns), [rows]);
  }
}
