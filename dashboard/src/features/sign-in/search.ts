import type { SearchSchemaInput } from '@tanstack/react-router';
import { readText } from '../../lib/search-parameters.js';
import { isOwnPath } from './own-path.js';

/** Where a sign-in leads, and what it has to say. */
export interface SignInSearch {
  /** Path of the page to go to afterwards. */
  returnTo: string;
  /** Code of the error that a sign-in at the identity provider has ended with. */
  error?: string;
}

/** Where a sign-in leads that nobody was sent to. */
export const signInSearchDefaults = { returnTo: '/dashboard' } as const;

/** What the address says; the defaults in place of what makes no sense. */
export function readSignInSearch(search: Partial<SignInSearch> & SearchSchemaInput): SignInSearch {
  const returnTo = readText(search.returnTo);
  return {
    returnTo: returnTo !== undefined && isOwnPath(returnTo) ? returnTo : signInSearchDefaults.returnTo,
    error: readText(search.error),
  };
}
