import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/**
 * API keys with the same creator, or with the same tags. Packed usage has their sums, so that reports by person and by tag
 * needn't read each key. A series says which cohorts include it; keys that have changed since are read on their own.
 */
@Entity('usage_cohorts')
@Check('usage_cohorts_have_one_value', 'num_nonnulls(creator_id, tags) = 1')
export class UsageCohort {
  /** Assigned under the lock of the replica that packs usage. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'usage_cohorts_pkey' })
  id: number;

  @Index('usage_cohorts_by_organization')
  @Column('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'usage_cohorts_of_organization' })
  organization: Relation<object>;

  /** The nil UUID for keys whose creator is unknown. */
  @Column('uuid', { nullable: true })
  creatorId: string | null;

  /** As in `api_keys`. */
  @Column('text', { array: true, nullable: true })
  tags: string[] | null;

  /** Whether its sums may be wrong, because an earlier release has changed packed usage. Reports don't read them. */
  @Column('boolean', { default: false })
  isStale: boolean;
}

/** A key whose creator or tags have changed, until the retention task has moved it to other cohorts. Written by a trigger. */
@Entity('usage_cohort_changes')
export class UsageCohortChange {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'usage_cohort_changes_pkey' })
  id: string;

  /** No foreign key, which would lock the organization. */
  @Index('usage_cohort_changes_by_organization')
  @Column('uuid')
  organizationId: string;

  @Column('uuid')
  apiKeyId: string;
}
