/** Several items worked on at once, and their results told in the order of the items. */
export interface ToldInOrder<Item> {
  /**
   * Begins with the item as soon as there is room for it.
   *
   * @throws What `work` or `tell` has thrown for an earlier item: nothing more is begun.
   */
  add(item: Item): Promise<void>;
  /**
   * Resolves when nothing is under way any more and all results are told, up to the first item that
   * failed. What was begun after that one is finished, and not told.
   *
   * @throws What `work` or `tell` has thrown for the first item that failed.
   */
  end(): Promise<void>;
}

export interface ToldInOrderParts<Item, Result> {
  readonly work: (item: Item) => Promise<Result>;
  /** Waited for: the next result is told after it. */
  readonly tell: (result: Result) => void | Promise<void>;
  /** Items that are begun and not told. */
  readonly itemsMax: number;
  /** Of all these together, unless there is only one. */
  readonly weightMax: number;
  readonly weightOf: (item: Item) => number;
}

export const toldInOrder = <Item, Result>(
  parts: ToldInOrderParts<Item, Result>,
): ToldInOrder<Item> => {
  const { work, tell, itemsMax, weightMax, weightOf } = parts;
  let items = 0;
  let weight = 0;
  let failure: { readonly error: unknown } | null = null;
  let told: Promise<void> = Promise.resolve();
  let wake = () => {};

  const hasRoomFor = (its: number) =>
    items === 0 || (items < itemsMax && weight + its <= weightMax);

  const follow = async (before: Promise<void>, result: Promise<Result>, its: number) => {
    // Its failure is looked at when its turn comes.
    result.catch(() => {});
    await before;
    try {
      const known = await result;
      if (failure === null) await tell(known);
    } catch (error) {
      failure ??= { error };
    }
    items -= 1;
    weight -= its;
    wake();
  };

  const mustGoOn = () => {
    if (failure !== null) throw failure.error;
  };

  return {
    async add(item) {
      const its = weightOf(item);
      mustGoOn();
      while (!hasRoomFor(its)) {
        const room = Promise.withResolvers<void>();
        wake = room.resolve;
        await room.promise;
        mustGoOn();
      }
      items += 1;
      weight += its;
      told = follow(told, work(item), its);
    },
    async end() {
      await told;
      mustGoOn();
    },
  };
};
