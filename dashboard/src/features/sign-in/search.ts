import type { SearchSchemaInput } from '@tanstack/react-router';
import { readText } from '../../lib/search-parameters.js';
import { isLocalPath } from './return-path.js';

export interface SignInSearch {
  /** Path to open after signing in. */
  returnTo: string;
  /** Error code of failed single sign-on. */
  error?: string;
}

export const signInSearchDefaults = { returnTo: '/dashboard' } as const;

/** Reads the URL's search parameters and replaces invalid values with defaults. */
export function readSignInSearch(search: Partial<SignInSearch> & SearchSchemaInput): SignInSearch {
  const returnTo = readText(search.returnTo);
  return {
    returnTo: returnTo !== undefined && isLocalPath(returnTo) ? returnTo : signInSearchDefaults.returnTo,
    error: readText(search.error),
  };
}
