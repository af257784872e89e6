/**
 * What `work` gives, or what `late` gives or throws if that takes longer than `withinMs`. The work
 * itself goes on; its failure is then no error any more.
 */
export const inTime = async <T>(
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
