import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Permission } from '../access/permissions.js';
import type { MailKind } from '../common/rules/mail-rules.js';
import { optionalMailKinds } from '../common/rules/mail-rules.js';
import type { EventType } from '../events/event-types.js';
import { permissionsOfMembership } from '../organizations/memberships.service.js';

/** An event of the outbox. */
export interface PublishedEvent {
  organizationId: string;
  type: string;
  data: Record<string, unknown>;
}

/** Who gets mail about an event. */
interface EventMail {
  kind: MailKind;
  /** Members with it get the mail. */
  permission: Permission;
  /** Whether the creator of the key gets it, too. */
  creator: 'too' | 'instead' | 'not';
  /** Whether this event is worth a mail. */
  isWorthIt?: (data: Record<string, unknown>) => boolean;
}

/** At most so many people get mail about an event. */
const maxRecipients = 100;

const mails: Partial<Record<EventType, EventMail>> = {
  // Others only if the creator has left.
  'api_key.expiring': { kind: 'key-expiring', permission: 'update-api-keys', creator: 'instead' },
  // Secrets that were already rejected do no harm.
  'api_key.leaked': {
    kind: 'key-leaked',
    permission: 'delete-api-keys',
    creator: 'too',
    isWorthIt: ({ outcome }) => outcome !== 'already-rejected',
  },
  // At 100 percent, there is another event.
  'limit.threshold_reached': {
    kind: 'limit-reached',
    permission: 'update-api-keys',
    creator: 'too',
    isWorthIt: ({ percent }) => Number(percent) < 100,
  },
  'limit.exhausted': { kind: 'limit-reached', permission: 'update-api-keys', creator: 'too' },
  'webhook.disabled': { kind: 'webhook-disabled', permission: 'update-webhooks', creator: 'not' },
};

/** Members of $1 with the permission $2, and the creator of the key $3, who is found even after its deletion. */
const selectRecipients = `
  with creator as (
    select coalesce(
      (select created_by_id from api_keys where id = $3),
      (select actor_id from audit_events
       where organization_id = $1 and target_id = $3 and action = 'api-key.create' and actor_kind = 'user' limit 1)
    ) as id
  ), members as (
    select users.id, email, users.id = (select id from creator) as created, muted_mail,
      ${permissionsOfMembership} @> array[$2] as permitted
    from memberships membership join users on users.id = membership.user_id
    where membership.organization_id = $1
  )
  select id, email from members
  where not muted_mail && array[$4]
    and case $5
      when 'too' then coalesce(created, false) or permitted
      when 'instead' then case when exists (select from members where created) then created else permitted end
      else permitted
    end
  order by created desc nulls last, id limit ${maxRecipients}`;

/** Queues the mail about an event. */
export async function queueEventMail(manager: EntityManager, event: PublishedEvent): Promise<void> {
  const { organizationId, type, data } = event;
  const mail = mails[type as EventType];
  if (mail === undefined || mail.isWorthIt?.(data) === false) return;
  const { kind, permission, creator } = mail;
  const keyId = (data['apiKey'] as { id?: string } | undefined)?.id ?? null;
  // Limits without a key are those of the organization.
  const needed = kind === 'limit-reached' && keyId === null ? 'update-organization' : permission;
  const mutable = optionalMailKinds.find((optional) => optional === kind) ?? '';
  const recipients = await manager.query<{ id: string; email: string }[]>(selectRecipients, [
    organizationId,
    needed,
    keyId,
    mutable,
    creator,
  ]);
  const text = JSON.stringify({ type, ...data });
  await manager.query(
    `insert into mail_messages (id, kind, email, user_id, organization_id, data)
     select id, $4, email, user_id, $5, $6 from unnest($1::uuid[], $2::text[], $3::uuid[]) as recipient (id, email, user_id)`,
    [
      recipients.map(() => uuidv7()),
      recipients.map(({ email }) => email),
      recipients.map(({ id }) => id),
      kind,
      organizationId,
      text,
    ],
  );
}

const batchSize = 100;
/** After SMTP was off for a while, older events are no news. */
const maxAge = "interval '1 day'";

/**
 * Queues mail about the next events, in one transaction with the progress, so about each once.
 *
 * @returns whether there may be more
 */
export async function queueMailOfEvents(manager: EntityManager): Promise<boolean> {
  await manager.query(
    `insert into mail_progress (position) select coalesce(max(position), 0) from events on conflict do nothing`,
  );
  const [progress] = await manager.query<{ position: string }[]>(
    'select position from mail_progress for update skip locked',
  );
  if (progress === undefined) return false;
  const events = await manager.query<(PublishedEvent & { position: string; isRecent: boolean })[]>(
    `select organization_id as "organizationId", type, data, position, occurred_at > now() - ${maxAge} as "isRecent"
     from events where position > $1 order by position limit ${batchSize}`,
    [progress.position],
  );
  for (const event of events) if (event.isRecent) await queueEventMail(manager, event);
  const last = events.at(-1);
  if (last !== undefined) await manager.query('update mail_progress set position = $1', [last.position]);
  return events.length === batchSize;
}
