import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';
import type { AuditAction, AuditTargetKind } from './audit-actions.js';

/**
 * What somebody did. Names are kept as they were at the time, so that an event can be read when what it speaks of
 * is long gone.
 */
@Entity('audit_events')
@Index('audit_events_by_time', ['organizationId', 'id'])
export class AuditEvent {
  /** UUID v7: in the order of time. */
  @PrimaryColumn('uuid')
  id: string;

  /** Null for a sign-in that names no member of any organization. */
  @Column('uuid', { nullable: true })
  organizationId: string | null;

  @ManyToOne(() => Organization, { onDelete: 'NO ACTION', nullable: true })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<Organization> | null;

  /** By the database's clock. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  occurredAt: Date;

  @Column('text')
  action: AuditAction;

  /** No foreign key: events outlive accounts. Null when the account is unknown. */
  @Column('uuid', { nullable: true })
  actorId: string | null;

  @Column('text', { nullable: true })
  actorEmail: string | null;

  @Column('text')
  address: string;

  @Column('text', { nullable: true })
  userAgent: string | null;

  @Column('text')
  targetKind: AuditTargetKind;

  @Column('uuid', { nullable: true })
  targetId: string | null;

  @Column('text', { nullable: true })
  targetName: string | null;

  /** Of keys: their first characters. */
  @Column('text', { nullable: true })
  targetHint: string | null;

  /** The fields that a change has changed, as they were. Never a secret. */
  @Column('jsonb', { nullable: true })
  before: Record<string, unknown> | null;

  @Column('jsonb', { nullable: true })
  after: Record<string, unknown> | null;
}
