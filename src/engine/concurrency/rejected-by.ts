/** Rejects with the signal's reason once it is aborted; never resolves. */
export const rejectedBy = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const rejected = () => reject(signal.reason as Error);
    if (signal.aborted) rejected();
    else signal.addEventListener('abort', rejected, { once: true });
  });
