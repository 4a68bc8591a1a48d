import { type ParsedLocation, redirect } from '@tanstack/react-router';
import { invitationToken } from './features/invitations/accept/invitation-token.js';
import { resetToken } from './features/password-reset/reset-token.js';
import type { SignInSearch } from './features/sign-in/search.js';
import { firstAllowedPage } from './layout/navigation.js';
import { queryClient } from './query-client.js';
import { meQuery } from './session/me.js';
import { session } from './session/session.js';

/** Asks those to sign in who have no session, and leads them back afterwards. */
export async function requireSession({ location }: { location: ParsedLocation }): Promise<void> {
  await session.resume();
  if (session.status.get() === 'signed-out') {
    redirect({ to: '/sign-in', search: { returnTo: location.href }, throw: true });
  }
  await queryClient.ensureQueryData(meQuery);
}

/** Spares the sign-in those who are signed in, unless it has to say why another one has failed. */
export async function skipSignIn({ search }: { search: SignInSearch }): Promise<void> {
  if (search.error !== undefined) return;
  await session.resume();
  if (session.status.get() === 'signed-in') redirect({ href: search.returnTo, replace: true, throw: true });
}

/** Leads to the first page that the user may see. */
export async function enterFirstPage(): Promise<void> {
  const { permissions } = await queryClient.ensureQueryData(meQuery);
  redirect({ to: firstAllowedPage(permissions), throw: true });
}

/** The token of an invitation leaves the address at once, so that neither history nor screenshots show it. */
export function takeInvitationToken({ location }: { location: ParsedLocation }): void {
  if (invitationToken.take(location.hash)) redirect({ to: '/accept-invitation', replace: true, throw: true });
}

/** Removes the token of a password reset link from the URL, so that neither history nor screenshots show it. */
export function takeResetToken({ location }: { location: ParsedLocation }): void {
  if (resetToken.take(location.hash)) redirect({ to: '/reset-password', replace: true, throw: true });
}
