/**
 * A foreign OpenID Connect issuer: `oidc-provider` with its own configuration, in a separate
 * process. The actions of a person in its pages, and the faults of a test, are posted to
 * `/control/…`.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

interface Settings {
  /** Seconds. */
  readonly accessTokenS: number;
  readonly deviceCodeS: number;
  /** Polls to answer with `slow_down`. */
  readonly slowDowns: number;
}

/** A request as parsed by the library. */
interface Asked {
  readonly params?: Readonly<Record<string, unknown>>;
}

let settings: Settings = { accessTokenS: 3_600, deviceCodeS: 600, slowDowns: 0 };
const refreshTokens = new Set<string>();
/** The requests to the token endpoint, with their times. */
const asked: { readonly grant: string; readonly answer: string; readonly atMs: number }[] = [];

const server = createServer();
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'atrium-cli',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: [DEVICE_GRANT, 'refresh_token'],
      response_types: [],
      redirect_uris: [],
    },
  ],
  scopes: ['openid', 'offline_access', 'organization'],
  ttl: {
    AccessToken: () => settings.accessTokenS,
    DeviceCode: () => settings.deviceCodeS,
    RefreshToken: 86_400,
    Grant: 86_400,
  },
  rotateRefreshToken: true,
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  extraTokenClaims: () => ({
    typ: 'Bearer',
    name: 'Ana Demir',
    realm_access: { roles: ['manager'] },
    organization: ['acme'],
  }),
  features: {
    devInteractions: { enabled: false },
    deviceFlow: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'urn:atrium:elsewhere',
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: '', audience: 'atrium', accessTokenFormat: 'jwt' }),
    },
  },
});

provider.use(async (ctx, next) => {
  await next();
  const body = ctx.body as Record<string, unknown>;
  if (ctx.path === '/device/auth') {
    // The command is given a longer lifetime of the code than the issuer keeps.
    Object.assign(body, { interval: 0.1, expires_in: 600 });
  }
  if (ctx.path !== '/token') return;
  const grant = String((ctx['oidc'] as Asked).params?.['grant_type']);
  if (grant === DEVICE_GRANT && settings.slowDowns > 0) {
    settings = { ...settings, slowDowns: settings.slowDowns - 1 };
    ctx.status = 400;
    ctx.body = { error: 'slow_down' };
  }
  const answer = (ctx.body as { readonly error?: string }).error ?? 'token';
  asked.push({ grant: grant === DEVICE_GRANT ? 'device' : grant, answer, atMs: performance.now() });
  const { refresh_token: refreshToken } = body;
  if (typeof refreshToken === 'string') refreshTokens.add(refreshToken);
});

const deviceCodeOf = async (userCode: string) => {
  const typed = userCode.replaceAll(/[^A-Z]/g, '');
  const code = await provider.DeviceCode.findByUserCode(typed, { ignoreExpiration: true });
  if (!code) throw new Error(`no device shows ${userCode}`);
  return code;
};

const control: Readonly<Record<string, (body: never) => unknown>> = {
  set: (changed: Partial<Settings>) => void (settings = { ...settings, ...changed }),
  forget: () => void asked.splice(0),
  asked: () => asked,
  async approve({ userCode }: { readonly userCode: string }) {
    const code = await deviceCodeOf(userCode);
    const grant = new provider.Grant({ accountId: 'ana', clientId: 'atrium-cli' });
    grant.addOIDCScope('openid offline_access organization');
    Object.assign(code, {
      accountId: 'ana',
      authTime: Math.floor(Date.now() / 1_000),
      grantId: await grant.save(),
      scope: String(code.params?.['scope']),
      resource: 'urn:atrium:elsewhere',
    });
    await code.save();
  },
  async deny({ userCode }: { readonly userCode: string }) {
    const code = await deviceCodeOf(userCode);
    Object.assign(code, { error: 'access_denied' });
    await code.save();
  },
  async revoke() {
    for (const token of refreshTokens) await (await provider.RefreshToken.find(token))?.destroy();
  },
};

const controlled = async (name: string, request: IncomingMessage): Promise<unknown> =>
  (await control[name]!((await json(request)) as never)) ?? null;

const library = provider.callback();
server.on('request', (request, response) => {
  const name = /^\/control\/(\w+)$/.exec(request.url ?? '')?.[1];
  if (name === undefined) return void library(request, response);
  controlled(name, request).then(
    (answer) => response.end(JSON.stringify(answer)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
process.stdout.write(`${issuer}\n`);
