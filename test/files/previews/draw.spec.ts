import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PREVIEW_SIDE_MAX } from '../../../src/files/limits.ts';
import { draw, type Drawing } from '../../../src/files/previews/draw.ts';
import { hugePng, inPieces, longGif, photo, quarters } from '../../support/pictures.ts';

const drawn = (bytes: Uint8Array) => draw(inPieces(bytes));

const pictureOf = (drawing: Drawing): Buffer => {
  if (drawing.is !== 'drawn') throw new Error(`${drawing.is}: ${drawing.reason}`);
  return drawing.picture;
};

describe('the preview of a picture', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('is drawn from %s', async (format) => {
    const picture = pictureOf(await drawn(await quarters(1_024, 768).toFormat(format).toBuffer()));
    const { width, height, format: made } = await sharp(picture).metadata();
    expect([made, width, height]).toEqual(['webp', PREVIEW_SIDE_MAX, 384]);
    const { data } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeGreaterThan(200);
    expect(data[1]).toBeLessThan(60);
  });

  it('keeps the size of a small picture, is upright, and has none of its metadata', async () => {
    const turned = await quarters(64, 48)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Ada', Orientation: '6' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { width, height, exif } = await sharp(pictureOf(await drawn(turned))).metadata();
    expect([width, height, exif]).toEqual([48, 64, undefined]);
  });

  it('is of the first picture of an animation', async () => {
    const picture = pictureOf(await drawn(longGif(300, 10_000)));
    expect(await sharp(picture).metadata()).toMatchObject({ width: 300, height: 300 });
  });

  it.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
    ['of 50,000 × 50,000 pixels', () => hugePng(50_000)],
    ['whose header says so', () => hugePng(50_000, { bytes: 10 })],
    ['cut off', async () => (await quarters(800, 600).jpeg().toBuffer()).subarray(0, 2_000)],
    ['whose data is too short', () => hugePng(900, { bytes: 10_000 })],
    ['of a type that is not decoded', () => quarters().tiff().toBuffer()],
    ['of 16 bits in TIFF', () => quarters().toColourspace('rgb16').tiff().toBuffer()],
    ['that is none', () => Buffer.from('\xff\xd8\xff nothing')],
    ['of no bytes', () => Buffer.alloc(0)],
    [
      'that is an SVG of entities',
      () => Buffer.from('<!DOCTYPE a [<!ENTITY b "b">]><svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
  ])('is none of one %s, for good', async (_, bytes) =>
    expect(await drawn(await bytes())).toMatchObject({ is: 'no-picture' }),
  );

  it('is none for a picture over the memory limit', async () => {
    const bomb = hugePng(10_900, { bits: 16, kind: 6, isInterlaced: true, bytes: 64 });
    const drawing = await drawn(bomb);
    expect(drawing).toEqual({ is: 'no-picture', reason: expect.stringMatching(/out of memory/) });
  });

  it('fails at its deadline', async () => {
    const bytes = await photo(1_000, 1_000).png().toBuffer();
    const drawing = await draw(inPieces(bytes), { withinMs: 1 });
    expect(drawing).toEqual({ is: 'failed', reason: 'it took longer than 0.001 s' });
  });

  it('fails with the error of its bytes', async () => {
    const failing = async function* () {
      yield Buffer.from([0xff, 0xd8, 0xff]);
      throw new Error('the disk is gone');
    };
    await expect(draw(failing())).rejects.toThrow('the disk is gone');
  });

  it('ends when it is called off', async () => {
    const ending = new AbortController();
    const waiting = async function* () {
      yield Buffer.from([0xff, 0xd8, 0xff]);
      ending.abort(new Error('stopping'));
      yield* inPieces(Buffer.alloc(10_000_000));
    };
    await expect(draw(waiting(), { signal: ending.signal })).rejects.toThrow('stopping');
  });
});
