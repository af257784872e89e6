import { readFile } from 'node:fs/promises';
import { request as requestPlain, type ClientRequest, type RequestOptions } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP } from 'node:net';
import { z } from 'zod';
import { LOG_GOSSIP_BYTES_MAX, LOG_GOSSIP_MAX_MS } from '../../limits.ts';
import type { Address, Host } from './address.ts';

export interface Server extends Host {
  /** Its address, if several servers share its name. */
  readonly address?: string;
}

const Gossip = z.object({
  members: z.array(
    z.object({
      state: z.string(),
      isAlive: z.boolean(),
      httpEndPointIp: z.string(),
      httpEndPointPort: z.int(),
    }),
  ),
});

export type Member = z.infer<typeof Gossip>['members'][number];

/**
 * The cluster as seen by one of its servers.
 *
 * @throws As {@link httpAnswer}, and if the answer is no gossip.
 */
export const membersKnownTo = async (
  server: Server,
  address: Address,
): Promise<readonly Member[]> => Gossip.parse(await httpAnswer(server, address, '/gossip')).members;

/**
 * A server's JSON response to a GET of `path`.
 *
 * @throws If it cannot be reached, does not answer within {@link LOG_GOSSIP_MAX_MS}, or answers
 *   with anything but JSON or with more than {@link LOG_GOSSIP_BYTES_MAX}.
 */
export const httpAnswer = async (
  server: Server,
  address: Address,
  path: string,
): Promise<unknown> => {
  const { host, port } = server;
  const { tls, credentials } = address;
  const options: RequestOptions = {
    host: server.address ?? host,
    port,
    path: `${path}?format=json`,
    // A new connection: a pooled one may be to a server that hangs.
    agent: false,
    signal: AbortSignal.timeout(LOG_GOSSIP_MAX_MS),
  };
  if (tls === null) return answerOf(requestPlain(options));
  const { username, password } = credentials;
  const ca = tls.caFile === null ? undefined : await readFile(tls.caFile);
  return answerOf(
    requestTls({
      ...options,
      auth: `${username}:${password}`,
      ...(ca && { ca }),
      ...(isIP(host) === 0 && { servername: host }),
    }),
  );
};

const answerOf = (request: ClientRequest): Promise<unknown> =>
  new Promise((resolve, reject) => {
    // Never removed: an error event without a listener would end the process, late ones too.
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > LOG_GOSSIP_BYTES_MAX) request.destroy(new Error('its answer is too long'));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString()));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.end();
  });
