/**
 * What a program of ours is given beside its configuration: the way to other programs, and where
 * compiled code is kept, which halves the time until it answers.
 */
export const programEnvironment = (): Record<string, string> => {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
};
