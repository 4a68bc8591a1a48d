import type { TestApp } from '../setup/test-app.js';

/** The events of an organization, in the order in which they happened. */
export function readEvents({ query }: Pick<TestApp, 'query'>, organizationId: string) {
  return query<{ type: string; data: Record<string, unknown> }>(
    'select type, data from events where organization_id = $1 order by occurred_at, id',
    [organizationId],
  );
}
