/**
 * Does work on each item, with a bounded number of items at a time. Items begin in their order.
 *
 * @param atATime returns how many items may be worked on now; at least one always is
 */
export async function withWorkers<Item>(
  items: readonly Item[],
  atATime: () => number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const open = new Set<Promise<void>>();
  for (const [index, item] of items.entries()) {
    while (open.size > 0 && open.size >= atATime()) await Promise.race(open);
    const done: Promise<void> = work(item, index).finally(() => open.delete(done));
    open.add(done);
  }
  await Promise.all(open);
}
