import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** Failed requests of one API key and model in one hour, per status and error code. */
@Entity('failure_counts')
export class FailureCount {
  @PrimaryColumn('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  /** Start of the hour, by the database's clock. */
  @PrimaryColumn({ type: 'timestamptz' })
  hour: Date;

  /** No foreign key, because counts outlive the key. */
  @PrimaryColumn('uuid')
  apiKeyId: string;

  /** Id of the model in the catalog; empty if requests failed before it was known. */
  @PrimaryColumn('text')
  model: string;

  /** HTTP status code. */
  @PrimaryColumn({ type: 'smallint' })
  status: number;

  /** See `describeFailure`. */
  @PrimaryColumn('text')
  code: string;

  @Column('bigint')
  requests: string;
}
