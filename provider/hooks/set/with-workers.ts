/**
 * Does work on each item, with a bounded number of items at a time. Items begin in their order. After a failure, no item
 * begins, and the work under way is awaited.
 *
 * @param atATime returns how many items may be worked on now; at least one always is
 * @throws the first failure of an item
 */
export async function withWorkers<Item>(
  items: readonly Item[],
  atATime: () => number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  // What is open never rejects. A rejection could be lost between two that settle in the same turn.
  const open = new Set<Promise<void>>();
  let failed: Promise<void> | undefined;
  for (const [index, item] of items.entries()) {
    while (open.size > 0 && open.size >= atATime()) await Promise.race(open);
    if (failed !== undefined) break;
    const working = (async () => work(item, index))();
    const done: Promise<void> = working
      .catch(() => void (failed ??= working))
      .finally(() => open.delete(done));
    open.add(done);
  }
  await Promise.all(open);
  await failed;
}
