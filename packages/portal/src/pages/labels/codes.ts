/** QR codes of many addresses, generated in batches so that the page stays responsive. */
import { useEffect, useMemo, useReducer } from 'preact/hooks';
import { encode } from 'uqr';

/** The quiet zone around a code, in squares. */
const QUIET = 4;
/** Codes per turn of the event loop, each about 2 ms. */
const AT_ONCE = 16;

/** The interval between progress updates, in milliseconds. */
const SHOWN_EVERY_MS = 250;

export interface QrCode {
  /** Squares along an edge, with the quiet zone. */
  readonly size: number;
  /** The black squares, as an SVG path. */
  readonly path: string;
}

/** Adjacent black squares of a row are merged into one rectangle. */
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

/** @returns the code of an address; `undefined` until it is generated. */
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
