import { createHash } from 'node:crypto';

/** A hash of parsed JSON that ignores white space and the order of members. */
export const jsonHash = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)) ?? '')
    .digest('base64url');

/** Arrays and objects stay distinct even if empty. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ['object', ...members.map(([name, member]) => [name, sorted(member)])];
};
