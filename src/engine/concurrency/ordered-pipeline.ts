/** Works on several items at once and delivers their results in the order of the items. */
export interface OrderedPipeline<Item> {
  /**
   * Resolves when work on the item has begun, which waits for room.
   *
   * @throws The error of `work` or `deliver` for an earlier item: no further item is begun.
   */
  add(item: Item): Promise<void>;
  /**
   * Resolves when all work has ended and its results are delivered. Items begun after the first
   * failed one are finished, but not delivered.
   *
   * @throws The error of `work` or `deliver` for the first item that failed.
   */
  end(): Promise<void>;
}

export interface OrderedPipelineParts<Item, Result> {
  readonly work: (item: Item) => Promise<Result>;
  /** The next result is delivered after this one resolves. */
  readonly deliver: (result: Result) => void | Promise<void>;
  /** Items begun and not yet delivered. */
  readonly itemsMax: number;
  /** The sum over these items; a single item may exceed it. */
  readonly weightMax: number;
  readonly weightOf: (item: Item) => number;
}

export const orderedPipeline = <Item, Result>(
  parts: OrderedPipelineParts<Item, Result>,
): OrderedPipeline<Item> => {
  const { work, deliver, itemsMax, weightMax, weightOf } = parts;
  let items = 0;
  let weight = 0;
  let failure: { readonly error: unknown } | null = null;
  let delivered: Promise<void> = Promise.resolve();
  let wake = () => {};

  const hasRoomFor = (added: number) =>
    items === 0 || (items < itemsMax && weight + added <= weightMax);

  const follow = async (before: Promise<void>, result: Promise<Result>, itemWeight: number) => {
    // A failure is handled when the item's turn comes.
    result.catch(() => {});
    await before;
    try {
      const value = await result;
      if (failure === null) await deliver(value);
    } catch (error) {
      failure ??= { error };
    }
    items -= 1;
    weight -= itemWeight;
    wake();
  };

  const throwIfFailed = () => {
    if (failure !== null) throw failure.error;
  };

  return {
    async add(item) {
      const itemWeight = weightOf(item);
      throwIfFailed();
      while (!hasRoomFor(itemWeight)) {
        const room = Promise.withResolvers<void>();
        wake = room.resolve;
        await room.promise;
        throwIfFailed();
      }
      items += 1;
      weight += itemWeight;
      delivered = follow(delivered, work(item), itemWeight);
    },
    async end() {
      await delivered;
      throwIfFailed();
    },
  };
};
