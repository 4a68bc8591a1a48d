/** Handles items in order, at most `limit` at a time. Rejects as soon as one fails. */
export async function runConcurrently<Item>(
  items: readonly Item[],
  limit: number,
  handle: (item: Item) => Promise<void>,
): Promise<void> {
  // All loops share this iterator.
  const remaining = items.values();
  const loops = Array.from({ length: limit }, async () => {
    for (const item of remaining) await handle(item);
  });
  await Promise.all(loops);
}
