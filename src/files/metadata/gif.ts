/**
 * GIF without comments and applications' data, XMP among them; the loop of an animation and a
 * colour profile stay. Data behind the picture is dropped. GIF89a specification.
 */
import { byte, drop, keep, nextBytes, put, type Rewriting, type Step } from './rewriting.ts';

export function* gifWithout(): Rewriting {
  const head = yield* nextBytes(13);
  if (head === null) return;
  yield put(head);
  yield keep(colourTableBytes(head[10]!));
  for (let code = yield* byte(); code !== null; code = yield* byte()) {
    if (code === IMAGE) {
      const image = yield* nextBytes(9);
      if (image === null) return;
      yield put(code, image);
      // The table, and the size of the first codes.
      yield keep(colourTableBytes(image[8]!) + 1);
      yield* blocks(keep);
    } else if (code === EXTENSION) yield* extension();
    else {
      if (code === END) yield put(END);
      return;
    }
  }
}

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const END = 0x3b;
const [CONTROL, PLAIN_TEXT, APPLICATION] = [0xf9, 0x01, 0xff];

/** Bytes of the colour table of the screen or an image, by its flags. */
const colourTableBytes = (flags: number): number =>
  (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);

function* extension(): Generator<Step, void, Buffer> {
  const label = yield* byte();
  if (label === null) return;
  if (label === CONTROL || label === PLAIN_TEXT) {
    yield put(EXTENSION, label);
    return yield* blocks(keep);
  }
  if (label !== APPLICATION) return yield* blocks(drop);
  const size = yield* byte();
  const name = size === null ? null : yield* nextBytes(size);
  if (size === null || name === null) return;
  const isNeeded = needed.has(name.toString('latin1'));
  if (isNeeded) yield put(EXTENSION, label, size, name);
  // An empty name ends the extension.
  if (size > 0) yield* blocks(isNeeded ? keep : drop);
}

const needed: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/** The blocks up to an empty one. */
function* blocks(pass: typeof keep): Generator<Step, void, Buffer> {
  for (;;) {
    const size = yield* byte();
    if (size === null) return;
    if (pass === keep) yield put(size);
    yield pass(size);
    if (size === 0) return;
  }
}
