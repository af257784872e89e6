/**
 * PNG without metadata: only chunks that change how it looks remain, and an `eXIf` with the
 * orientation alone. Data behind the picture is dropped. PNG, third edition, section 11.
 */
import { crc32 } from 'node:zlib';
import { EXIF_BYTES_MAX, exifOf, isTurned, orientationIn } from './exif.ts';
import {
  drop,
  keep,
  MetadataStay,
  nextBytes,
  put,
  type Rewriting,
  type Step,
} from './rewriting.ts';

/** @throws {@link MetadataStay} */
export function* pngWithout(): Rewriting {
  yield keep(8);
  let isOrientationKnown = false;
  for (;;) {
    const head = yield* nextBytes(8);
    if (head === null) return;
    const bytes = head.readUInt32BE(0);
    const type = head.toString('latin1', 4);
    if (type === 'eXIf' && bytes <= EXIF_BYTES_MAX && !isOrientationKnown) {
      const exif = yield* nextBytes(bytes);
      if (exif === null) return;
      isOrientationKnown = true;
      yield drop(CHECKSUM_BYTES);
      const orientation = orientationIn(exif);
      if (isTurned(orientation)) yield chunk('eXIf', exifOf(orientation));
    } else if (needed.has(type)) {
      yield put(head);
      yield keep(bytes + CHECKSUM_BYTES);
    } else if (isCritical(type)) {
      throw new MetadataStay('it has a critical chunk of an unknown type');
    } else yield drop(bytes + CHECKSUM_BYTES);
    if (type === 'IEND') return;
  }
}

const CHECKSUM_BYTES = 4;

/** Of the picture itself, colours, size and animation. */
const needed: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'sBIT',
  'bKGD',
  'pHYs',
  'hIST',
  'cICP',
  'mDCV',
  'cLLI',
  'acTL',
  'fcTL',
  'fdAT',
]);

/** A decoder that does not know such a chunk must not show the picture. */
const isCritical = (type: string): boolean => /^[A-Z]/.test(type);

const chunk = (type: string, data: Buffer): Step => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [size, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return put(size, named, checksum);
};
