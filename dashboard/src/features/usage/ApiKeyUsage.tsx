import { usePermission } from '../../session/me.js';
import { UsageSection, type UsageSectionProps } from './UsageSection.js';

type SectionProps = Pick<UsageSectionProps, 'search' | 'onChange'>;

/** The usage of a key, hidden from users who lack the permission. */
export function ApiKeyUsage({ apiKeyId, ...props }: SectionProps & { apiKeyId: string }) {
  return usePermission('get-usage') ? <UsageSection filter={{ apiKeyId: [apiKeyId] }} {...props} /> : null;
}

/** The usage of all keys that a user or service account created. */
export function CreatorUsage({ creatorId, ...props }: SectionProps & { creatorId: string }) {
  return usePermission('get-usage') ? <UsageSection filter={{ creatorId: [creatorId] }} {...props} /> : null;
}
