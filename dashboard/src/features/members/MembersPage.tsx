import { PageHeader } from '../../components/PageHeader.js';

export function MembersPage() {
  return <PageHeader title="Members" />;
}
