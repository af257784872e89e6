/**
 * The live service at the addresses of sandboxes. One listener serves every address, with or
 * without a sandbox: a client sends its credential once its connection is open, and only then
 * reaches a sandbox, or wakes it. docs/decisions/0084.
 */
import type { IncomingMessage } from 'node:http';
import { notThere } from '../api/http/problems.ts';
import { handshakeOf } from '../api/live/credentials.ts';
import { liveListener, type LiveListener } from '../api/live/listener.ts';
import { relayed } from '../api/live/relay.ts';
import { whenGone, type LiveClient, type Serve } from '../api/live/service.ts';
import { hostNameOf, slugBelow } from '../composition/request-address.ts';
import type { Logger } from '../engine/observe/logging.ts';
import type { Used } from './active-sandboxes.ts';
import type { Admission } from './admission.ts';
import { SANDBOX_PROXY_CONNECT_MAX_MS, SANDBOX_START_MAX_MS } from './limits.ts';
import type { Openings } from './opening.ts';
import { passedOnHeaders, PROXIED_HEADER } from './proxy.ts';
import { statusOf } from './refusals.ts';

export interface SandboxLiveParts extends Pick<Openings, 'open' | 'failure'> {
  readonly sandboxHost: string;
  /** Pages that may connect to each address, beside its own. */
  readonly corsOrigins: readonly string[];
  readonly apiUrlOf: (slug: string) => string;
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly admitted: Pick<Admission, 'malformedIn' | 'refusalIn'>;
  readonly logger: Logger;
}

export const sandboxLive = (parts: SandboxLiveParts): LiveListener => {
  const { open, failure, admitted, apiUrlOf, logger, corsOrigins } = parts;
  const slugOf = slugBelow(parts.sandboxHost);
  const slugIn = ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
    slugOf(hostNameOf(headers.host ?? ''))!;

  const admitHere = async (client: LiveClient, { instance, release }: Used): Promise<Serve> => {
    let isHeld = true;
    const leave = () => {
      if (isHeld) release();
      isHeld = false;
    };
    whenGone(client, leave);
    try {
      if (instance.platform.live === null) throw notThere();
      return await instance.platform.live.admit(client);
    } catch (error) {
      leave();
      throw error;
    }
  };

  return liveListener({
    async admit(client) {
      const handshake = handshakeOf(client);
      const { headers } = handshake;
      const slug = slugIn(client.request);
      const malformed = admitted.malformedIn(handshake, slug);
      if (malformed) throw malformed;
      const found = await open({
        slug,
        refusal: (sandbox, isLast) => admitted.refusalIn(handshake, slug, sandbox, isLast),
        what: 'connection',
        isPassedOn: PROXIED_HEADER in headers,
      }).catch((error: unknown) => failure(error, slug));
      if ('address' in found) {
        const upstream = {
          address: found.address,
          headers: passedOnHeaders(client.request),
          connectMaxMs: SANDBOX_PROXY_CONNECT_MAX_MS,
          answerMaxMs: SANDBOX_START_MAX_MS,
        };
        return relayed(client, upstream, (error) => void found.away(error));
      }
      if (!('problem' in found)) return admitHere(client, found);
      if (PASSING.has(statusOf(found))) return null;
      throw found.problem;
    },
    origins: corsOrigins,
    ownOrigin: (request) => apiUrlOf(slugIn(request)),
    trustedProxies: parts.trustedProxies,
    logger,
  });
};

/** A sandbox that is busy, not ready, or out of reach: the client may try again. */
const PASSING: ReadonlySet<number> = new Set([429, 503]);
