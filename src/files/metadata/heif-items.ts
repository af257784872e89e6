/** The extents of items in a HEIF file. ISO 14496-12 sections 8.11.3 and 8.11.6. */

import { MetadataStay } from './rewriting.ts';

/** Bytes from `start` to before `end`. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/**
 * Overwrites EXIF, XMP and other documents within the box `meta`.
 *
 * @param meta Its content.
 * @param bound Default: {@link EXTENTS_MAX} extents.
 * @returns The extents of those outside of it, in the file.
 * @throws RangeError for one that is broken.
 * @throws {@link MetadataStay} for items whose kind or extents are not known.
 */
export const blankItems = (
  meta: Buffer,
  bound: Bound = { extentsLeft: EXTENTS_MAX },
): readonly Extent[] => {
  const boxes = boxesIn(meta, 4, meta.length);
  const contentOf = (type: string) => boxes.find((box) => box.type === type);
  const [infos, places, idat] = [contentOf('iinf'), contentOf('iloc'), contentOf('idat')];
  const others = boxes.filter(({ type }) => ['xml ', 'bxml', 'uuid', 'udta'].includes(type));
  for (const { start, end } of others) meta.fill(0, start, end);
  if (!infos || !places) return [];
  const metadata = metadataItems(meta, infos);
  const items = placesIn(meta.subarray(places.start, places.end), bound).filter(({ id }) =>
    metadata.has(id),
  );
  if (items.some(({ method }) => method > IN_META))
    throw new MetadataStay('its metadata are within another item');
  const extents = (method: number, from: number) =>
    items
      .filter((item) => item.method === method)
      .flatMap((item) => item.extents)
      .map(({ start, end }) => ({ start: start + from, end: end + from }));
  const inIdat = extents(IN_META, idat?.start ?? 0);
  if (inIdat.some(({ end }) => end > meta.length))
    throw new RangeError('an extent ends outside of its box');
  for (const { start, end } of merged(inIdat)) meta.fill(0, start, end);
  return merged(extents(IN_FILE, 0));
};

/**
 * Overwrites what an image sequence and its tracks say of themselves.
 *
 * @param moov The content of the box `moov`.
 * @returns As of {@link blankItems}, which also has what it throws.
 */
export const blankDescriptions = (moov: Buffer): readonly Extent[] => {
  const found: Extent[] = [];
  const bound = { extentsLeft: EXTENTS_MAX };
  const blankIn = (content: Buffer): void => {
    for (const { type, start, end } of boxesIn(content, 0, content.length)) {
      const inside = content.subarray(start, end);
      if (type === 'trak') blankIn(inside);
      if (type === 'meta') for (const extent of blankItems(inside, bound)) found.push(extent);
      if (!['meta', 'udta', 'uuid', 'free', 'skip'].includes(type)) continue;
      content.write('free', start - 4, 'latin1');
      inside.fill(0);
    }
  };
  blankIn(moov);
  return merged(found);
};

/** In their order, those that overlap as one: a few bytes could overwrite all others repeatedly. */
export const merged = (extents: readonly Extent[]): readonly Extent[] => {
  const found: { start: number; end: number }[] = [];
  for (const { start, end } of extents.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  }
  return found;
};

const IN_FILE = 0;
const IN_META = 1;

interface Box extends Extent {
  readonly type: string;
}

const boxesIn = (bytes: Buffer, from: number, to: number): readonly Box[] => {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to;) {
    const size = bytes.readUInt32BE(at);
    const end = size === 0 ? to : at + size;
    if (end < at + 8 || end > to) throw new RangeError('a box ends outside of its parent');
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), start: at + 8, end });
    at = end;
  }
  return boxes;
};

/** Ids of the items that are EXIF, or documents such as XMP. */
const metadataItems = (meta: Buffer, { start, end }: Extent): ReadonlySet<number> => {
  const countBytes = meta.readUInt8(start) === 0 ? 2 : 4;
  const found = new Set<number>();
  for (const info of boxesIn(meta, start + 4 + countBytes, end)) {
    const version = meta.readUInt8(info.start);
    if (version < 2) throw new MetadataStay('its items have no types');
    const idBytes = version === 2 ? 2 : 4;
    const id = meta.readUIntBE(info.start + 4, idBytes);
    const typeAt = info.start + 4 + idBytes + 2;
    const type = meta.toString('latin1', typeAt, typeAt + 4);
    if (['Exif', 'mime', 'uri '].includes(type)) found.add(id);
  }
  return found;
};

interface Place {
  readonly id: number;
  readonly method: number;
  readonly extents: readonly Extent[];
}

/** Of all items of a picture, and of all tracks of a sequence. A picture of tiles has thousands. */
const EXTENTS_MAX = 20_000;

interface Bound {
  extentsLeft: number;
}

const placesIn = (box: Buffer, bound: Bound): readonly Place[] => {
  let at = 0;
  const number = (bytes: number): number => {
    const value =
      bytes === 0 ? 0 : bytes === 8 ? Number(box.readBigUInt64BE(at)) : box.readUIntBE(at, bytes);
    at += bytes;
    return value;
  };
  const version = number(1);
  at += 3;
  const sizes = number(2);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version > 0 ? sizes & 15 : 0;
  const places: Place[] = [];
  const count = number(version < 2 ? 2 : 4);
  for (let item = 0; item < count; item += 1) {
    const id = number(version < 2 ? 2 : 4);
    const method = version > 0 ? number(2) & 15 : IN_FILE;
    at += 2;
    const base = number(baseBytes);
    const extents: Extent[] = [];
    const extentCount = number(2);
    bound.extentsLeft -= extentCount;
    if (bound.extentsLeft < 0) throw new RangeError('too many extents');
    // Otherwise a few bytes could name any number of extents.
    if (lengthBytes === 0 && extentCount > 0) throw new RangeError('an extent without a length');
    for (let extent = 0; extent < extentCount; extent += 1) {
      at += indexBytes;
      const start = base + number(offsetBytes);
      extents.push({ start, end: start + number(lengthBytes) });
    }
    places.push({ id, method, extents });
  }
  return places;
};
