/**
 * Resolves as `work` does, or as `late` does if `work` takes longer than `withinMs`. The work is
 * not cancelled; a later failure of it is ignored.
 */
export const withTimeout = async <T>(
  work: Promise<T>,
  withinMs: number,
  late: () => T | Promise<T>,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs);
  });
  try {
    return await Promise.race([work, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
};
