import { PageHeader } from '../../components/PageHeader.js';

export function SessionsPage() {
  return <PageHeader title="Your sessions" />;
}
