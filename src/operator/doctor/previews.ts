/** Checks the drawing of previews. */
import { draw } from '../../files/previews/draw.ts';
import { failed, ok, type Finding } from './check.ts';

/** Whether the image decoder is installed, and can be started. */
export const previewsFinding = async (): Promise<Finding> => {
  const drawing = await draw(onePixel());
  if (drawing.is === 'drawn') return ok('pictures can be decoded');
  return failed(`pictures cannot be decoded: ${drawing.reason}`);
};

async function* onePixel(): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(PIXEL, 'base64');
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR' +
  '42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
