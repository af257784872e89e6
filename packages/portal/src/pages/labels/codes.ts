/** QR codes of many addresses, made a few at a time, so that the page can be used meanwhile. */
import { useEffect, useMemo, useReducer } from 'preact/hooks';
import { encode } from 'uqr';

/** White squares around a code that a reader needs. */
const QUIET = 4;
/** Codes in a turn of the event loop, each about 2 ms. */
const AT_ONCE = 16;

/** Between two pictures of how many are made, in milliseconds. */
const SHOWN_EVERY_MS = 250;

export interface QrCode {
  /** Squares along an edge, with the white ones around it. */
  readonly size: number;
  /** The black squares, as an SVG path. */
  readonly path: string;
}

/** Each row's black squares that touch are one rectangle. */
export const qrCode = (text: string): QrCode => {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET });
  const rows = data.map((row, y) => {
    let path = '';
    for (let x = 0; x < size; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (row[x]) x += 1;
      path += `M${from} ${y}h${x - from}v1h${from - x}z`;
    }
    return path;
  });
  return { size, path: rows.join('') };
};

/** @returns the code of an address; `undefined`: not made yet. */
export const useQrCodes = (
  addresses: readonly string[],
): ((address: string) => QrCode | undefined) => {
  const codes = useMemo(() => new Map<string, QrCode>(), []);
  const [, renderAgain] = useReducer<number, undefined>((times) => times + 1, 0);
  useEffect(() => {
    const missing = addresses.filter((address) => !codes.has(address));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shownAt = performance.now();
    const make = () => {
      for (const address of missing.splice(0, AT_ONCE)) codes.set(address, qrCode(address));
      if (missing.length > 0) timer = setTimeout(make);
      if (missing.length > 0 && performance.now() - shownAt < SHOWN_EVERY_MS) return;
      shownAt = performance.now();
      renderAgain(undefined);
    };
    if (missing.length > 0) make();
    return () => clearTimeout(timer);
  }, [addresses]);
  return (address) => codes.get(address);
};
