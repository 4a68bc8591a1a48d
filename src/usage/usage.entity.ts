import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** What one key has used of one model in one hour, by how long its requests took. */
@Entity('usage')
export class Usage {
  @PrimaryColumn('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  /** When the hour begins, by the database's clock. */
  @PrimaryColumn({ type: 'timestamptz' })
  hour: Date;

  /** No foreign key: the usage of a deleted key stays. */
  @PrimaryColumn('uuid')
  apiKeyId: string;

  /** Id of the model in the catalogue. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  model: string;

  /** See `latencyBucketOf`. */
  @PrimaryColumn({ type: 'smallint' })
  latencyBucket: number;

  @Column('bigint')
  requests: string;

  /** Those of them that were answered with a status of 400 or more, or not to the end. */
  @Column('bigint')
  failures: string;

  @Column('bigint')
  inputTokens: string;

  /** Pages of documents that were read. */
  @Column('bigint')
  pages: string;

  /** How long the requests took in all. */
  @Column('bigint')
  microseconds: string;
}
