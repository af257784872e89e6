/**
 * JPEG without metadata: only the segments that a decoder needs remain, and an EXIF segment with
 * the orientation alone. Data behind the picture (other pictures, films) is dropped. ITU-T T.81
 * annex B.
 */
import { EXIF_NAME, exifOf, isTurned, orientationIn } from './exif.ts';
import {
  byte,
  drop,
  keep,
  MetadataStay,
  nextBytes,
  put,
  type Rewriting,
  type Step,
} from './rewriting.ts';

/** @throws {@link MetadataStay} */
export function* jpegWithout(): Rewriting {
  yield keep(2);
  let isOrientationKnown = false;
  for (let code = yield* marker(); code !== null;) {
    if (code === END) {
      yield put(0xff, END);
      return;
    }
    if (isAlone(code)) {
      yield put(0xff, code);
      code = yield* marker();
      continue;
    }
    if (isOfExtension(code)) throw new MetadataStay('it has parts of an extension of JPEG');
    const size = yield* nextBytes(2);
    if (size === null) return;
    // Lengths below 2 are invalid; decoders treat such a segment as empty.
    const bytes = Math.max(0, size.readUInt16BE(0) - 2);
    const beginning = yield* nextBytes(Math.min(bytes, BEGINNING_BYTES));
    if (beginning === null) return;
    const rest = bytes - beginning.length;
    if (code === EXIF && beginning.subarray(0, 6).equals(EXIF_NAME) && !isOrientationKnown) {
      const exif = yield* nextBytes(rest);
      if (exif === null) return;
      const orientation = orientationIn(Buffer.concat([beginning, exif]));
      isOrientationKnown = true;
      if (isTurned(orientation)) yield exifSegment(orientation);
    } else if (code === JFIF && isNeeded(code, beginning)) {
      yield put(0xff, code, JFIF_SIZE, beginning, NO_THUMBNAIL);
      yield drop(rest);
    } else if (isNeeded(code, beginning)) {
      yield put(0xff, code, size, beginning);
      yield keep(rest);
    } else yield drop(rest);
    code = code === SCAN ? yield* scanned() : yield* marker();
  }
}

const END = 0xd9;
const SCAN = 0xda;
const JFIF = 0xe0;
const EXIF = 0xe1;
/** Bytes of a segment that identify its content: all of JFIF before the size of its thumbnail. */
const BEGINNING_BYTES = 12;
const NO_THUMBNAIL = Buffer.of(0, 0);
const JFIF_SIZE = Buffer.of(0, 2 + BEGINNING_BYTES + NO_THUMBNAIL.length);

/** Has no content: a restart, a second beginning, or one of arithmetic coding. */
const isAlone = (code: number): boolean => code === 0x01 || (code >= 0xd0 && code <= 0xd8);

/** A frame or a table of an extension such as JPEG-LS, without which the picture cannot be read. */
const isOfExtension = (code: number): boolean => code >= 0xf0 && code <= 0xfd;

/** The first code of frames, scans and their tables, which end before those of applications. */
const TABLES_FROM = 0xc0;

/** Applications' segments that a decoder reads, by their names. */
const needed: Readonly<Record<number, string>> = {
  [JFIF]: 'JFIF\0',
  0xe2: 'ICC_PROFILE\0',
  0xee: 'Adobe',
};

const isNeeded = (code: number, beginning: Buffer): boolean => {
  const name = needed[code];
  if (name === undefined) return code >= TABLES_FROM && code < JFIF;
  const isWhole = code !== JFIF || beginning.length === BEGINNING_BYTES;
  return isWhole && beginning.toString('latin1').startsWith(name);
};

/** The next marker's code, with garbage before it dropped, as decoders do. */
function* marker(): Generator<Step, number | null, Buffer> {
  for (;;) {
    yield { is: 'drop-until', byte: 0xff };
    const code = yield* codeAfterFill();
    if (code !== 0) return code;
  }
}

/** The code behind one or more 0xff. */
function* codeAfterFill(): Generator<Step, number | null, Buffer> {
  for (;;) {
    const code = yield* byte();
    if (code !== 0xff) return code;
  }
}

/** Passes the compressed data of a scan; its end is the next marker with a meaning. */
function* scanned(): Generator<Step, number | null, Buffer> {
  for (;;) {
    // A zero marks a 0xff of the data; a photo has too many of them for a step each.
    yield { is: 'keep-until', byte: 0xff, butBefore: 0 };
    const code = yield* codeAfterFill();
    if (code === null || (code >= 0xc0 && !isAlone(code))) return code;
    yield put(0xff, code);
  }
}

const exifSegment = (orientation: number): Step => {
  const exif = exifOf(orientation);
  const size = Buffer.alloc(2);
  size.writeUInt16BE(2 + EXIF_NAME.length + exif.length);
  return put(0xff, EXIF, size, EXIF_NAME, exif);
};
