/** Attachments in exports of tickets. contract.md section 5. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { testApi } from '../../support/api/api.ts';
import type { Caller } from '../../support/api/caller.ts';
import { formHeaders, formOf } from '../../support/api/form.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { addUnreadableNote } from '../../support/log/unreadable.ts';

const REQUESTS = '/api/service-desk/requests';
const root = temporaryDirectory('exported-attachments');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const platform = testApi(() => ({ files: directoryStores(root).of('main') }));
const agent = platform.as('agent@acme.test');
const viewer = platform.as('viewer@acme.test');
const ids: string[] = [];

const attach = async (ticketId: string, name: string, visibility: string) => {
  const form = formOf(
    { name: 'visibility', content: visibility },
    { name: 'file', fileName: name, content: `${name} of ${ticketId}` },
  );
  const { status, body } = await agent.post(
    `${REQUESTS}/${ticketId}/attachments`,
    form,
    formHeaders,
  );
  expect(status).toBe(201);
  return body as { attachmentId: string };
};
/** By ticket, in the order of {@link ids}. */
const exported = async (caller: Caller) => {
  const { body } = await caller.get(`${REQUESTS}/export?category=files`);
  const lines = (body as string).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
};

beforeAll(async () => {
  const buildingId = await platform.importBuilding();
  for (let at = 0; at < 3; at += 1) {
    const draft = { buildingId, description: 'x', category: 'files' };
    ids.push((await agent.post(REQUESTS, draft)).body.id);
  }
  await attach(ids[0]!, 'a.txt', 'internal');
  await attach(ids[0]!, 'b.txt', 'public');
  const { attachmentId } = await attach(ids[2]!, 'gone.txt', 'public');
  await attach(ids[2]!, 'c.txt', 'public');
  const path = `${REQUESTS}/${ids[2]}/attachments/${attachmentId}`;
  expect((await agent.delete(path)).status).toBe(204);
});

it("lists each ticket's attachments, with their URLs", async () => {
  const lines = await exported(agent);
  expect(lines.map(({ id }) => id)).toEqual(ids);
  for (const { id, attachments } of lines) {
    const { items } = (await agent.get(`${REQUESTS}/${id}/attachments`)).body;
    const shown = items.map((one: { attachmentId: string }) => ({
      ...one,
      url: `${REQUESTS}/${id}/attachments/${one.attachmentId}`,
    }));
    expect(attachments).toEqual(shown);
    for (const { name, url } of attachments)
      expect((await agent.get(url)).body).toBe(`${name} of ${id}`);
  }
  const names = lines.map(({ attachments }) => attachments.map(({ name }: never) => name));
  expect(names).toEqual([['a.txt', 'b.txt'], [], ['c.txt']]);
});

it('names internal ones only to those who may read internal notes', async () => {
  const lines = await exported(viewer);
  const names = lines.map(({ attachments }) => attachments.map(({ name }: never) => name));
  expect(names).toEqual([['b.txt'], [], ['c.txt']]);
});

it('marks a ticket whose history cannot be read, and goes on', async () => {
  await addUnreadableNote(platform.log, ids[0]!);
  const lines = await exported(agent);
  expect(lines.map(({ id, attachments }) => [id, attachments.length])).toEqual([
    [ids[0], 0],
    [ids[1], 0],
    [ids[2], 1],
  ]);
  expect(lines.map(({ attachmentsUnreadable }) => attachmentsUnreadable)).toEqual([
    true,
    undefined,
    undefined,
  ]);
});

it('leaves a spreadsheet as it is, and reads no ticket for it', async () => {
  const reads = vi.spyOn(platform.log, 'readStream');
  onTestFinished(() => reads.mockRestore());
  const csv = await agent.get(`${REQUESTS}/export?category=files`, { accept: 'text/csv' });
  expect(csv.body).toContain(ids[0]);
  expect(csv.body).not.toContain('a.txt');
  const streams = reads.mock.calls.map(([stream]) => stream);
  expect(streams.filter((stream) => stream.startsWith('ticket-'))).toEqual([]);
});
