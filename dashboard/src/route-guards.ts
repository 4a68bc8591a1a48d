import { type ParsedLocation, redirect } from '@tanstack/react-router';
import type { SignInSearch } from './features/sign-in/search.js';
import { queryClient } from './query-client.js';
import { meQuery } from './session/me.js';
import { session } from './session/session.js';
import { readLinkToken } from './url-tokens.js';

/** Redirects signed-out users to sign in, and back afterwards. */
export async function requireSession({ location }: { location: ParsedLocation }): Promise<void> {
  await session.resume();
  if (session.status.get() === 'signed-out') {
    redirect({ to: '/sign-in', search: { returnTo: location.href }, throw: true });
  }
  await queryClient.ensureQueryData(meQuery);
}

/** Redirects signed-in users away from the sign-in page, unless it shows an error. */
export async function skipSignIn({ search }: { search: SignInSearch }): Promise<void> {
  if (search.error !== undefined) return;
  await session.resume();
  if (session.status.get() === 'signed-in') redirect({ href: search.returnTo, replace: true, throw: true });
}

/** Removes the token of an invitation link from the URL, so it doesn't show up in the list of visited pages or screenshots. */
export function takeInvitationToken({ location }: { location: ParsedLocation }): void {
  const linkToken = readLinkToken(location);
  if (linkToken === undefined) return;
  redirect({ to: '/accept-invitation', replace: true, state: { linkToken }, throw: true });
}

/** Removes the token of a password reset link from the URL, so it doesn't show up in the list of visited pages or screenshots. */
export function takeResetToken({ location }: { location: ParsedLocation }): void {
  const linkToken = readLinkToken(location);
  if (linkToken === undefined) return;
  redirect({ to: '/reset-password', replace: true, state: { linkToken }, throw: true });
}
