import { PageHeader } from '../../components/PageHeader.js';

export function OrganizationPage() {
  return <PageHeader title="Organization" />;
}
