/** How much a sender may be ahead of its receiver. */
export interface Backpressure {
  /** Resolves when so many bytes may be sent: `false` if nobody wants them any more. */
  take(bytes: number): Promise<boolean>;
  /** So many have arrived. */
  give(bytes: number): void;
  /** Nobody wants any more. */
  close(): void;
}

/** For one sender. More than `bytesMax` at once are sent when nothing else is under way. */
export const backpressure = (bytesMax: number): Backpressure => {
  let ahead = 0;
  let closed = false;
  let wake = () => {};
  const mayGo = (bytes: number) => closed || ahead === 0 || ahead + bytes <= bytesMax;
  return {
    give(bytes) {
      ahead -= bytes;
      wake();
    },
    close() {
      closed = true;
      wake();
    },
    async take(bytes) {
      while (!mayGo(bytes)) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      ahead += bytes;
      return !closed;
    },
  };
};
