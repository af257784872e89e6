/** The part of EXIF data that is kept: the orientation of a picture. TIFF 6.0, EXIF 2.32. */

/** Larger EXIF data is ignored: it is of no camera. */
export const EXIF_BYTES_MAX = 65_536;

const UPRIGHT = 1;

/** Whether it differs from upright, the default. */
export const isTurned = (orientation: number): boolean => orientation !== UPRIGHT;

/** The orientation, from 1 to 8; 1, upright, if it is absent. */
export const orientationIn = (exif: Buffer): number => {
  const tiff = exif.subarray(0, 6).equals(EXIF_NAME) ? exif.subarray(6) : exif;
  if (tiff.length < 8) return UPRIGHT;
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return UPRIGHT;
  const isLittle = order === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return UPRIGHT;
  const entries = Math.min(short(directory), Math.floor((tiff.length - directory - 2) / 12));
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (short(at) !== ORIENTATION_TAG) continue;
    const orientation = short(at + 8);
    return orientation >= 1 && orientation <= 8 ? orientation : UPRIGHT;
  }
  return UPRIGHT;
};

/** EXIF data that has the orientation alone. */
export const exifOf = (orientation: number): Buffer => {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
};

/** Before EXIF data in JPEG, and in some files of other types. */
export const EXIF_NAME = Buffer.from('Exif\0\0', 'latin1');

const ORIENTATION_TAG = 0x0112;
