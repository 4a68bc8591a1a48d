import type { SearchSchemaInput } from '@tanstack/react-router';
import { readText } from '../../lib/search-parameters.js';

interface AcceptInvitationSearch {
  /** Error code of failed single sign-on. */
  error?: string;
}

/** Reads the URL's search parameters. The token is in the fragment. */
export function readAcceptInvitationSearch(search: AcceptInvitationSearch & SearchSchemaInput): AcceptInvitationSearch {
  return { error: readText(search.error) };
}
