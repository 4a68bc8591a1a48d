import type { SearchSchemaInput } from '@tanstack/react-router';
import { readText } from '../../lib/search-parameters.js';

interface AcceptInvitationSearch {
  /** Code of the error that single sign-on has ended with. */
  error?: string;
}

/** What the address of an invitation says beside the token. */
export function readAcceptInvitationSearch(search: AcceptInvitationSearch & SearchSchemaInput): AcceptInvitationSearch {
  return { error: readText(search.error) };
}
