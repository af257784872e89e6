/** A server and a browser for the specs of the portal's pages, and tickets to work on. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { temporaryDirectory } from '../directory.ts';
import { freshDatabase } from '../postgres/database.ts';
import type { ServerProcess } from '../servers/server.ts';
import { servers } from '../servers/servers.ts';
import { launchChromium } from './chromium.ts';
import { openPortal, type OpenPortal } from './portal.ts';

export interface PortalServer {
  readonly server: () => ServerProcess;
  /** A window of its own, signed in. It is closed with the browser. */
  readonly open: (email: string, options?: BrowserContextOptions) => Promise<OpenPortal>;
  /** Raises a ticket as the agent. */
  readonly raise: (body?: object) => Promise<RaisedTicket>;
  /** The ticket as the server has it now. */
  readonly ticket: (id: string) => Promise<RaisedTicket>;
  /** A command on a ticket by another person of the organisation. */
  readonly colleague: (method: string, id: string, body: object, route?: string) => Promise<void>;
}

/** A ticket as the API answers it. */
export interface RaisedTicket {
  readonly id: string;
  readonly number: string;
  readonly revision: number;
  readonly [member: string]: unknown;
}

const REQUESTS = '/api/service-desk/requests';

/** Started before the specs of the file, and released after them. */
export const portalServer = (): PortalServer => {
  const running = servers();
  let server: ServerProcess;
  let browser: Browser;
  let buildingId: string;

  beforeAll(async () => {
    const { url } = await freshDatabase();
    server = await running.start({ DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('portal') });
    browser = await launchChromium();
    const buildings = await server.call('agent@acme.test', 'GET', '/api/v1/buildings');
    buildingId = buildings.body.items[0].id;
  });
  afterAll(async () => {
    await browser?.close();
    await running.release();
  });

  const answered = async (email: string, method: string, path: string, body?: object) => {
    const answer = await server.call(email, method, path, body ? { body } : {});
    if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    server: () => server,
    open: (email, options) => openPortal(browser, server, email, options),
    raise: (body) =>
      answered('agent@acme.test', 'POST', REQUESTS, {
        buildingId,
        subject: 'Tap drips',
        description: 'In the kitchen.',
        ...body,
      }),
    ticket: (id) => answered('agent@acme.test', 'GET', `${REQUESTS}/${id}`),
    async colleague(method, id, body, route = '') {
      await answered('manager@acme.test', method, `${REQUESTS}/${id}${route}`, body);
    },
  };
};
