/** Forms with a file, for routes that take one. */

const BOUNDARY = 'worst-case';

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form with one file of text of so many bytes. */
export const formWithFile = (bytes: number): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\n` +
        'Content-Disposition: form-data; name="file"; filename="worst.txt"\r\n' +
        'Content-Type: text/plain\r\n\r\n',
    ),
    Buffer.alloc(bytes, 'worst case\n'),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
