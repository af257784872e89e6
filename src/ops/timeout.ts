/**
 * What `work` gives, or what `late` says if that takes longer than `withinMs`. The work itself goes
 * on; how it ends is then nobody's business.
 */
export const inTime = async <T>(
  work: Promise<T>,
  withinMs: number,
  late: () => T | Promise<T>,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const given = new Promise<T>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, withinMs);
  });
  try {
    return await Promise.race([work, given]);
  } finally {
    clearTimeout(timer);
  }
};
