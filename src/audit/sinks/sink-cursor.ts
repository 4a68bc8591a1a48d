import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

/** How long a replica holds a sink after it last prolonged that. */
const holdSeconds = 30;
/** How long before its end the hold is prolonged: longer than an attempt may take. */
const marginMilliseconds = 20_000;

/** Prolongs the hold of a replica, or begins it if no other replica has one. */
const hold = `
  update audit_sinks set holder = $2, held_until = clock_timestamp() + interval '${holdSeconds} seconds'
  where name = $1 and (holder = $2 or held_until is null or held_until < clock_timestamp())
  returning position::float8 as position`;

const advance = `
  update audit_sinks set position = $4, held_until = clock_timestamp() + interval '${holdSeconds} seconds'
  where name = $1 and holder = $2 and position = $3
  returning name`;

/**
 * How far a sink has got. One replica holds it at a time; after that replica was killed, another takes over within half a
 * minute. A replica that lost it can't advance it.
 */
export class SinkCursor {
  private readonly holder = randomUUID();
  private position: number | undefined;
  private heldUntil = -Infinity;
  private isKnown = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly name: string,
  ) {}

  /** Whether this replica held the sink when it last looked. */
  get isHeld(): boolean {
    return this.position !== undefined;
  }

  /** Returns the last acknowledged position; undefined if another replica holds the sink. */
  async take(): Promise<number | undefined> {
    const now = performance.now();
    if (this.position !== undefined && now < this.heldUntil - marginMilliseconds) return this.position;
    if (!this.isKnown) {
      await this.dataSource.query('insert into audit_sinks (name) values ($1) on conflict do nothing', [this.name]);
      this.isKnown = true;
    }
    const [rows] = await this.dataSource.query<[{ position: number }[], number]>(hold, [this.name, this.holder]);
    this.position = rows[0]?.position;
    this.heldUntil = now + holdSeconds * 1000;
    return this.position;
  }

  /** Records an acknowledgment. Another replica that has taken over delivers these events again. */
  async advance(position: number): Promise<void> {
    const now = performance.now();
    const values = [this.name, this.holder, this.position, position];
    const [rows] = await this.dataSource.query<[object[], number]>(advance, values);
    this.position = rows.length > 0 ? position : undefined;
    this.heldUntil = now + holdSeconds * 1000;
  }

  /** Lets another replica take over immediately. */
  async release(): Promise<void> {
    if (this.position === undefined) return;
    this.position = undefined;
    await this.dataSource.query(
      'update audit_sinks set held_until = null, holder = null where name = $1 and holder = $2',
      [this.name, this.holder],
    );
  }
}
