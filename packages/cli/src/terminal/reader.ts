/** The reader of standard output, such as `head`, which may close the pipe before the end. */

/**
 * Ends the process, without an error, at the first write that its reader does not take. A writer
 * that has its own listener ends by itself.
 */
export const endWithReader = (): void => {
  const { stdout } = process;
  stdout.on('error', (error) => {
    if (!isReaderGone(error)) throw error;
    if (stdout.listenerCount('error') === 1) process.exit();
  });
};

/** What a write to a pipe fails with once its reader has closed it. */
export const isReaderGone = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'EPIPE';
