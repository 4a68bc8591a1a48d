import { PageHeader } from '../../components/PageHeader.js';

export function PlaygroundPage() {
  return <PageHeader title="Playground" />;
}
