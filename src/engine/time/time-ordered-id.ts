import { randomUUID } from 'node:crypto';

/**
 * A new UUID of version 7 (RFC 9562 section 5.7): milliseconds first, then random bits. Consecutive
 * ids are adjacent in an index, from which every append to a log benefits.
 */
export const timeOrderedId = (): string => {
  const ms = Date.now().toString(16).padStart(12, '0');
  // A UUID of version 4 has random bits where version 7 has them.
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${randomUUID().slice(15)}`;
};
