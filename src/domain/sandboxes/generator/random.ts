/**
 * Chance that is none: the same text always leads to the same numbers, on every machine. Each part
 * of a building draws from a source of its own, so that one can be made without the others.
 */

/** Numbers from 0 up to, not including, 1. */
export type Source = () => number;

/** A source for `path` of a building with this seed. */
export const sourceOf = (seed: string, path: string): Source => xorshift32(hashOf(seed, path));

/** 32 bits of FNV-1a over the UTF-16 units of both, kept apart. */
export const hashOf = (seed: string, path: string): number => {
  let hash = 0x811c9dc5;
  for (const text of [seed, '\u0001', path])
    for (let at = 0; at < text.length; at += 1) {
      hash ^= text.charCodeAt(at);
      hash = Math.imul(hash, 0x01000193);
    }
  return hash >>> 0;
};

/** Marsaglia's, with shifts 13, 17 and 5. A state of 0 would stay there. */
const xorshift32 = (seed: number): Source => {
  let state = seed || 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
};

/** A normal variate as the sum of twelve: logarithms may differ from machine to machine. */
export const normal = (source: Source): number => {
  let sum = -6;
  for (let at = 0; at < 12; at += 1) sum += source();
  return sum;
};

/** 22 characters of base64 as IFC writes GlobalIds; the first holds two bits. */
export const globalIdOf = (seed: string, path: string): string => {
  const source = sourceOf(seed, `id/${path}`);
  // The hash of a path has 32 bits: a second one keeps two paths apart.
  let mixed = hashOf(path, seed);
  let id = GLOBAL_ID_ALPHABET[mixed & 3]!;
  for (let at = 1; at < 22; at += 1) {
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0;
    const digit = (Math.floor(source() * 64) + (mixed >>> 26)) & 63;
    id += GLOBAL_ID_ALPHABET[digit]!;
  }
  return id;
};

const GLOBAL_ID_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$';

/**
 * A smooth curve between -1 and 1 through a value of its own at each whole `x`: the same for the
 * same `hash`, and made at any place without those before it.
 */
export const noiseAt = (hash: number, x: number): number => {
  const whole = Math.floor(x);
  const part = x - whole;
  const [from, to] = [chanceAt(hash, whole), chanceAt(hash, whole + 1)];
  return 2 * (from + (to - from) * part * part * (3 - 2 * part)) - 1;
};

/** From 0 up to, not including, 1: the same for the same whole numbers. */
export const chanceAt = (hash: number, index: number): number => {
  let mixed = Math.imul(hash ^ Math.imul(index | 0, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x1_0000_0000;
};
