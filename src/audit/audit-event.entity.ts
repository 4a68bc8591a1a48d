import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { AuditAction, AuditActorKind, AuditTargetKind } from './audit-actions.js';

/**
 * Events that give a key a name, or are its last. As in the index `audit_events_of_key_names`, so that a search reads only
 * its entries, however many other events there are.
 */
export const namesKey = `target_kind = 'api-key'
  and (action in ('api-key.create', 'api-key.leak', 'api-key.delete') or after ? 'name')`;

/** Events whose target's name is the email of a person, as in the index `audit_events_by_target_email`. */
export const isAboutPerson = "target_kind in ('member', 'invitation', 'user')";

/** An audit event. It stores names as they were at the time, so that it stays readable after its target is deleted. */
@Entity('audit_events')
// One per filter, so that the newest events of a rare kind are found without reading years of sign-ins.
@Index('audit_events_by_time', ['organizationId', 'occurredAt', 'id'])
@Index('audit_events_by_actor', ['organizationId', 'actorId', 'occurredAt', 'id'])
@Index('audit_events_by_actor_email', ['organizationId', 'actorEmail', 'occurredAt', 'id'])
@Index('audit_events_by_action', ['organizationId', 'action', 'occurredAt', 'id'])
@Index('audit_events_by_target', ['organizationId', 'targetId', 'occurredAt', 'id'])
@Index('audit_events_by_target_kind', ['organizationId', 'targetKind', 'occurredAt', 'id'])
@Index('audit_events_by_target_hint', ['organizationId', 'targetHint', 'occurredAt', 'id'], {
  where: 'target_hint is not null',
})
@Index('audit_events_by_target_email', ['organizationId', 'targetName', 'occurredAt', 'id'], { where: isAboutPerson })
@Index('audit_events_by_request', ['organizationId', 'requestId', 'occurredAt', 'id'], {
  where: 'request_id is not null',
})
// To find the people who received the secrets of keys.
@Index('audit_events_of_shown_secrets', ['organizationId', 'actorId', 'targetId', 'targetHint'], {
  where: "action in ('api-key.create', 'api-key.rotate')",
})
// To find keys by name, including deleted ones.
@Index('audit_events_of_key_names', ['organizationId', 'targetName', 'targetId'], { where: namesKey })
export class AuditEvent {
  /** UUID v7. Orders events of the same millisecond, by the clock of the replica that wrote them. */
  @PrimaryColumn('uuid')
  id: string;

  /** Null for a sign-in with an email that isn't a member of any organization. */
  @Column('uuid', { nullable: true })
  organizationId: string | null;

  @ManyToOne('Organization', { onDelete: 'NO ACTION', nullable: true })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object> | null;

  /** Orders events. By the database's clock, which all replicas share. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  occurredAt: Date;

  @Column('text')
  action: AuditAction;

  /** No foreign key, because events outlive accounts. Null if the account is unknown. */
  @Column('uuid', { nullable: true })
  actorId: string | null;

  @Column('text', { nullable: true })
  actorEmail: string | null;

  /** `user` also stands for unknown accounts and for the operator; `system` is the service itself. */
  @Column('text', { default: 'user' })
  actorKind: AuditActorKind;

  /** The name of a service account; null for other actors. */
  @Column('text', { nullable: true })
  actorName: string | null;

  @Column('text')
  address: string;

  @Column('text', { nullable: true })
  userAgent: string | null;

  /** Of the request that caused it, as in `x-request-id`; null if none did. Not part of the hash; see `canonicalEvent`. */
  @Column('text', { nullable: true })
  requestId: string | null;

  @Column('text')
  targetKind: AuditTargetKind;

  @Column('uuid', { nullable: true })
  targetId: string | null;

  @Column('text', { nullable: true })
  targetName: string | null;

  /** First characters of an API key or a client secret. */
  @Column('text', { nullable: true })
  targetHint: string | null;

  /** The previous values of changed fields. Never a secret. */
  @Column('jsonb', { nullable: true })
  before: Record<string, unknown> | null;

  /** The new values of the same fields. */
  @Column('jsonb', { nullable: true })
  after: Record<string, unknown> | null;
}
