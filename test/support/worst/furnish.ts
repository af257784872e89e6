/** Creates the resources of an organisation before the requests. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { demoBuilding } from '../../../src/demo/building.ts';
import { FREE_FORM_MEMBERS_MAX } from '../../../src/limits.ts';
import { until } from '../until.ts';
import { drawnBuilding, largeBuilding } from './building-requests.ts';
import { FORM_TYPE, formWithFile, formWithPhoto } from './files.ts';
import type { MeasuredServer } from './server.ts';
import { smallSandbox, type Known } from './taken.ts';

/** The number of resources. */
export interface Size {
  /** Tickets of the maximum size. */
  readonly tickets: number;
  /** Tickets of the longest texts, imported in one request. */
  readonly importedTickets: number;
  /** Notes of one ticket, each of the maximum length. */
  readonly notes: number;
  /** Spaces of one building, each with an element and a point. */
  readonly spaces: number;
}

/** The resources of one organisation, to which its requests refer. */
export interface Furnished extends Known {
  /** Of many spaces. */
  readonly largeBuildingId: string;
  readonly largePointIds: readonly string[];
  /** Of the sandbox. */
  readonly sandboxHost: string | null;
}

const REQUESTS = '/api/service-desk/requests';
const SANDBOXES = '/api/v1/sandboxes';
const BUILDINGS = '/api/v1/buildings';
const PAGE = 1_000;
const FILE_BYTES = 1_000;

// oxlint-disable-next-line typescript/no-explicit-any -- whoever asks knows what it is
type Body = any;

type Ask = (role: string, method: string, path: string, body?: object) => Promise<Body>;

/** A log that had events before the server is not raised, and none can be asked for there. */
const requestedErasure = async (server: MeasuredServer, of: string): Promise<string> => {
  const { status, text } = await server.call(of, {
    method: 'POST',
    path: '/api/v1/erasures',
    role: 'manager',
    body: () => JSON.stringify({ subject: { userId: 'e' }, texts: 'keep', reason: 'r' }),
  });
  if (status !== 202 && status !== 409) throw new Error(`an erasure: ${status} ${text}`);
  return status === 202 ? JSON.parse(text).erasureId : randomUUID();
};

/** @param hasSandbox The others have no time for it. */
export const furnished = async (
  server: MeasuredServer,
  of: string,
  size: Size,
  receiver: string,
  hasSandbox: boolean,
): Promise<Furnished> => {
  const ask: Ask = async (role, method, path, body) => {
    const sent = body === undefined ? undefined : () => JSON.stringify(body);
    const { status, text } = await server.call(of, { method, path, role, body: sent });
    if (status >= 300) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  };
  const post = (path: string, body: object) => ask('manager', 'POST', path, body);
  const items = async (path: string): Promise<Body[]> => (await ask('manager', 'GET', path)).items;

  const { buildingId } = await post(`${BUILDINGS}/import`, demoBuilding());
  const [storey] = await items(`${BUILDINGS}/${buildingId}/storeys`);
  const points = await items(`${BUILDINGS}/${buildingId}/points`);
  const { id: pointId, elementId } = points.find(({ valueType }) => valueType === 'number');
  const { ruleId } = await post(`${BUILDINGS}/${buildingId}/diagnostic-rules`, {
    title: 'high',
    severity: 'major',
    comparison: 'gt',
    threshold: 1e9,
    pointId,
  });

  const faultId = await openFault(ask, buildingId, pointId);

  const large = await post(`${BUILDINGS}/import`, largeBuilding(size.spaces));
  const drawn = await post(`${BUILDINGS}/import`, drawnBuilding(size.spaces));
  const [drawnStorey] = await items(`${BUILDINGS}/${drawn.buildingId}/storeys`);
  const [drawnSpace] = await items(`${BUILDINGS}/${drawn.buildingId}/spaces?limit=1`);
  const pages = Array.from({ length: Math.ceil(size.spaces / PAGE) }, (_, at) =>
    items(`${BUILDINGS}/${large.buildingId}/points?limit=${PAGE}&offset=${at * PAGE}`),
  );

  const full = Object.fromEntries(
    Array.from({ length: FREE_FORM_MEMBERS_MAX }, (_, at) => [`m${at}`, at === 0 ? '1' : 1]),
  );
  const ticket = { buildingId, description: `aab ${'漢'.repeat(19_990)}`, metadata: full };
  const raised = Array.from({ length: size.tickets }, () => ({ ...ticket, formData: full }));
  const ticketIds = (await severalAtOnce(raised, (body) => post(REQUESTS, body))).map(
    ({ id }) => id as string,
  );
  const ticketId = ticketIds.pop()!;
  const attach = async (form: Buffer): Promise<string> => {
    const { status, text } = await server.call(of, {
      method: 'POST',
      path: `${REQUESTS}/${ticketId}/attachments`,
      role: 'manager',
      body: () => form,
      headers: { 'content-type': FORM_TYPE },
    });
    if (status !== 201) throw new Error(`an attachment: ${status} ${text.slice(0, 500)}`);
    return JSON.parse(text).attachmentId;
  };
  const attachmentIds = [
    await attach(await formWithPhoto()),
    await attach(formWithFile(FILE_BYTES)),
  ] as const;
  const note = { body: '漢'.repeat(20_000), visibility: 'public' };
  await severalAtOnce(
    Array.from({ length: size.notes }, () => note),
    (body) => post(`${REQUESTS}/${ticketId}/updates`, body),
  );
  const { keyId } = await post('/api/v1/keys', { label: 'k', scope: 'full' });
  const events = ['building.point.updated', 'building.alarm.triggered'];
  const { webhookId } = await post('/api/v1/webhooks', { url: receiver, events });
  const { viewId } = await post('/api/service-desk/views', { name: 'v' });
  const erasureId = await requestedErasure(server, of);
  const sandbox = hasSandbox ? await readySandbox(ask) : null;
  return {
    organisation: of,
    buildingId,
    storeyId: storey.id,
    pointId,
    elementId,
    ticketId,
    attachmentIds,
    ticketIds,
    keyId,
    ruleId,
    faultId,
    webhookId,
    viewId,
    erasureId,
    receiver,
    sandboxId: sandbox?.sandboxId ?? null,
    snapshotId: sandbox && (await readySnapshot(ask, sandbox)),
    sandboxHost: sandbox === null ? null : new URL(sandbox.apiUrl).host,
    largeBuildingId: large.buildingId,
    drawnBuildingId: drawn.buildingId,
    drawnStoreyId: drawnStorey.id,
    drawnSpaceId: drawnSpace.id,
    largePointIds: (await Promise.all(pages)).flat().map(({ id }) => id as string),
  };
};

