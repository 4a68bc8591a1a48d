/** Does something with each item, in their order and with at most so many at a time. Rejects as soon as one does. */
export async function inParallel<Item>(
  items: readonly Item[],
  mostAtATime: number,
  handle: (item: Item) => Promise<void>,
): Promise<void> {
  // Shared: each of the loops goes on where the others have come to.
  const remaining = items.values();
  const loops = Array.from({ length: mostAtATime }, async () => {
    for (const item of remaining) await handle(item);
  });
  await Promise.all(loops);
}
