import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { AuditAction, AuditTargetKind } from './audit-actions.js';

/**
 * What somebody did. Names are kept as they were at the time, so that an event can be read when what it speaks of
 * is long gone.
 */
@Entity('audit_events')
// One for each filter: the newest of a rare kind are found without reading years of sign-ins. Written once, read by any.
@Index('audit_events_by_time', ['organizationId', 'occurredAt', 'id'])
@Index('audit_events_by_actor', ['organizationId', 'actorId', 'occurredAt', 'id'])
@Index('audit_events_by_actor_email', ['organizationId', 'actorEmail', 'occurredAt', 'id'])
@Index('audit_events_by_action', ['organizationId', 'action', 'occurredAt', 'id'])
@Index('audit_events_by_target', ['organizationId', 'targetId', 'occurredAt', 'id'])
@Index('audit_events_by_target_kind', ['organizationId', 'targetKind', 'occurredAt', 'id'])
export class AuditEvent {
  /** UUID v7. Tells events of the same millisecond apart, by the clock of the replica that wrote them. */
  @PrimaryColumn('uuid')
  id: string;

  /** Null for a sign-in that names no member of any organization. */
  @Column('uuid', { nullable: true })
  organizationId: string | null;

  @ManyToOne('Organization', { onDelete: 'NO ACTION', nullable: true })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object> | null;

  /** By the database's clock, which is one for all replicas: the order of events. */
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
