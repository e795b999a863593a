/**
 * Does work on each item, with a bounded number of items at a time. Items begin in their order.
 *
 * @param workers items at a time
 */
export async function withWorkers<Item>(
  items: readonly Item[],
  workers: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(workers, items.length) }, worker));
}
