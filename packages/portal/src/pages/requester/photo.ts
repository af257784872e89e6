/** Photos are reduced in the browser, because connections are slow and cameras large. */

import type { WaitingPhoto } from '../../outbox/waiting.ts';

/** The longest side of an upload, in pixels: a label on a pump stays legible. */
const SIDE_MAX = 1_600;
/** A photo of at most this many bytes is sent unchanged. */
const BYTES_SMALL = 400_000;
const QUALITY = 0.8;
/** The server's limit of a file. */
const BYTES_MAX = 25 * 1_024 * 1_024;

export interface Photo {
  readonly name: string;
  readonly blob: Blob;
  /** The preview; `null` if the browser cannot decode the photo, which is sent all the same. */
  readonly picture: ImageBitmap | null;
}

/** @throws if the file is too large and cannot be reduced. */
export const photoOf = async (file: File): Promise<Photo> => {
  const picture = await createImageBitmap(file).catch(() => null);
  const isSmall = file.size <= BYTES_SMALL;
  if (picture === null || isSmall) {
    if (file.size > BYTES_MAX) throw new Error('This file is larger than 25 MB.');
    return { name: file.name, blob: file, picture };
  }
  const blob = await smaller(picture);
  // A drawing may become larger as a JPEG.
  if (blob.size >= file.size) return { name: file.name, blob: file, picture };
  return { name: file.name.replace(/\.\w+$/, '') + '.jpg', blob, picture };
};

const smaller = async (picture: ImageBitmap): Promise<Blob> => {
  const scale = Math.min(1, SIDE_MAX / Math.max(picture.width, picture.height));
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')!.drawImage(picture, 0, 0, width, height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
};

/** Photos with a key each, which stays the same in retries of the command. */
export const waitingPhotosOf = (
  commandId: string,
  photos: readonly Photo[],
): readonly WaitingPhoto[] =>
  photos.map(({ name, blob }, at) => ({ key: `${commandId}.${at}`, name, blob }));
