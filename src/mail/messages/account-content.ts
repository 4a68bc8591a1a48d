import type { Content } from './message.js';

/** What an invitation says. */
export function describeInvitation(invitation: {
  organization: string;
  role: string;
  inviter: string | null;
  url: string;
  expiresAt: Date;
}): Content {
  const { organization, role, inviter, url, expiresAt } = invitation;
  return {
    subject: `Invitation to ${organization}`,
    paragraphs: [
      `${inviter ?? 'An administrator'} invited you to the organization “${organization}” on Keycard, with the role ${role}.`,
      `The invitation works once, until ${expiresAt.toUTCString()}.`,
    ],
    link: { label: 'Accept the invitation', url },
    footer: 'If you don’t know the sender, ignore this email.',
  };
}

/** What a mail with a password reset link says. */
export function describePasswordReset(url: string): Content {
  return {
    subject: 'Set a new password',
    paragraphs: [
      'Someone asked for a new password of your Keycard account. If it was you, open the link below. It works once, for an hour.',
      'If it wasn’t you, ignore this email. Your password stays the same.',
    ],
    link: { label: 'Set a new password', url },
    footer: 'You get this email because someone entered your email address.',
  };
}

/** What a mail about a sign-in says. */
export function describeNewDevice(data: Readonly<Record<string, unknown>>, dashboard: string): Content {
  const { address, userAgent, time } = data;
  const device = typeof userAgent === 'string' ? userAgent : 'unknown';
  return {
    subject: 'Sign-in from a new device',
    paragraphs: [
      'Someone signed in to your Keycard account from a browser or network that you haven’t used lately.',
      `Time: ${String(time)}\nIP address: ${String(address)}\nDevice: ${device}`,
      'If it was you, there is nothing to do. Otherwise, change your password, and sign out this device.',
    ],
    link: { label: 'Open your account', url: `${dashboard}/account` },
    footer: 'Keycard sends this email for your security.',
  };
}
