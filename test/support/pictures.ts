/** Valid and hostile pictures. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** One colour per quarter, so that rotation and cropping are visible. */
export const quarters = (width = 64, height = 48) => {
  const quarter = (left: number, top: number, background: string) => ({
    input: {
      create: {
        width: Math.floor(width / 2),
        height: Math.floor(height / 2),
        channels: 3 as const,
        background,
      },
    },
    left: left * Math.floor(width / 2),
    top: top * Math.floor(height / 2),
  });
  return sharp({ create: { width, height, channels: 3, background: '#fff' } }).composite([
    quarter(0, 0, '#f00'),
    quarter(1, 0, '#0f0'),
    quarter(0, 1, '#00f'),
    quarter(1, 1, '#ff0'),
  ]);
};

/** With much detail, so that it is as large as a phone's photo. */
export const photo = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#777',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

export const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
};

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

interface PngOptions {
  readonly bits?: number;
  /** 0: grey, 6: colours with transparency. */
  readonly kind?: 0 | 6;
  readonly isInterlaced?: boolean;
  /** Number of zero bytes of the picture. Default: as many as its size requires. */
  readonly bytes?: number;
}

/** A picture of zeros, which compresses to a few bytes. */
export const hugePng = (
  side: number,
  { bits = 1, kind = 0, isInterlaced = false, bytes }: PngOptions = {},
): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([bits, kind, 0, 0, isInterlaced ? 1 : 0], 8);
  const row = 1 + Math.ceil((side * bits * (kind === 6 ? 4 : 1)) / 8);
  const data = deflateSync(Buffer.alloc(bytes ?? row * side), { level: 1 });
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
};

/** A GIF whose every frame is one pixel of a large screen. */
export const longGif = (side: number, frames: number): Buffer => {
  const screen = Buffer.from('GIF89a\0\0\0\0\xf0\0\0', 'latin1');
  screen.writeUInt16LE(side, 6);
  screen.writeUInt16LE(side, 8);
  const colours = Buffer.from([0, 0, 0, 255, 255, 255]);
  const frame = Buffer.from('2c00000000010001000002024401 00'.replaceAll(' ', ''), 'hex');
  return Buffer.concat([screen, colours, ...Array(frames).fill(frame), Buffer.from(';')]);
};

/** In chunks, as returned by a file store. */
export const inPieces = async function* (bytes: Uint8Array, length = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
};
