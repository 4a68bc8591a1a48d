import { PageHeader } from '../../components/PageHeader.js';

export function UsagePage() {
  return <PageHeader title="Usage" />;
}
