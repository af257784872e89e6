/**
 * The process that draws one preview: a picture comes on the standard input, the preview goes to
 * the standard output. The decoder is native code that reads untrusted input, so nothing else
 * happens in this process, and its environment is empty.
 */
import { buffer } from 'node:stream/consumers';
import { PREVIEW_PIXELS_MAX, PREVIEW_SIDE_MAX } from '../limits.ts';
import { DRAWN, NO_DECODER, NO_PICTURE } from './exit-codes.ts';

/** The decoders of the types in `isPreviewed`: others do not run, whatever the bytes. */
const DECODERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
  'VipsForeignLoadHeifBuffer',
];

const loaded = async () => {
  try {
    const { default: sharp } = await import('sharp');
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: DECODERS });
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  } catch (error) {
    process.stderr.write((error as Error).message);
    return process.exit(NO_DECODER);
  }
};

const draw = async (): Promise<number> => {
  const sharp = await loaded();
  const picture = await buffer(process.stdin);
  try {
    // The first picture of an animation, upright, without its metadata.
    const preview = await sharp(picture, {
      limitInputPixels: PREVIEW_PIXELS_MAX,
      failOn: 'error',
      sequentialRead: true,
    })
      .autoOrient()
      .resize(PREVIEW_SIDE_MAX, PREVIEW_SIDE_MAX, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 75, effort: 2 })
      .toBuffer();
    process.stdout.write(preview);
    return DRAWN;
  } catch (error) {
    process.stderr.write((error as Error).message);
    return NO_PICTURE;
  }
};

process.exitCode = await draw();
