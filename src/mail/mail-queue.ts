import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { MailKind } from '../common/rules/mail-rules.js';

/** A mail to send. */
export interface NewMail {
  /** A new one by default. */
  id?: string;
  kind: MailKind;
  email: string;
  /** The recipient's account; null for people who may have none. */
  userId: string | null;
  organizationId: string | null;
  /** What the text names. Never a secret. */
  data: Readonly<Record<string, unknown>>;
}

/** A mail that this replica sends. */
export interface QueuedMail extends Required<NewMail> {
  /** Including this one. */
  attempts: number;
  createdAt: Date;
}

/** Queues a mail. It is sent exactly if the transaction commits, at least once. */
export async function queueMail(manager: EntityManager, mail: NewMail): Promise<void> {
  const { id = uuidv7(), kind, email, userId, organizationId, data } = mail;
  await manager.query(
    `insert into mail_messages (id, kind, email, user_id, organization_id, data) values ($1, $2, $3, $4, $5, $6)`,
    [id, kind, email, userId, organizationId, JSON.stringify(data)],
  );
}

/**
 * Takes the mail that is due, the oldest first. Other replicas leave it alone for `leaseSeconds`.
 *
 * @param count the maximum number
 */
export async function claimMail(manager: EntityManager, count: number, leaseSeconds: number): Promise<QueuedMail[]> {
  const [rows] = await manager.query<[QueuedMail[]]>(
    `update mail_messages set attempts = attempts + 1, next_attempt_at = clock_timestamp() + $2 * interval '1 second'
     where id = any (array(
       select id from mail_messages where next_attempt_at <= clock_timestamp()
       order by next_attempt_at, id limit $1 for update skip locked
     ))
     returning id, kind, email, user_id as "userId", organization_id as "organizationId", data, attempts,
       created_at as "createdAt"`,
    [count, leaseSeconds],
  );
  return rows;
}

/** Removes a mail that was sent, or never can be. */
export async function removeMail(manager: EntityManager, { id }: QueuedMail): Promise<void> {
  await manager.query('delete from mail_messages where id = $1', [id]);
}

/** Has a mail that wasn't sent tried again, unless another replica has taken it in the meantime. */
export async function retryMail(manager: EntityManager, mail: QueuedMail, seconds: number): Promise<void> {
  await manager.query(
    `update mail_messages set next_attempt_at = clock_timestamp() + $3 * interval '1 second'
     where id = $1 and attempts = $2`,
    [mail.id, mail.attempts, seconds],
  );
}
