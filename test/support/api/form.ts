/** The bytes of a form as a browser sends it, so that a test can also truncate it. */
export interface FormPart {
  readonly name: string;
  /** Absent: the part is not a file. */
  readonly fileName?: string;
  readonly content: string | Uint8Array;
}

export const BOUNDARY = '----atrium-test';
export const formHeaders = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

export const formOf = (...parts: readonly FormPart[]): Uint8Array<ArrayBuffer> =>
  Buffer.concat([
    ...parts.flatMap(({ name, fileName, content }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
          (fileName === undefined ? '' : `; filename="${fileName.replaceAll('"', '%22')}"`) +
          // A false content type, which the server must not trust.
          (fileName === undefined ? '' : '\r\nContent-Type: image/svg+xml') +
          '\r\n\r\n',
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
