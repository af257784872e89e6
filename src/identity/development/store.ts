/**
 * The development issuer's store of codes, grants, refresh tokens and sessions. In memory: after a
 * restart the command line must sign in again.
 */
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import { DEVELOPMENT_ENTRIES_MAX } from './limits.ts';

interface Entry {
  readonly model: string;
  readonly payload: AdapterPayload;
  /** Epoch milliseconds. */
  readonly until: number;
}

export function developmentStore(): AdapterFactory {
  const entries = new Map<string, Entry>();
  const live = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key);
    if (entry && entry.until <= Date.now()) entries.delete(key);
    return entries.get(key)?.payload;
  };
  const where = (model: string, member: 'uid' | 'userCode', value: string) => {
    for (const [key, { payload, model: kind }] of entries) {
      if (kind === model && payload[member] === value) return live(key);
    }
    return undefined;
  };

  return (model): Adapter => ({
    upsert: async (id, payload, expiresInS) => {
      const key = `${model}:${id}`;
      entries.delete(key);
      const until = expiresInS === undefined ? Infinity : Date.now() + expiresInS * 1_000;
      entries.set(key, { model, payload, until });
      // A `Map` keeps the order of insertion: the first entry is the oldest.
      const oldest = entries.keys().next();
      if (entries.size > DEVELOPMENT_ENTRIES_MAX && !oldest.done) entries.delete(oldest.value);
    },
    find: async (id) => live(`${model}:${id}`),
    findByUid: async (uid) => where(model, 'uid', uid),
    findByUserCode: async (userCode) => where(model, 'userCode', userCode),
    consume: async (id) => {
      const payload = live(`${model}:${id}`);
      if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
    },
    destroy: async (id) => void entries.delete(`${model}:${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, { payload, model: kind }] of entries) {
        if (kind === model && payload.grantId === grantId) entries.delete(key);
      }
    },
  });
}
