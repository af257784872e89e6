/** The measured cost of one kind of request alone, at one rate. */
export interface MeasuredRate {
  readonly requests: number;
  readonly wakeups: number;
  readonly us: number;
}

export interface Split {
  readonly requestUs: number;
  readonly wakeupUs: number;
}

/**
 * The costs per request and per wake-up, by non-negative least squares. Without wake-ups all cost
 * is that of the requests.
 */
export const split = (rates: readonly MeasuredRate[]): Split => {
  const sum = (of: (rate: MeasuredRate) => number) =>
    rates.reduce((total, rate) => total + of(rate), 0);
  const rr = sum(({ requests }) => requests ** 2);
  const ww = sum(({ wakeups }) => wakeups ** 2);
  const rw = sum(({ requests, wakeups }) => requests * wakeups);
  const ru = sum(({ requests, us }) => requests * us);
  const wu = sum(({ wakeups, us }) => wakeups * us);
  const determinant = rr * ww - rw ** 2;
  if (ww === 0 || determinant === 0) return { requestUs: ru / rr, wakeupUs: 0 };
  const requestUs = (ru * ww - wu * rw) / determinant;
  const wakeupUs = (wu * rr - ru * rw) / determinant;
  if (requestUs < 0) return { requestUs: 0, wakeupUs: wu / ww };
  if (wakeupUs < 0) return { requestUs: ru / rr, wakeupUs: 0 };
  return { requestUs, wakeupUs };
};
