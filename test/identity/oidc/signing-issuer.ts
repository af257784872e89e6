/** An issuer on a real port that signs any token for a test, valid or not. */
import type { webcrypto } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';

export interface Key {
  readonly privateKey: webcrypto.CryptoKey;
  readonly publicJwk: JWK;
}

export const drawKey = async (kid?: string): Promise<Key> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  kid ??= await calculateJwkThumbprint(jwk);
  return { privateKey, publicJwk: { ...jwk, kid, alg: 'RS256', use: 'sig' } };
};

export const DISCOVERY = '/.well-known/openid-configuration';

export interface SigningIssuer {
  readonly url: string;
  key: Key;
  /** The published key set, and its path in the discovery document. */
  published: JWK[];
  keysPath: string;
  /** Path → a key set that is still served there. */
  readonly formerKeys: Map<string, JWK[]>;
  /** Members that override the discovery document. */
  discovery: Record<string, unknown>;
  /** Called instead of answering. */
  failing: 'no' | 'status' | 'hang';
  /** Requested paths so far. */
  readonly asked: string[];
  /** A valid token except for the given members. `undefined` omits a claim. */
  token(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export async function signingIssuer(port = 0): Promise<SigningIssuer> {
  const server = createServer((request, response) => {
    issuer.asked.push(request.url ?? '');
    if (issuer.failing === 'hang') return;
    response.setHeader('content-type', 'application/json');
    if (issuer.failing === 'status') response.writeHead(500).end('{}');
    else if (request.url === DISCOVERY) {
      const jwksUri = `${url}${issuer.keysPath}`;
      response.end(JSON.stringify({ issuer: url, jwks_uri: jwksUri, ...issuer.discovery }));
    } else {
      const isCurrent = request.url === issuer.keysPath;
      const keys = isCurrent ? issuer.published : issuer.formerKeys.get(request.url ?? '');
      response.writeHead(keys ? 200 : 404).end(JSON.stringify({ keys }));
    }
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = await drawKey();
  const issuer: SigningIssuer = {
    url,
    key,
    published: [key.publicJwk],
    keysPath: '/keys',
    formerKeys: new Map(),
    discovery: {},
    failing: 'no',
    asked: [],
    token: (claims = {}, header = {}) => {
      const nowS = Math.floor(Date.now() / 1_000);
      const payload = {
        iss: url,
        aud: 'atrium',
        sub: 'ana',
        iat: nowS,
        exp: nowS + 300,
        organization: 'acme',
        realm_access: { roles: ['agent'] },
        ...claims,
      };
      return new SignJWT(payload)
        .setProtectedHeader({
          alg: 'RS256',
          typ: 'at+jwt',
          ...(issuer.key.publicJwk.kid && { kid: issuer.key.publicJwk.kid }),
          ...header,
        })
        .sign(issuer.key.privateKey);
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return issuer;
}

/** Calls an `https:` issuer over plain HTTP: the rules of production, without a certificate. */
export const asPlain: typeof globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  url.protocol = 'http:';
  return fetch(url, init);
};
