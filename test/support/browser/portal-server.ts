/** A server and a browser for the specs of the portal's pages, and tickets to work on. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { temporaryDirectory } from '../directory.ts';
import { freshDatabase } from '../postgres/database.ts';
import type { Reply, ServerProcess } from '../servers/server.ts';
import { servers } from '../servers/servers.ts';
import { launchChromium } from './chromium.ts';
import { openPortal, type OpenPortal } from './portal.ts';

export interface PortalServer {
  readonly server: () => ServerProcess;
  readonly browser: () => Browser;
  readonly databaseUrl: () => string;
  /** Starts the server again after it has ended, at the same address and on the same data. */
  readonly restart: () => Promise<void>;
  /**
   * A window of its own, signed in. It is closed with the browser.
   *
   * @param email `null`: not signed in.
   */
  readonly open: (email: string | null, options?: BrowserContextOptions) => Promise<OpenPortal>;
  /** In a new window, which must have no complaints, call no other server, and is closed. */
  readonly as: (
    email: string | null,
    use: (portal: OpenPortal) => Promise<void>,
    options?: BrowserContextOptions,
  ) => Promise<void>;
  /** The body of a successful answer. Lists include a command once it has been answered. */
  readonly call: (
    email: string,
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<Reply['body']>;
  /** Raises a ticket as the agent. */
  readonly raise: (body?: object) => Promise<RaisedTicket>;
  /** The current ticket of the server. */
  readonly ticket: (id: string) => Promise<RaisedTicket>;
  /** A command on a ticket by another person of the organisation. */
  readonly colleague: (method: string, id: string, body: object, route?: string) => Promise<void>;
}

/** A ticket in the API's answers. */
export interface RaisedTicket {
  readonly id: string;
  readonly number: string;
  readonly revision: number;
  readonly [member: string]: unknown;
}

const REQUESTS = '/api/service-desk/requests';
/** Queries both the list of tickets and their search. */
const SEARCH = `${REQUESTS}?search=shown&limit=1`;

/**
 * Started before the specs of the file, and released after them.
 *
 * @param environment Of the server, beside its database and its directory.
 */
export const portalServer = (environment: Readonly<Record<string, string>> = {}): PortalServer => {
  const running = servers();
  let server: ServerProcess;
  let browser: Browser;
  let databaseUrl: string;
  let settings: Readonly<Record<string, string>>;
  let buildingId: string;

  const call: PortalServer['call'] = async (email, method, path, body) => {
    const answer = await server.call(email, method, path, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    // Pages read lists without the position of this command.
    if (method !== 'GET' && path.startsWith(REQUESTS))
      await server.call('agent@acme.test', 'GET', SEARCH);
    return answer.body;
  };

  beforeAll(async () => {
    databaseUrl = (await freshDatabase()).url;
    settings = {
      DATABASE_URL: databaseUrl,
      ATRIUM_DATA: temporaryDirectory('portal'),
      ...environment,
    };
    server = await running.start(settings);
    browser = await launchChromium();
    const buildings = await call('agent@acme.test', 'GET', '/api/v1/buildings');
    buildingId = buildings.items[0].id;
  });
  afterAll(async () => {
    await browser?.close();
    await running.release();
  });

  const open: PortalServer['open'] = (email, options) =>
    openPortal(browser, server, email, options);
  return {
    server: () => server,
    browser: () => browser,
    databaseUrl: () => databaseUrl,
    async restart() {
      server = await running.start({ ...settings, PORT: new URL(server.url).port });
    },
    open,
    async as(email, use, options) {
      const portal = await open(email, options);
      await use(portal);
      expect(portal.complaints).toEqual([]);
      expect([...portal.origins]).toEqual([server.url]);
      await portal.page.context().close();
    },
    call,
    raise: (body) =>
      call('agent@acme.test', 'POST', REQUESTS, {
        buildingId,
        subject: 'Tap drips',
        description: 'In the kitchen.',
        ...body,
      }),
    ticket: (id) => call('agent@acme.test', 'GET', `${REQUESTS}/${id}`),
    async colleague(method, id, body, route = '') {
      await call('manager@acme.test', method, `${REQUESTS}/${id}${route}`, body);
    },
  };
};
