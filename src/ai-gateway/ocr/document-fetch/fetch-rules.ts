import { largestDocumentBytes } from '../body/document-limit.js';
import { isPublicAddress } from './public-address.js';
import { resolveName } from './resolve-name.js';

/** What documents are fetched from, and for how long. */
export interface FetchRules {
  /** Whether a connection may be made to this IP address and port. */
  isAllowedAddress: (address: string, port: number) => boolean;
  /** All IP addresses of a name. */
  resolveName: (hostname: string) => Promise<string[]>;
  /** For everything, from the first look-up to the last byte. */
  timeoutSeconds: number;
  largestBytes: number;
  /** How many documents one organization may fetch at a time. */
  fetchesPerOrganization: number;
}

export const defaultFetchRules: FetchRules = {
  isAllowedAddress: isPublicAddress,
  resolveName,
  timeoutSeconds: 30,
  largestBytes: largestDocumentBytes,
  fetchesPerOrganization: 8,
};
