import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  UpdateDateColumn,
} from 'typeorm';
import type { EventType } from '../events/event-types.js';
import { Organization } from '../organizations/organization.entity.js';

export const disabledReasons = ['failing', 'gone'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** A URL that events of an organization are sent to. */
@Entity('webhooks')
@Index('webhooks_by_creation', ['organizationId', 'createdAt', 'id'])
@Index('webhooks_due', ['dueAt'], { where: 'due_at is not null' })
@Check(
  'webhooks_disabled_reason',
  `disabled_reason is null or (not enabled and disabled_reason in ('failing', 'gone'))`,
)
export class Webhook {
  /** UUID v7. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhooks_pkey' })
  id: string;

  @Column('uuid')
  organizationId: string;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'webhooks_organization_id_fkey' })
  organization: Relation<Organization>;

  @Column('text')
  url: string;

  /** Null: all types, including those of later releases. */
  @Column('text', { array: true, nullable: true })
  eventTypes: EventType[] | null;

  @Column('boolean', { default: true })
  enabled: boolean;

  /** Null if a user disabled it. */
  @Column('text', { nullable: true })
  disabledReason: DisabledReason | null;

  /** Signs deliveries, so it can't be hashed. */
  @Column({ type: 'bytea', select: false })
  secret: Buffer;

  /** Signs too, until `previousSecretExpiresAt`. */
  @Column({ type: 'bytea', nullable: true, select: false })
  previousSecret: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousSecretExpiresAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  /** When a replica should look for deliveries; while one delivers, when others may take over. */
  @Column('timestamptz', { nullable: true })
  dueAt: Date | null;

  /** Of the replica that delivers. */
  @Column('uuid', { nullable: true })
  runId: string | null;

  /** Whether deliveries were added while a replica delivers. */
  @Column('boolean', { default: false })
  woken: boolean;

  /** Whether the latest attempt failed or was slow. */
  @Column('boolean', { default: false })
  isSlow: boolean;
}
