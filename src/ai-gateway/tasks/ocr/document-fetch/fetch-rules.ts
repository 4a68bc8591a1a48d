import type { GuardRules } from '../../../../common/http/guarded-connector.js';
import { isPublicAddress, resolveName } from '../../../../common/http/public-address.js';
import { maxDocumentBytes } from '../../../../common/rules/document-limits.js';

/** What documents may be fetched from, and the limits of a fetch. */
export interface FetchRules extends GuardRules {
  /** For the whole fetch, from the first lookup to the last byte. */
  timeoutSeconds: number;
  maxBytes: number;
  /** How many documents an organization may fetch at a time. */
  fetchesPerOrganization: number;
}

export const defaultFetchRules: FetchRules = {
  isAllowedAddress: isPublicAddress,
  resolveName,
  timeoutSeconds: 30,
  maxBytes: maxDocumentBytes,
  fetchesPerOrganization: 8,
};
