import { inject } from 'vitest';
import type { Caller } from './caller.ts';

/** An organisation's program, with a client-credentials token of the development issuer. */
export const bridgeOf = async (
  platform: { with(token: string): Caller },
  organisation: string,
): Promise<Caller> => {
  const answer = await fetch(`${inject('issuerUrl')}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${organisation}-bridge:atrium-demo`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return platform.with(access_token);
};