/** The id of a fault that stays open. */
const openFault = async (ask: Ask, buildingId: string, pointId: string): Promise<string> => {
  const building = `${BUILDINGS}/${buildingId}`;
  const rule = { title: 'low', severity: 'major', comparison: 'gt', threshold: -1e9, pointId };
  await ask('manager', 'POST', `${building}/diagnostic-rules`, rule);
  const observations = [{ pointId, value: 1 }];
  await ask('manager', 'POST', `${building}/observations`, { observations });
  let faults: Body[] = [];
  const isOpen = async () => {
    faults = (await ask('manager', 'GET', `${building}/faults`)).items;
    return faults.length > 0;
  };
  await until(isOpen, 'a fault', { maxMs: FAULT_OPEN_MAX_MS, everyMs: 100 });
  return faults[0].faultId;
};

const FAULT_OPEN_MAX_MS = 60_000;

/** A building and a ticket. */
export const opened = async (server: MeasuredServer, of: string): Promise<void> => {
  const post = async (path: string, body: object) => {
    const sent = { method: 'POST', path, role: 'manager', body: () => JSON.stringify(body) };
    const { status, text } = await server.call(of, sent);
    if (status !== 201) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  };
  const { buildingId } = await post(`${BUILDINGS}/import`, demoBuilding());
  await post(REQUESTS, { buildingId, description: 'It drips.' });
};

const SANDBOX_READY_MAX_MS = 120_000;

const readySandbox = async (ask: Ask): Promise<Body> => {
  const { sandboxId } = await ask('manager', 'POST', SANDBOXES, { name: 'a', ...smallSandbox });
  let sandbox: Body;
  const isReady = async () => {
    sandbox = await ask('manager', 'GET', `${SANDBOXES}/${sandboxId}`);
    return sandbox.status === 'ready';
  };
  await until(isReady, 'a sandbox', { maxMs: SANDBOX_READY_MAX_MS, everyMs: 100 });
  return sandbox;
};

const readySnapshot = async (ask: Ask, { sandboxId }: Body): Promise<string> => {
  const path = `${SANDBOXES}/${sandboxId}/snapshots`;
  const { snapshotId } = await ask('manager', 'POST', path, { name: 's' });
  const isReady = async () => {
    const { items } = await ask('manager', 'GET', path);
    return items[0].status === 'ready';
  };
  await until(isReady, 'a snapshot', { maxMs: SANDBOX_READY_MAX_MS, everyMs: 100 });
  return snapshotId;
};

const severalAtOnce = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const rest = items.values();
  const results: Result[] = [];
  const worker = async () => {
    for (const item of rest) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
};

/** Accepts every webhook delivery. */
export const quietReceiver = async (): Promise<{ url: string; close(): void }> => {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};
