/**
 * HEIC and AVIF without metadata. EXIF and XMP are items whose offsets are in the box `meta`: they
 * are overwritten, so that no offset changes. Orientation is stored elsewhere. ISO 23008-12,
 * 14496-12.
 */
import { blankDescriptions, blankItems, merged, type Extent } from './heif-items.ts';
import {
  blank,
  keep,
  MetadataStay,
  nextBytes,
  put,
  type Rewriting,
  type Step,
} from './rewriting.ts';

/** @throws {@link MetadataStay} */
export function* heifWithout(): Rewriting {
  const described = new Set<string>();
  let extents: Extent[] = [];
  for (let at = 0; ;) {
    const head = yield* nextBytes(8);
    if (head === null) return;
    const type = head.toString('latin1', 4);
    const large = head.readUInt32BE(0) === 1 ? yield* nextBytes(8) : Buffer.alloc(0);
    if (large === null) return;
    const start = at + 8 + large.length;
    const end = endOf(head, large, at);
    if (end < start) throw new MetadataStay('a box is smaller than its head');
    if (type === 'meta' || type === 'moov') {
      if (end - start > META_BYTES_MAX) throw new MetadataStay('its description is too large');
      // Each one sorts the extents of those before it.
      if (described.has(type)) throw new MetadataStay('it has more than one description');
      described.add(type);
      const content = yield* nextBytes(end - start);
      if (content === null) return;
      const found = unlessBroken(() =>
        type === 'meta' ? blankItems(content) : blankDescriptions(content),
      );
      extents = merged([...extents, ...found]).toReversed();
      if (extents.some((one) => one.start < end)) {
        throw new MetadataStay('its metadata come before or within a description');
      }
      yield put(head, large, content);
    } else if (isOfOthers(type)) {
      // XMP and makers' data are kept there, too.
      yield put(head.subarray(0, 4), Buffer.from('free'), large);
      yield blank(end - start);
    } else {
      yield put(head, large);
      yield* keptBut(extents, start, end);
    }
    at = end;
  }
}

/** The size of a box `meta` or `moov`: in photos it has some KiB. */
const META_BYTES_MAX = 1024 * 1024;

const isOfOthers = (type: string): boolean => ['uuid', 'free', 'skip', 'udta'].includes(type);

/** A size of 0 is the rest of the file. */
const endOf = (head: Buffer, large: Buffer, at: number): number => {
  const bytes = head.readUInt32BE(0);
  if (bytes === 0) return Number.MAX_SAFE_INTEGER;
  return at + (large.length > 0 ? Number(large.readBigUInt64BE(0)) : bytes);
};

const unlessBroken = <Found>(read: () => Found): Found => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new MetadataStay('its description is broken');
  }
};

/**
 * The bytes from `start` to `end` without those of the extents.
 *
 * @param extents The last one first. Those that end before `end` are removed.
 */
function* keptBut(extents: Extent[], start: number, end: number): Generator<Step, void, Buffer> {
  let at = start;
  for (let extent = extents.at(-1); extent && extent.start < end; extent = extents.at(-1)) {
    const from = Math.max(extent.start, at);
    const to = Math.min(Math.max(extent.end, from), end);
    yield keep(from - at);
    yield blank(to - from);
    at = to;
    if (extent.end > end) break;
    extents.pop();
  }
  yield keep(end - at);
}
