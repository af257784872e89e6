/** A form as a browser sends it, in bytes, so that a test can also cut it. */
export interface FormPart {
  readonly name: string;
  /** Absent: it is no file. */
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
          // A claim that nobody believes.
          (fileName === undefined ? '' : '\r\nContent-Type: image/svg+xml') +
          '\r\n\r\n',
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
