import { expect } from 'vitest';
import type { TestApi } from '../api/api.ts';

/** Deletes all webhooks of the caller, so that the next test starts below the limits. */
export const unsubscribeAll = async (caller: ReturnType<TestApi['as']>): Promise<void> => {
  const { body } = await caller.get('/api/v1/webhooks?limit=1000');
  for (const { webhookId } of body.items) {
    const { status } = await caller.delete(`/api/v1/webhooks/${webhookId}`);
    // The list may still have one that is deleted.
    expect([204, 404]).toContain(status);
  }
};
