import type { TestApp } from '../../setup/test-app.js';

interface Line {
  index: number;
  event: { id: string };
}

/** Checks that each event arrived, and that new ones arrived in order. Events may be repeated. */
export async function expectComplete({ query }: Pick<TestApp, 'query'>, lines: readonly string[]): Promise<void> {
  const leaves = await query<{ id: string; index: number }>(
    'select event_id as id, index::integer as index from audit_leaves order by position',
  );
  const seen = new Map<string, number>();
  for (const line of lines) {
    const { index, event } = JSON.parse(line) as Line;
    if (!seen.has(event.id)) seen.set(event.id, index);
  }
  expect([...seen].slice(0, 3)).toEqual(leaves.slice(0, 3).map(({ id, index }) => [id, index]));
  expect(seen.size).toBe(leaves.length);
  const order = [...seen.keys()];
  expect(leaves.findIndex(({ id }, place) => id !== order[place])).toBe(-1);
}
