/**
 * WebP without metadata. Its head has the size of the file, which passes before the metadata do:
 * they are overwritten and keep their length. WebP container specification.
 */
import { EXIF_BYTES_MAX, exifOf, orientationIn } from './exif.ts';
import { blank, keep, nextBytes, put, type Rewriting } from './rewriting.ts';

export function* webpWithout(): Rewriting {
  const head = yield* nextBytes(12);
  if (head === null) return;
  yield put(head);
  for (let left = head.readUInt32LE(4) - 4; left >= 8;) {
    const start = yield* nextBytes(8);
    if (start === null) return;
    const type = start.toString('latin1', 0, 4);
    const bytes = start.readUInt32LE(4);
    const padding = bytes % 2;
    left -= 8 + bytes + padding;
    yield put(start);
    if (type === 'EXIF' && bytes <= EXIF_BYTES_MAX) {
      const exif = yield* nextBytes(bytes);
      if (exif === null) return;
      const least = exifOf(orientationIn(exif));
      const whole = Buffer.alloc(bytes);
      if (bytes >= least.length) least.copy(whole);
      yield put(whole);
      yield blank(padding);
    } else if (needed.has(type)) yield keep(bytes + padding);
    // XMP of spaces is valid and empty.
    else yield blank(bytes + padding, type === 'XMP ' ? 0x20 : 0);
  }
}

const needed: ReadonlySet<string> = new Set([
  'VP8 ',
  'VP8L',
  'VP8X',
  'ALPH',
  'ANIM',
  'ANMF',
  'ICCP',
]);
