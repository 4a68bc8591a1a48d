import type { SearchSchemaInput } from '@tanstack/react-router';
import { readPage } from '../../components/search-parameters.js';

export interface AuditLogSearch {
  page: number;
  perPage: number;
}

/** What an address without parameters shows. */
export const auditLogSearchDefaults = { page: 1, perPage: 25 } as const;

/** What the address says; the defaults in place of what makes no sense. */
export function readAuditLogSearch(search: Partial<AuditLogSearch> & SearchSchemaInput): AuditLogSearch {
  return readPage(search, auditLogSearchDefaults);
}
