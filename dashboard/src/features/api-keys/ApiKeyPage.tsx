import { PageHeader } from '../../components/PageHeader.js';

export function ApiKeyPage() {
  return <PageHeader title="API key" />;
}
