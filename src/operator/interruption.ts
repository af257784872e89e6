/** As a shell has them for a process that the signal has ended. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };

/** Aborts at the first Ctrl-C or SIGTERM; the second one ends the process as usual. */
export const interruption = (): AbortSignal => {
  const interrupted = new AbortController();
  for (const [name, exitCode] of Object.entries(EXIT_CODES))
    process.once(name, () => interrupted.abort(new Error('interrupted', { cause: exitCode })));
  return interrupted.signal;
};

/** @param signal Of {@link interruption}, and aborted. */
export const exitCodeOf = ({ reason }: AbortSignal): number => (reason as { cause: number }).cause;
