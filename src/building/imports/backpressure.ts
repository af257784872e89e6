/** Bounds the bytes in flight between a sender and its receiver. */
export interface Backpressure {
  /** Resolves when this many bytes may be sent; `false` if the receiver has closed. */
  take(bytes: number): Promise<boolean>;
  /** Reports that this many bytes have arrived. */
  give(bytes: number): void;
  /** The receiver needs no more bytes. */
  close(): void;
}

/** For one sender. A single larger chunk than `bytesMax` is sent when no others are in flight. */
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
