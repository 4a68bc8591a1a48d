import type { EntityManager } from 'typeorm';
import { optionalMail, type OptionalMail } from '../common/rules/mail-rules.js';
import type { JwtSecrets } from '../config/jwt-secret.js';
import { findLinkToken } from './link-tokens.js';
import type { QueuedMail } from './mail-queue.js';
import { describeInvitation, describeNewDevice, describePasswordReset } from './messages/account-content.js';
import { describeExpiringKey, describeLeak, describeLimit, describeWebhook } from './messages/event-content.js';
import { type Content, type Message, writeMessage } from './messages/message.js';

/** What composing a mail takes besides the mail. */
export interface ComposeContext {
  manager: EntityManager;
  publicUrl: string;
  secrets: JwtSecrets;
  /** Prepares a password reset and returns the secret of its link; undefined if there is nothing to reset. */
  prepareReset: (mail: QueuedMail) => Promise<string | undefined>;
}

/** Composes a mail; undefined if it is no longer due, for example because the invitation was withdrawn. */
export async function compose(mail: QueuedMail, context: ComposeContext): Promise<Message | undefined> {
  const content = await describe(mail, context);
  return content && writeMessage(content);
}

/** Where recipients turn off kinds of mail. */
export const preferencesUrl = (publicUrl: string) => `${publicUrl}/dashboard/account`;

async function describe(mail: QueuedMail, context: ComposeContext): Promise<Content | undefined> {
  const { kind, data } = mail;
  const { publicUrl, prepareReset } = context;
  switch (kind) {
    case 'invitation':
      return findInvitation(mail, context);
    case 'password-reset': {
      const token = await prepareReset(mail);
      return token === undefined ? undefined : describePasswordReset(`${publicUrl}/reset-password#token=${token}`);
    }
    case 'new-device':
      return describeNewDevice(data, `${publicUrl}/dashboard`);
    case 'key-leaked':
    case 'key-expiring':
    case 'limit-reached':
    case 'webhook-disabled':
      return describeEvent(mail, kind, context);
  }
}

interface OpenInvitation {
  organization: string;
  role: string;
  inviter: string | null;
  tokenHash: Buffer;
  expiresAt: Date;
}

async function findInvitation(
  { id, data }: QueuedMail,
  { manager, publicUrl, secrets }: ComposeContext,
): Promise<Content | undefined> {
  const [invitation] = await manager.query<OpenInvitation[]>(
    `select organizations.name as organization, roles.name as role, users.name as inviter, token_hash as "tokenHash",
       expires_at as "expiresAt"
     from invitations
     join organizations on organizations.id = invitations.organization_id and organizations.deleted_at is null
     join roles on roles.id = role_id
     left join users on users.id = invited_by_id
     where invitations.id = $1 and expires_at > clock_timestamp()`,
    [data['invitationId']],
  );
  if (invitation === undefined) return undefined;
  const token = findLinkToken(secrets, id, invitation.tokenHash);
  if (token === undefined) return undefined;
  return describeInvitation({ ...invitation, url: `${publicUrl}/accept-invitation#token=${token}` });
}

const describers = {
  'key-leaked': describeLeak,
  'key-expiring': describeExpiringKey,
  'limit-reached': describeLimit,
  'webhook-disabled': describeWebhook,
};

/** Undefined if the recipient has left the organization, or has turned this kind off since. */
async function describeEvent(
  { userId, organizationId, data }: QueuedMail,
  kind: keyof typeof describers,
  { manager, publicUrl }: ComposeContext,
): Promise<Content | undefined> {
  const [recipient] = await manager.query<{ organization: string; muted: string[] }[]>(
    `select organizations.name as organization, muted_mail as muted
     from memberships
     join users on users.id = user_id
     join organizations on organizations.id = organization_id and organizations.deleted_at is null
     where user_id = $1 and organization_id = $2`,
    [userId, organizationId],
  );
  if (recipient === undefined || recipient.muted.includes(kind)) return undefined;
  const content = describers[kind](data, {
    organization: recipient.organization,
    dashboard: `${publicUrl}/dashboard`,
  });
  return { ...content, footer: footerOf(kind, publicUrl) };
}

function footerOf(kind: string, publicUrl: string): string {
  if (!isOptional(kind)) return 'Keycard sends this email for the security of your organization.';
  return `Keycard sends this email because of your role. Turn off “${optionalMail[kind]}” on your account page: ${preferencesUrl(publicUrl)}`;
}

const isOptional = (kind: string): kind is OptionalMail => kind in optionalMail;
