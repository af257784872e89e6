/** The client, against the API as it is and a server that fails as servers do. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import createClient from 'openapi-fetch';
import { beforeAll, describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import {
  AtriumError,
  createAtrium,
  type Atrium,
  type components,
  type paths,
} from '../../packages/sdk/src/index.ts';
import { GOES_ON_AFTER } from '../../packages/sdk/src/lists.ts';
import document from '../../openapi.json' with { type: 'json' };
import { testApi } from '../support/api/api.ts';

const REQUESTS = '/api/service-desk/requests';
const platform = testApi();
let buildingId: string;

const atriumOf = (email: string) =>
  createAtrium({ url: platform.address, token: () => platform.issuer.tokenOf(email) });

beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

describe('a client that openapi-typescript has generated', () => {
  it('raises a ticket, and asks for five by a number', async () => {
    const client = createClient<paths>({
      baseUrl: platform.address,
      headers: { authorization: `Bearer ${await platform.issuer.tokenOf('agent@acme.test')}` },
    });
    const raised = await client.POST(REQUESTS, {
      body: { buildingId, description: 'The lamp flickers.', priority: 'low' },
    });
    expectTypeOf(raised.data!.number).toEqualTypeOf<string>();
    expect(raised.data?.number).toMatch(/^SR-\d{6,}$/);
    const listed = await client.GET(REQUESTS, { params: { query: { limit: 5, state: ['new'] } } });
    expect(listed.data?.limit).toBe(5);
    expect(listed.data?.items.map(({ id }) => id)).toContain(raised.data!.id);
    // @ts-expect-error a state that there is not
    await client.GET(REQUESTS, { params: { query: { state: ['open'] } } });
  });
});

describe('the SDK', () => {
  it('returns the body, and throws a problem as an error typed by its code', async () => {
    const atrium = atriumOf('agent@acme.test');
    const { data } = await atrium.POST(REQUESTS, { body: { buildingId, description: 'x' } });
    const path = `${REQUESTS}/{id}/transition` as const;
    const moved = atrium.POST(path, {
      params: { path: { id: data.id } },
      body: { state: 'closed' },
    });
    const error = await moved.catch((reason: unknown) => reason);
    if (!AtriumError.is(error, 'TRANSITION_NOT_ALLOWED')) throw error;
    expectTypeOf(error.problem.from).toEqualTypeOf<(typeof data)['state']>();
    expect(error.problem).toMatchObject({ from: 'new', to: 'closed' });
    expect(error.problem.allowed).toEqual(['triaged', 'cancelled']);
    expect([error.status, error.requestId]).toEqual([
      400,
      error.response.headers.get('x-request-id'),
    ]);
    expect(AtriumError.is(error, 'NOT_FOUND')).toBe(false);
  });

  it('types `data` as there, after a call that did not throw', () => {
    type Ticket = components['schemas']['Ticket'];
    const calls = (atrium: Atrium) => {
      const params = { path: { id: 'x' } };
      return {
        raised: () => atrium.POST(REQUESTS, { body: { buildingId, description: 'x' } }),
        read: () => atrium.GET(`${REQUESTS}/{id}`, { params }),
        readIfChanged: () =>
          atrium.GET(`${REQUESTS}/{id}`, {
            params: { ...params, header: { 'If-None-Match': '"1"' } },
          }),
        revoked: () => atrium.DELETE('/api/v1/keys/{keyId}', { params: { path: { keyId: 'x' } } }),
        streamed: () => atrium.GET(`${REQUESTS}/export`, { parseAs: 'stream' }),
      };
    };
    type Data<Name extends keyof ReturnType<typeof calls>> = Awaited<
      ReturnType<ReturnType<typeof calls>[Name]>
    >['data'];
    expectTypeOf<Data<'raised'>>().toEqualTypeOf<Ticket>();
    expectTypeOf<Data<'read'>>().toEqualTypeOf<Ticket>();
    expectTypeOf<Data<'readIfChanged'>>().toEqualTypeOf<Ticket | undefined>();
    expectTypeOf<Data<'revoked'>>().toEqualTypeOf<undefined>();
    expectTypeOf<Data<'streamed'>>().toEqualTypeOf<Response['body']>();
  });

  it('walks a list to its end, however it is paged', async () => {
    const atrium = atriumOf('manager@acme.test');
    const of = async <Item>(items: AsyncIterable<Item>) => await Array.fromAsync(items);
    for (let index = 0; index < 5; index += 1)
      await atrium.POST(REQUESTS, {
        body: { buildingId, description: `${index}`, category: 'walk', metadata: { walk: 'w' } },
      });
    const byPage = await of(
      atrium.items(REQUESTS, { params: { query: { limit: 2, category: ['walk'] } } }),
    );
    const byCursor = await of(
      atrium.items(`${REQUESTS}/lookup`, {
        params: { query: { key: 'walk', value: 'w', limit: 2 } },
      }),
    );
    expect(byPage.map(({ description }) => description)).toEqual(['4', '3', '2', '1', '0']);
    expect(byCursor.map(({ id }) => id)).toEqual(byPage.map(({ id }) => id));

    const spaces = `/api/v1/buildings/{buildingId}/spaces` as const;
    const params = { path: { buildingId } };
    const few = await of(atrium.items(spaces, { params: { ...params, query: { limit: 3 } } }));
    const all = await of(atrium.items(spaces, { params }));
    expect(few.length).toBeGreaterThan(6);
    expect(few.map(({ code }) => code)).toEqual(all.map(({ code }) => code));
  });

  it('continues by `after` without a `cursor`, and ends when it does not advance', async () => {
    const atrium = atriumOf('agent@acme.test');
    const { data } = await atrium.POST(REQUESTS, { body: { buildingId, description: 'long' } });
    const path = { id: data.id };
    for (const body of ['1', '2', '3'])
      await atrium.POST(`${REQUESTS}/{id}/updates`, { params: { path }, body: { body } });
    const params = { path, query: { limit: 2 } };
    const notes = await Array.fromAsync(atrium.items(`${REQUESTS}/{id}/updates`, { params }));
    expect(notes.map(({ body }) => body)).toEqual(['1', '2', '3']);

    const changes = atrium.items('/api/service-desk/changes', { params: { query: { limit: 3 } } });
    const ids = (await Array.fromAsync(changes)).map(({ ticketId }) => ticketId);
    expect(ids.filter((id) => id === data.id)).toHaveLength(4);
  });

  it('uses the right one of the two for each list', () => {
    const parameters = (path: string): readonly { name?: string }[] =>
      (document.paths as Record<string, { get?: { parameters: { name?: string }[] } }>)[path]?.get
        ?.parameters ?? [];
    const byAfter = Object.keys(document.paths).filter((path) => {
      const names = new Set(parameters(path).map(({ name }) => name));
      return names.has('after') && !names.has('cursor');
    });
    expect(new Set<string>(GOES_ON_AFTER)).toEqual(new Set(byAfter));
  });

  it('reads the change feed from a cursor on, and ends where it does not follow', async () => {
    const atrium = atriumOf('agent@acme.test');
    const read = async (after: string | null) => {
      let cursor = after;
      const seen: string[] = [];
      for await (const page of atrium.changes({ after, follow: false, limit: 2 })) {
        seen.push(...page.items.map(({ ticketId }) => ticketId));
        ({ cursor } = page);
      }
      return { cursor, seen };
    };
    const before = await read(null);
    expect(before.seen.length).toBeGreaterThan(2);
    const { data } = await atrium.POST(REQUESTS, { body: { buildingId, description: 'new' } });
    expect((await read(before.cursor)).seen).toEqual([data.id]);
  });

  it('follows the change feed until its signal ends it', async () => {
    const atrium = atriumOf('agent@acme.test');
    const ended = new AbortController();
    const seen: string[] = [];
    const before = await Array.fromAsync(atrium.changes({ follow: false }));
    const following = (async () => {
      const after = before.at(-1)?.cursor ?? null;
      for await (const { items } of atrium.changes({ after, signal: ended.signal })) {
        seen.push(...items.map(({ ticketId }) => ticketId));
        ended.abort();
      }
    })();
    const { data } = await atrium.POST(REQUESTS, { body: { buildingId, description: 'live' } });
    await following;
    expect(seen).toEqual([data.id]);
  });

  it('reads the audit of keys in the order of the log', async () => {
    const { POST } = atriumOf('manager@acme.test');
    for (const label of ['a', 'b']) await POST('/api/v1/keys', { body: { label } });
    const pages = atriumOf('auditor@acme.test').audit({ follow: false, limit: 1 });
    const labels = (await Array.fromAsync(pages)).flatMap(({ items }) =>
      items.map(({ label }) => label),
    );
    expect(labels).toEqual(['a', 'b']);
  });
});

describe('a request that fails', () => {
  /** Status, headers and body; without a body, it is a problem. */
  type Answer = readonly [status: number, headers?: object, body?: object];
  /** Answers each request with the next of these; `null` breaks the connection. */
  const failing = async (...answers: readonly (Answer | null)[]) => {
    const requests: IncomingMessage[] = [];
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      const answer = answers[requests.push(request) - 1];
      if (!answer) return void request.socket.destroy();
      const [status, headers = {}, own = null] = answer;
      const problem = { code: 'UNAVAILABLE', status, title: 'no', requestId: 'r', id: 'x' };
      request.resume();
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(own ?? problem));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return { requests, url: `http://127.0.0.1:${port}`, token: 't' };
  };
  const body = { buildingId: '6a712747-b16d-562d-8b11-4e04afc2f571', description: 'x' };
  const now = { 'retry-after': '0' };

  it('is sent again under one Idempotency-Key, until it is answered', async () => {
    const server = await failing([503, now], null, [429, now], [201]);
    const { data } = await createAtrium(server).POST(REQUESTS, { body });
    expect(data.id).toBe('x');
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is sent no more often than it may, and then is the last answer', async () => {
    const server = await failing([503, now], [503, now], [503, now]);
    const asked = createAtrium({ ...server, retries: 2 }).GET(REQUESTS);
    await expect(asked).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    expect(server.requests).toHaveLength(3);
  });

  it('is not sent again where another attempt changes nothing', async () => {
    const server = await failing([500]);
    await expect(createAtrium(server).GET(REQUESTS)).rejects.toMatchObject({ status: 500 });
    expect(server.requests).toHaveLength(1);
  });

  it('is not retried when Retry-After exceeds its deadline', async () => {
    const inAWeek = new Date(Date.now() + 7 * 86_400_000).toUTCString();
    for (const later of ['604800', inAWeek]) {
      const server = await failing([429, { 'retry-after': later }], [200]);
      await expect(createAtrium(server).GET(REQUESTS)).rejects.toMatchObject({ status: 429 });
      expect(server.requests).toHaveLength(1);
    }
  });

  it('is not sent again after a 429 without Retry-After: a quota is used up', async () => {
    const server = await failing([429], [201]);
    const asked = createAtrium(server).POST(REQUESTS, { body });
    await expect(asked).rejects.toMatchObject({ status: 429 });
    expect(server.requests).toHaveLength(1);
  });

  it('is sent again at the date that the answer says', async () => {
    // A date has whole seconds.
    const at = Math.ceil(Date.now() / 1_000 + 1) * 1_000;
    const server = await failing([429, { 'retry-after': new Date(at).toUTCString() }], [200]);
    await createAtrium(server).GET(REQUESTS);
    expect(server.requests).toHaveLength(2);
    expect(Date.now()).toBeGreaterThanOrEqual(at);
  });

  it('is classified by the status of the answer, with any body from a proxy', async () => {
    for (const own of [{ code: 'x' }, { code: 'x', status: 200, title: 'y' }, { code: 1 }]) {
      const server = await failing([503, now, own]);
      const asked = createAtrium({ ...server, retries: 0 }).GET(REQUESTS);
      await expect(asked).rejects.toMatchObject({
        status: 503,
        code: 'UNAVAILABLE',
        requestId: '',
        problem: { status: 503 },
      });
    }
  });

  it('is retried by a follower of a feed, with any body from a proxy', async () => {
    const page = { items: [{ ticketId: 'x' }], nextCursor: '1' };
    const server = await failing([503, now, { code: 'x' }], [200, {}, page]);
    for await (const { items } of createAtrium({ ...server, retries: 0 }).changes()) {
      expect(items).toEqual(page.items);
      break;
    }
    expect(server.requests).toHaveLength(2);
  });

  it('does not treat an empty page as the end of a feed that is not caught up', async () => {
    const item = { ticketId: 'x' };
    const behind = { items: [], nextCursor: '0', caughtUp: false };
    const end = { items: [item], nextCursor: '1', caughtUp: true };
    const read = async (
      from: (atrium: ReturnType<typeof createAtrium>) => AsyncIterable<unknown>,
    ) => {
      const server = await failing([200, {}, behind], [200, {}, end]);
      const found = await Array.fromAsync(from(createAtrium({ ...server, retries: 0 })));
      expect(server.requests).toHaveLength(2);
      return found;
    };
    expect(await read((atrium) => atrium.changes({ follow: false }))).toMatchObject([
      { items: [item], cursor: '1' },
    ]);
    expect(await read((atrium) => atrium.items('/api/service-desk/changes'))).toEqual([item]);
  });

  it('ends before a change that cannot be shown, where it does not follow', async () => {
    const blocked = { ticketId: 'x', since: '2026-03-02T12:00:00.000Z' };
    const page = { items: [], nextCursor: '0', caughtUp: false, blocked };
    const first = await failing([200, {}, page]);
    const changes = createAtrium({ ...first, retries: 0 }).changes({ follow: false });
    expect(await Array.fromAsync(changes)).toEqual([]);
    const second = await failing([200, {}, page]);
    const listed = createAtrium({ ...second, retries: 0 }).items('/api/service-desk/changes');
    expect(await Array.fromAsync(listed)).toEqual([]);
  });

  it("goes through a key's history, whose answer has one of two forms", async () => {
    const page = { items: [{ eventId: 'e' }], nextCursor: null };
    const server = await failing([200, {}, page]);
    const history = createAtrium(server).items('/api/v1/keys/{keyId}/history', {
      params: { path: { keyId: 'k' } },
    });
    expect(await Array.fromAsync(history)).toEqual(page.items);
  });

  it("keeps the caller's own Idempotency-Key", async () => {
    const server = await failing([201]);
    const headers = { 'Idempotency-Key': 'order-17' };
    await createAtrium(server).POST(REQUESTS, { body, headers });
    expect(server.requests[0]?.headers['idempotency-key']).toBe('order-17');
  });
});
