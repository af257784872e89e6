import { UNTRUSTED_RESPONSE_BYTES_MAX } from './limits.ts';

/**
 * The first {@link UNTRUSTED_RESPONSE_BYTES_MAX} bytes as UTF-8, without a truncated character.
 * Invalid UTF-8, and U+0000, which Postgres cannot store, become U+FFFD.
 */
export const truncatedText = (bytes: Buffer): string => {
  if (bytes.length < UNTRUSTED_RESPONSE_BYTES_MAX) return storable(bytes);
  const kept = bytes.subarray(0, UNTRUSTED_RESPONSE_BYTES_MAX);
  return storable(kept.subarray(0, lastWhole(kept)));
};

const storable = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '\ufffd');

/** The start of the last character if it is truncated; else the end. */
const lastWhole = (bytes: Buffer): number => {
  for (let back = 1; back <= 4 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
};

const sequenceLength = (first: number): number => {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
};
