/** Pictures as people send them, and as nobody should. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** In four colours, one in each quarter, so that turning and cutting it shows. */
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

/** As a phone's camera: much detail, so that it is as large as a photo. */
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
  /** Of the picture's bytes, which are zeros. Default: as many as it has. */
  readonly bytes?: number;
}

/** A picture of zeros, which takes next to no bytes to send. */
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

/** As a store gives a file: in pieces. */
export const inPieces = async function* (bytes: Uint8Array, length = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
};
