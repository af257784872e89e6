/** A photo as it is sent: made smaller in the browser, because lines are slow and cameras large. */

import type { WaitingPhoto } from '../../outbox/waiting.ts';

/** The longest side of what is sent, in pixels: a label on a pump can be read. */
const SIDE_MAX = 1_600;
/** A picture that has at most so many bytes is sent as it is. */
const BYTES_SMALL = 400_000;
const QUALITY = 0.8;
/** As the server bounds a file. */
const BYTES_MAX = 25 * 1_024 * 1_024;

export interface Photo {
  readonly name: string;
  readonly blob: Blob;
  /** To be shown; `null` where the browser cannot draw it: it is sent all the same. */
  readonly picture: ImageBitmap | null;
}

/** @throws where the file is too large to be sent and cannot be made smaller. */
export const photoOf = async (file: File): Promise<Photo> => {
  const picture = await createImageBitmap(file).catch(() => null);
  const isSmall = file.size <= BYTES_SMALL;
  if (picture === null || isSmall) {
    if (file.size > BYTES_MAX) throw new Error('This file is larger than 25 MB.');
    return { name: file.name, blob: file, picture };
  }
  const blob = await smaller(picture);
  // A drawing may be larger as a photo.
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

/** Each under a key of its own, the same however often the command is sent. */
export const waitingPhotosOf = (
  commandId: string,
  photos: readonly Photo[],
): readonly WaitingPhoto[] =>
  photos.map(({ name, blob }, at) => ({ key: `${commandId}.${at}`, name, blob }));
