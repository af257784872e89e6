/** Reads QR codes as a telephone does: from pixels. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';

const jsqr = readFileSync(createRequire(import.meta.url).resolve('jsqr'), 'utf8');

/** In the browser: the text of the code in a picture. */
const READ = `async (picture) => {
  const bitmap = await createImageBitmap(await (await fetch(picture)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  return jsQR(data, width, height)?.data ?? null;
}`;

/** @param picture As PNG, with one code. @returns `null` where none can be read. */
export const qrTextIn = async (browser: Browser, picture: Buffer): Promise<string | null> => {
  const page = await browser.newPage();
  try {
    await page.evaluate(`${jsqr};undefined`);
    const url = `data:image/png;base64,${picture.toString('base64')}`;
    return await page.evaluate<string | null>(`(${READ})(${JSON.stringify(url)})`);
  } finally {
    await page.close();
  }
};
