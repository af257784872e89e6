const KIB = 1_024;

/** `64 MiB` */
export const bytesText = (bytes: number): string => {
  if (bytes < KIB) return `${bytes} bytes`;
  const [value, unit] = bytes < KIB ** 2 ? [bytes / KIB, 'KiB'] : [bytes / KIB ** 2, 'MiB'];
  // Rounded up, so that one byte above a limit does not read as the limit.
  return `${(Math.ceil(value * 10) / 10).toLocaleString('en')} ${unit}`;
};
