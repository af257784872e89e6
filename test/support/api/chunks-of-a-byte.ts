/** An ASCII body as chunks of one byte, with the last one of none. RFC 9112 section 7.1 */
export const chunksOfAByte = (body: string): string =>
  `${body.replaceAll(/./gs, '1\r\n$&\r\n')}0\r\n\r\n`;
