/** Pictures of docs/portal.md, taken anew where `UPDATE_SCREENSHOTS` is set. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/**
 * @param name Of the file in docs/pictures, without its ending.
 * @param height In pixels, from the top left of the page, as `width`.
 */
export const takePicture = async (
  page: Page,
  name: string,
  height = 720,
  width = 1_280,
): Promise<void> => {
  if (!process.env['UPDATE_SCREENSHOTS']) return;
  const path = fileURLToPath(new URL(`../../../docs/pictures/${name}.png`, import.meta.url));
  await page.screenshot({ path, clip: { x: 0, y: 0, width, height } });
};
