import { PageHeader } from '../../components/PageHeader.js';

export function RolesPage() {
  return <PageHeader title="Roles" />;
}
