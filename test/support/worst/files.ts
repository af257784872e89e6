/** Forms with a file, for routes that take one. */
import { quarters } from '../pictures.ts';

const BOUNDARY = 'worst-case';

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form with one file of text of so many bytes. */
export const formWithFile = (bytes: number): Buffer =>
  formWith(Buffer.alloc(bytes, 'worst case\n'));

/** A form with a picture of 12 megapixels, in few bytes: downloads are as long as their file. */
export const formWithPhoto = async (): Promise<Buffer> =>
  formWith(await quarters(4_000, 3_000).jpeg().toBuffer());

const formWith = (content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\n` +
        'Content-Disposition: form-data; name="file"; filename="worst.txt"\r\n' +
        'Content-Type: text/plain\r\n\r\n',
    ),
    content,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
