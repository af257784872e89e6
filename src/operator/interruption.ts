/** Aborts at the first Ctrl-C or SIGTERM; the second one ends the process as usual. */
export const interruption = (): AbortSignal => {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
  return interrupted.signal;
};
