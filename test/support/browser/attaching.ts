/** Files as a person brings them to a page: dropped, pasted, or from the clipboard. */
import type { Page } from 'playwright-core';

export interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export const textFile = (name: string, content: string | Buffer = name): GivenFile => ({
  name,
  type: 'text/plain',
  bytes: Buffer.from(content),
});

/** A picture that is drawn by the browser. */
export const pictureFile = async (page: Page, name: string, hue: number): Promise<GivenFile> => {
  const drawn = await page.evaluate<string>(`(async () => {
    const canvas = new OffscreenCanvas(1200, 800);
    const context = canvas.getContext('2d');
    const sky = context.createLinearGradient(0, 0, 1200, 800);
    sky.addColorStop(0, 'hsl(${hue} 70% 75%)');
    sky.addColorStop(1, 'hsl(${hue + 40} 60% 35%)');
    context.fillStyle = sky;
    context.fillRect(0, 0, 1200, 800);
    context.fillStyle = 'white';
    context.font = '90px sans-serif';
    context.fillText(${JSON.stringify(name)}, 60, 420);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  })()`);
  return { name, type: 'image/png', bytes: Buffer.from(drawn, 'base64') };
};

const TRANSFER = `(files) => {
  const transfer = new DataTransfer();
  for (const { name, type, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type }));
  }
  return transfer;
}`;

const sent = (files: readonly GivenFile[]): string =>
  JSON.stringify(
    files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') })),
  );

/** Drags files over an element, and drops them unless `isHeld`. */
export const drop = (
  page: Page,
  selector: string,
  files: readonly GivenFile[],
  { isHeld = false } = {},
): Promise<void> =>
  page.evaluate(`(() => {
    const dataTransfer = (${TRANSFER})(${sent(files)});
    const target = document.querySelector(${JSON.stringify(selector)});
    for (const type of ${JSON.stringify(isHeld ? ['dragover'] : ['dragover', 'drop'])})
      target.dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
      );
  })()`);

/** Puts a picture into the clipboard of the browser; \`Control+V\` then pastes it. */
export const copyPicture = async (page: Page, { bytes, type }: GivenFile): Promise<void> => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`(async () => {
    const [file] = (${TRANSFER})(${sent([{ name: 'x', type, bytes }])}).files;
    await navigator.clipboard.write([new ClipboardItem({ [file.type]: file })]);
  })()`);
};

/** Limits the upload rate, in bytes per second; `null`: unlimited. */
export const slowUploads = async (page: Page, bytesPerSecond: number | null): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond ?? -1,
  });
};
