/**
 * Rewrites bytes as they pass, by the steps of a generator: the generator sees only the bytes that
 * it takes, and only these are held in memory.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { METADATA_STEPS_AT_ONCE_MAX, METADATA_STEPS_MAX } from '../limits.ts';

/** The metadata of a picture cannot be found or removed. */
export class MetadataStay extends Error {
  override name = 'MetadataStay';
}

export type Step =
  /** Gives the next bytes to the generator, fewer at the end of the file, and drops them. */
  | { readonly is: 'take'; readonly bytes: number }
  | { readonly is: 'keep'; readonly bytes: number }
  | { readonly is: 'drop'; readonly bytes: number }
  /** Passes on as many of `byte` instead. */
  | { readonly is: 'blank'; readonly bytes: number; readonly byte: number }
  /** All bytes before the next `byte`; `butBefore` may follow one that is passed, too. */
  | {
      readonly is: 'keep-until' | 'drop-until';
      readonly byte: number;
      readonly butBefore?: number;
    }
  | { readonly is: 'put'; readonly piece: Uint8Array };

/** What follows its end is dropped. */
export type Rewriting = Generator<Step, void, Buffer>;

export const keep = (bytes: number): Step => ({ is: 'keep', bytes });
export const drop = (bytes: number): Step => ({ is: 'drop', bytes });
export const blank = (bytes: number, byte = 0): Step => ({ is: 'blank', bytes, byte });
export const put = (...pieces: readonly (Uint8Array | number)[]): Step => ({
  is: 'put',
  piece: Buffer.concat(pieces.map((one) => (typeof one === 'number' ? Buffer.of(one) : one))),
});

/** The next bytes; `null` where the file ends before them. */
export function* nextBytes(bytes: number): Generator<Step, Buffer | null, Buffer> {
  const found = yield { is: 'take', bytes };
  return found.length < bytes ? null : found;
}

/** The next byte; `null` at the end of the file. */
export function* byte(): Generator<Step, number | null, Buffer> {
  return (yield* nextBytes(1))?.[0] ?? null;
}

/**
 * @param stepsMax Default {@link METADATA_STEPS_MAX}.
 * @throws {@link MetadataStay} beyond it, and what `rewriting` and `chunks` throw.
 */
export async function* rewritten(
  chunks: AsyncIterable<Uint8Array>,
  rewriting: Rewriting,
  stepsMax: number = METADATA_STEPS_MAX,
): AsyncGenerator<Uint8Array, void, undefined> {
  const machine = machineOf(rewriting, stepsMax);
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = machine.push(chunk, 0);
    // A crafted file has a step per byte, and each chunk would hold the event loop.
    while (at < chunk.length) {
      await turn();
      at = machine.push(chunk, at);
    }
    yield machine.flushed();
  }
  yield machine.end();
}

/** The index in `chunk` where a step `keep-until` or `drop-until` ends; -1: not in this chunk. */
const endOf = (
  { byte, butBefore }: Extract<Step, { is: 'keep-until' | 'drop-until' }>,
  chunk: Buffer,
  from: number,
): number => {
  let found = chunk.indexOf(byte, from);
  if (butBefore === undefined) return found;
  while (found !== -1 && chunk[found + 1] === butBefore) found = chunk.indexOf(byte, found + 2);
  return found;
};

const machineOf = (rewriting: Rewriting, stepsMax: number) => {
  let taking: Buffer[] = [];
  let output: Uint8Array[] = [];
  let stepsLeft = stepsMax;
  const resumed = (found: Buffer): Step | null => {
    stepsLeft -= 1;
    if (stepsLeft < 0) throw new MetadataStay('it has too many parts');
    const { value, done } = rewriting.next(found);
    return done === true ? null : value;
  };
  /** `null` at its end; `passed` counts the bytes of this step. */
  const current: { step: Step | null; passed: number } = {
    step: resumed(Buffer.alloc(0)),
    passed: 0,
  };

  const next = () => {
    const found = Buffer.concat(taking);
    taking = [];
    current.passed = 0;
    current.step = resumed(found);
  };

  /** @returns How many of the bytes from `at` the step has used. */
  const use = (step: Exclude<Step, { is: 'put' }>, chunk: Buffer, at: number): number => {
    if ('bytes' in step) {
      const bytes = Math.min(step.bytes - current.passed, chunk.length - at);
      const piece = chunk.subarray(at, at + bytes);
      if (step.is === 'take') taking.push(Buffer.from(piece));
      else if (step.is === 'keep') output.push(piece);
      else if (step.is === 'blank') output.push(Buffer.alloc(bytes, step.byte));
      current.passed += bytes;
      if (current.passed === step.bytes) next();
      return bytes;
    }
    const found = endOf(step, chunk, at);
    const end = found === -1 ? chunk.length : found;
    if (step.is === 'keep-until') output.push(chunk.subarray(at, end));
    if (found !== -1) next();
    return end - at;
  };

  const flushed = (): Buffer => {
    const all = Buffer.concat(output);
    output = [];
    return all;
  };

  return {
    /** Uses some bytes from `from`. @returns Where the next call continues. */
    push(chunk: Buffer, from: number): number {
      let at = from;
      for (let steps = 0; steps < METADATA_STEPS_AT_ONCE_MAX; steps += 1) {
        if (current.step === null) return chunk.length;
        if (current.step.is === 'put') {
          output.push(current.step.piece);
          next();
        } else if (at === chunk.length) break;
        else at += use(current.step, chunk, at);
      }
      return at;
    },

    flushed,

    end(): Buffer {
      while (current.step !== null) {
        if (current.step.is === 'put') output.push(current.step.piece);
        next();
      }
      return flushed();
    },
  };
};
