import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { usageColumns } from './usage-columns.js';

/** Usage of one model by one API key in one hour, per bucket of request durations. Past hours move to packed rows. */
@Entity('usage')
export class Usage {
  @PrimaryColumn('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  /** Start of the hour, by the database's clock. */
  @PrimaryColumn({ type: 'timestamptz' })
  hour: Date;

  /** No foreign key, because usage outlives the key. */
  @PrimaryColumn('uuid')
  apiKeyId: string;

  /** Id of the model in the catalog; empty for requests that a limit rejected before their model was known. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  model: string;

  /** See `latencyBucketOf`. */
  @PrimaryColumn({ type: 'smallint' })
  latencyBucket: number;

  @Column('bigint')
  requests: string;

  /** Requests whose response had a status of 400 or higher, or was incomplete. */
  @Column('bigint')
  failures: string;

  /** Requests rejected by a limit, which count nowhere else. */
  @Column('bigint', { default: 0 })
  limited: string;

  /** Total duration of the requests. */
  @Column('bigint')
  microseconds: string;
}

// A column per meter, and what priced requests cost; null while it wasn't used.
for (const { name } of usageColumns) Column('bigint', { nullable: true })(Usage.prototype, name);
