const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

const named = (text: string, names: readonly (readonly [string, string])[]): string | undefined =>
  names.find(([part]) => text.includes(part))?.[1];

/**
 * `Chrome on Linux`, from a User-Agent, so that people can recognise a session that is not theirs.
 */
export const browserName = (userAgent: string | null): string => {
  if (userAgent === null) return 'Unknown';
  const browser = named(userAgent, BROWSERS);
  const system = named(userAgent, SYSTEMS);
  if (browser === undefined) return userAgent.split(/[ /]/)[0] || 'Unknown';
  return system === undefined ? browser : `${browser} on ${system}`;
};
