const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `1.5 GiB`. */
export const inBytes = (bytes: number): string => {
  const power = bytes === 0 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const count = bytes / 1024 ** power;
  return `${power === 0 ? count : count.toFixed(1)} ${UNITS[power]}`;
};
