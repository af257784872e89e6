/** HEAD is served wherever GET is: the headers of the GET, and no body. contract.md section 1. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIVE_PATH } from '../../../src/api/http/upgrades.ts';
import document from '../../../openapi.json' with { type: 'json' };
import { directoryStores } from '../../../src/files/directory-store.ts';
import type { FileStore } from '../../../src/files/file-store.ts';
import { formHeaders, formOf } from '../../support/api/form.ts';
import { temporaryFiles } from '../../support/files.ts';
import { testApi } from '../../support/api/api.ts';
import type { TestPlatform } from '../../support/api/platform.ts';

const REQUESTS = '/api/service-desk/requests';
/** Each GET is asked as the first of them who may read. */
const CALLERS = ['manager', 'agent', 'auditor'].map((role) => `${role}@acme.test`);
const OPERATOR = 'operator@atrium.test';

const gets = new Set<string>();
/** Sees every route that is registered after it, in the whole server. */
const seeingRoutes = Object.assign(
  async (app: TestPlatform['app']) => {
    app.addHook('onRoute', ({ method, url }) => {
      if ([method].flat().includes('GET')) gets.add(url);
    });
  },
  { [Symbol.for('skip-override')]: true },
);

const root = temporaryFiles().path('files');
/** SHA-256 digests of the files that were opened. */
const opened: string[] = [];
const countedFiles = (): FileStore => {
  const files = directoryStores(root).of('main');
  const open: FileStore['open'] = (file, range) => {
    opened.push(file.sha256);
    return files.open(file, range);
  };
  return { ...files, open };
};

const platform = testApi(() => ({
  files: countedFiles(),
  timeTravel: true,
  livePage: true,
  portal: { issuer: 'http://issuer.test', sandboxUrl: 'http://*.sandbox.test' },
  mount: seeingRoutes,
}));
const named: Record<string, string> = {};

beforeAll(async () => {
  named['buildingId'] = await platform.importBuilding();
  const ask = { buildingId: named['buildingId'], description: 'x' };
  const agent = platform.as('agent@acme.test');
  named['id'] = (await agent.post(REQUESTS, ask)).body.id;
  const form = formOf({ name: 'file', fileName: 'a.txt', content: 'leak' });
  const { body } = await agent.post(`${REQUESTS}/${named['id']}/attachments`, form, formHeaders);
  named['attachmentId'] = body.attachmentId;
});

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
}

const answered = async (
  method: 'GET' | 'HEAD',
  path: string,
  {
    email = 'agent@acme.test',
    accept = '*/*',
    encoding = 'identity',
    range = null as string | null,
  } = {},
): Promise<Answered> => {
  const authorization = `Bearer ${await platform.issuer.tokenOf(email)}`;
  return new Promise((resolve, reject) => {
    const headers = {
      authorization,
      accept,
      'accept-encoding': encoding,
      ...(range !== null && { range }),
    };
    const request = httpRequest(`${platform.address}${path}`, { method, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, bytes }),
      );
    });
    request.on('error', reject).end();
  });
};

/** Figures of a running platform, whose length differs from one moment to the next. */
const isMeasured = (path: string) =>
  path === '/metrics' || path.startsWith('/api/v1/operations') || path === '/health/ready';

/** Without headers that differ between two GETs, or with and without a body. */
const comparable = (path: string, { status, headers }: Answered) => {
  const { date: _, 'x-request-id': __, 'transfer-encoding': ___, ...rest } = headers;
  const name = (rest['content-disposition'] ?? '').replace(/\d{8}T\d{6}Z/, 'TIME');
  // Node itself gives an empty stream a length; RFC 9110 lets a HEAD leave it out.
  const length = isMeasured(path) || name !== '' ? 'varies' : rest['content-length'];
  // Each answer has a nonce of its own.
  const policy = String(rest['content-security-policy']).replace(/'nonce-[^']+'/, "'nonce'");
  return {
    path,
    status,
    ...rest,
    ...attempt(rest),
    'content-security-policy': policy,
    'content-disposition': name,
    'content-length': length,
  };
};

/** Each sign-in is an attempt of its own: its secrets are left out of the way to the issuer. */
const attempt = ({ location, 'set-cookie': cookies }: IncomingHttpHeaders) => ({
  ...(location !== undefined && {
    location: location.replaceAll(/\b(state|nonce|code_challenge)=[^&]+/g, '$1'),
  }),
  ...(cookies !== undefined && {
    'set-cookie': cookies.map((cookie) => cookie.replace(/sign-in-[\w-]+=[^;]+/, 'sign-in')),
  }),
});

const agrees = async (path: string, options: Parameters<typeof answered>[2]) => {
  const get = await answered('GET', path, options);
  const head = await answered('HEAD', path, options);
  expect(comparable(path, head)).toEqual(comparable(path, get));
  expect(head.bytes).toBe(0);
};

describe('HEAD', () => {
  it('is answered as GET is, on every route of the document and every page', async () => {
    for (const [url, methods] of Object.entries(document.paths))
      if ('get' in methods) gets.add(url);
    const paths = [...gets]
      .filter((url) => !url.startsWith(LIVE_PATH))
      .map((url) => url.replaceAll(/:(\w+)|\{(\w+)\}/g, (_, a, b) => named[a ?? b] ?? 'unknown'));
    const read = new Set<string>();
    for (const path of new Set(paths)) {
      const email = path.startsWith('/api/v1/operations') ? OPERATOR : CALLERS[0];
      let asked = { email: email! };
      let { status } = await answered('GET', path, asked);
      for (const one of status === 403 ? CALLERS.slice(1) : []) {
        asked = { email: one };
        ({ status } = await answered('GET', path, asked));
        if (status === 200) break;
      }
      if (status === 200) read.add(path);
      await agrees(path, asked);
    }
    expect(read).toContain(`${REQUESTS}/export`);
    expect(read).toContain('/api/v1/keys/audit');
    expect(read).toContain('/docs/js/scalar.js');
    expect(read).toContain(`${REQUESTS}/${named['id']}/attachments/${named['attachmentId']}`);
    expect(read.size).toBeGreaterThan(30);
  });

  it('of an attachment opens no file, and has no ranges', async () => {
    const path = `${REQUESTS}/${named['id']}/attachments/${named['attachmentId']}`;
    const before = opened.length;
    const { status, headers } = await answered('HEAD', path, { range: 'bytes=0-1' });
    expect([status, headers['content-length'], headers['content-range']]).toEqual([
      200,
      '4',
      undefined,
    ]);
    expect(opened).toHaveLength(before);
  });

  it.each([
    ['application/x-ndjson', 'identity'],
    ['text/csv', 'gzip'],
  ])('of an export as %s in %s has the headers of the file', async (accept, encoding) => {
    for (const [path, email] of [
      [`${REQUESTS}/export`, 'agent@acme.test'],
      ['/api/v1/keys/audit', 'auditor@acme.test'],
    ] as const) {
      const { headers } = await answered('HEAD', path, { accept, email, encoding });
      expect(headers['content-disposition']).toMatch(/^attachment; filename="/);
      await agrees(path, { accept, email, encoding });
    }
  });
});
