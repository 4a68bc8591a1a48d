import { PageHeader } from '../../components/PageHeader.js';

export function AcceptInvitationPage() {
  return <PageHeader title="Accept invitation" />;
}
