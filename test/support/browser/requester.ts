/** A requester who reports by phone: a window, a label, a photo. */
import { createHash } from 'node:crypto';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { labelAddress } from '../../../packages/portal/src/pages/labels/label-address.ts';
import type { PortalServer } from './portal-server.ts';

export const REQUESTER = 'requester@acme.test';

/** As a middling phone has it. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

export interface Room {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

export interface Building {
  readonly id: string;
  readonly rooms: readonly Room[];
  /** The address in the QR label of a room. */
  readonly labelOf: (room: Room) => string;
}

/** Lets the people of an organisation report, before the specs of the file. */
export const withRequesters = ({ server, call }: PortalServer): (() => Building) => {
  let building: Building;
  beforeAll(async () => {
    const manager = 'manager@acme.test';
    const path = '/api/service-desk/configuration';
    const configuration = await call(manager, 'GET', path);
    await call(manager, 'PUT', path, { ...configuration, requesterAccess: 'signed-in' });
    const { items } = await call(manager, 'GET', '/api/v1/buildings');
    const { id } = items[0];
    const rooms = (await call(manager, 'GET', `/api/v1/buildings/${id}/spaces`)).items;
    building = {
      id,
      rooms,
      labelOf: (room) => labelAddress(server().url, id, { kind: 'space', ...room }),
    };
  });
  return () => building;
};

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

export interface TakenPhoto {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** In the page. Noise, as a camera has it, cannot be compressed away. */
const DRAWN = `async ({ words, width, height, type }) => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (width > 1000) {
    const pixels = context.createImageData(width, height);
    for (let at = 0; at < pixels.data.length; at += 1)
      pixels.data[at] = at % 4 === 3 ? 255 : (at * 7919 + Math.random() * 90) % 256;
    context.putImageData(pixels, 0, 0);
  }
  context.fillStyle = '#1a6';
  context.fillRect(width / 8, height / 8, width / 2, height / 2);
  context.fillStyle = '#fff';
  context.font = Math.round(height / 10) + 'px sans-serif';
  context.fillText(words, width / 7, height / 3);
  const blob = await canvas.convertToBlob({ type, quality: 0.95 });
  let text = '';
  for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}`;

/** A picture with the words in it: no two are the same. */
export const takenPhoto = async (
  page: Page,
  words: string,
  { width = 320, height = 240, type = 'image/png' } = {},
): Promise<TakenPhoto> => {
  const drawn = JSON.stringify({ words, width, height, type });
  const encoded = await page.evaluate<string>(`(${DRAWN})(${drawn})`);
  const name = `${words.replaceAll(/\W+/g, '-')}.${type === 'image/png' ? 'png' : 'jpg'}`;
  return { name, mimeType: type, buffer: Buffer.from(encoded, 'base64') };
};
