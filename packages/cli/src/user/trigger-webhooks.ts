/** `webhook.test`, to every webhook of the sandbox. */
import { CommandFailed } from '../failures.ts';
import type { Deed, Scene } from './trigger.ts';

export const testWebhooks = async ({ client }: Scene): Promise<Deed> => {
  const webhookIds: string[] = [];
  for await (const { webhookId } of client.items('/api/v1/webhooks')) {
    const params = { path: { webhookId } };
    await client.POST('/api/v1/webhooks/{webhookId}/test', { params });
    webhookIds.push(webhookId);
  }
  if (webhookIds.length === 0) throw new CommandFailed('the sandbox has no webhook');
  return { value: { webhookIds }, words: `sent to ${webhookIds.join(', ')}.` };
};
