/**
 * Files on the page of a ticket. `UPDATE_SCREENSHOTS=1` renews the pictures in docs/portal.md.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ATTACHMENT_BYTES_MAX } from '../../src/domain/tickets/limits.ts';
import {
  copyPicture,
  drop,
  pictureFile,
  slowUploads,
  textFile,
  type GivenFile,
} from '../support/browser/attaching.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, widerThanWindow } from '../support/browser/portal.ts';
import { formHeaders, formOf } from '../support/api/form.ts';

const AGENT = 'agent@acme.test';
const MANAGER = 'manager@acme.test';
const REQUESTS = '/api/service-desk/requests';
const SLOW = 200_000;
const HALTED = 1_000;

describe.skipIf(!hasChromium)('the attachments of a ticket', () => {
  const { open, raise, server, restart } = portalServer();

  const attachmentsOf = async (id: string) =>
    (await server().call(AGENT, 'GET', `${REQUESTS}/${id}/attachments`)).body.items;
  const attached = async (id: string, file: GivenFile, email = AGENT, visibility = 'public') => {
    const authorization = `Bearer ${await server().tokenOf(email)}`;
    const parts = [
      { name: 'visibility', content: visibility },
      { name: 'file', fileName: file.name, content: file.bytes },
    ];
    const answer = await fetch(`${server().url}${REQUESTS}/${id}/attachments`, {
      method: 'POST',
      headers: { ...formHeaders, authorization },
      body: formOf(...parts),
    });
    expect(answer.status).toBe(201);
  };
  const card = '.card:has(> .card-head h2:text-is("Attachments"))';
  const region = '.file-drop:has(.attachments-add)';
  const names = (page: Page) =>
    page.locator(`${card} .attachments:not(.uploads) .attachment-words a`).allTextContents();
  const pick = (page: Page, files: readonly GivenFile[], at = card) =>
    page
      .locator(`${at} input[type=file]`)
      .setInputFiles(
        files.map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes })),
      );
  const atTicket = async (options = {}) => {
    const raised = await raise({ subject: 'Tap drips' });
    const portal = await open(AGENT, options);
    await portal.at(`#/tickets/${raised.id}`, 'Tap drips');
    await portal.page.locator(card).waitFor();
    return { ...portal, raised };
  };

  it('are picked, dropped and pasted, several at once, public or internal', async () => {
    const { page, raised, complaints } = await atTicket();
    await pick(page, [textFile('a.txt'), textFile('b.txt')]);
    await expect.poll(() => names(page)).toHaveLength(2);
    await page
      .locator(card)
      .getByLabel(/^Public/)
      .check();
    await drop(page, region, [textFile('c.txt')], { isHeld: true });
    await page.getByText('Drop to attach').waitFor();
    await drop(page, region, [textFile('c.txt')]);
    await expect.poll(() => names(page)).toContain('c.txt');
    await copyPicture(page, await pictureFile(page, 'tap', 200));
    await page.keyboard.press('Control+V');
    await expect.poll(() => names(page)).toHaveLength(4);
    const all = await attachmentsOf(raised.id);
    expect(all.at(-1)).toMatchObject({ mediaType: 'image/png', visibility: 'public' });
    expect(all.at(-1).name).toMatch(/^Screenshot \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/);
    const readers = Object.fromEntries(
      all.map((one: GivenFile & { visibility: string }) => [one.name, one.visibility]),
    );
    expect(readers).toMatchObject({ 'a.txt': 'internal', 'c.txt': 'public' });
    expect(await seriousIn(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('are downloaded by their name', async () => {
    const { page, raised } = await atTicket();
    await attached(raised.id, textFile('Öl leak.txt', 'drip'));
    const link = page.locator(card).getByRole('link', { name: 'Öl leak.txt' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('Öl leak.txt');
  });

  it('show how much is sent, and are cancelled', async () => {
    const { page, raised, complaints } = await atTicket();
    await attached(raised.id, await pictureFile(page, 'tap.png', 200));
    await expect.poll(() => names(page)).toHaveLength(1);
    await slowUploads(page, SLOW);
    const large = textFile('large.txt', Buffer.alloc(4_000_000, 'a'));
    await pick(page, [large, textFile('small.txt', Buffer.alloc(2_000_000, 'b'))]);
    const progress = page.getByLabel('Sent of large.txt');
    const sent = async () => Number(await progress.getAttribute('value'));
    await expect.poll(sent).toBeGreaterThan(0.1);
    expect(await sent()).toBeLessThan(1);
    // The next steps are slow on a busy machine, and the uploads must not finish meanwhile.
    await slowUploads(page, HALTED);
    await page.evaluate(
      `document.querySelector('${region}').closest('.card').scrollIntoView(false)`,
    );
    await takePicture(page, 'attachments', 860);
    expect(await seriousIn(page)).toEqual([]);
    // Leaving would lose them.
    await page.evaluate(`location.hash = '#/buildings'`);
    await page.getByRole('heading', { name: 'Cancel the uploads?' }).waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Cancel large.txt' }).click();
    await progress.waitFor({ state: 'detached' });
    await slowUploads(page, null);
    await expect.poll(() => names(page)).toEqual(['tap.png', 'small.txt']);
    expect((await attachmentsOf(raised.id)).map(({ name }: GivenFile) => name)).toEqual([
      'tap.png',
      'small.txt',
    ]);
    expect(complaints).toEqual([]);
  });

  it('are sent again where the server is killed meanwhile, and attached once', async () => {
    const { page, raised } = await atTicket();
    await slowUploads(page, SLOW);
    await pick(page, [textFile('leak.txt', Buffer.alloc(3_000_000, 'a'))]);
    const progress = page.getByLabel('Sent of leak.txt');
    await expect
      .poll(async () => Number(await progress.getAttribute('value')))
      .toBeGreaterThan(0.1);
    await server().signal('SIGKILL');
    await page.getByText('The server does not respond. Retrying…').waitFor();
    await slowUploads(page, null);
    await restart();
    await expect.poll(() => names(page)).toEqual(['leak.txt']);
    expect(await attachmentsOf(raised.id)).toHaveLength(1);
  });

  it('are sent again by a press where it failed, under the same key', async () => {
    const { page, raised } = await atTicket();
    const keys: (string | null)[] = [];
    await page.route('**/attachments', async (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.continue();
      keys.push(await request.headerValue('idempotency-key'));
      return keys.length === 1 ? route.fulfill({ status: 500, body: 'broken' }) : route.continue();
    });
    await pick(page, [textFile('leak.txt')]);
    await page.getByText('Not attached:').waitFor();
    await page.getByRole('button', { name: 'Send leak.txt again' }).click();
    await expect.poll(() => names(page)).toEqual(['leak.txt']);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(await attachmentsOf(raised.id)).toHaveLength(1);
  });

  it('name refused files in plain words, before the upload where possible', async () => {
    const { page, raised } = await atTicket();
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/attachments')) sent += 1;
    });
    await drop(page, region, [textFile('empty.txt', '')]);
    await page.getByText('Not attached: It is empty, or a folder.').waitFor();
    await page.evaluate(`(() => {
      const transfer = new DataTransfer();
      const bytes = new Uint8Array(${ATTACHMENT_BYTES_MAX} + 1);
      transfer.items.add(new File([bytes], 'film.mp4'));
      document.querySelector('${region}').dispatchEvent(
        new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
      );
    })()`);
    await page.getByText('a file can have at most 25 MiB').waitFor();
    expect(sent).toBe(0);
    await pick(page, [textFile('tool.exe', Buffer.from('\x7fELF\x02\x01\x01'))]);
    await page.getByText('Files of this type are not accepted').waitFor();
    expect(sent).toBe(1);
    expect(await seriousIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Dismiss tool.exe' }).click();
    await page.getByText('Files of this type').waitFor({ state: 'detached' });
    expect(await attachmentsOf(raised.id)).toEqual([]);
  });

  it('are removed after a question, by their author alone', async () => {
    const { page, raised, complaints } = await atTicket();
    await attached(raised.id, textFile('theirs.txt'), MANAGER);
    await attached(raised.id, textFile('mine.txt'));
    // Of others, by the change feed.
    await expect.poll(() => names(page)).toEqual(['theirs.txt', 'mine.txt']);
    expect(await page.getByRole('button', { name: 'Remove theirs.txt' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove mine.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove mine.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(() => names(page)).toEqual(['theirs.txt']);
    expect((await attachmentsOf(raised.id)).map(({ name }: GivenFile) => name)).toEqual([
      'theirs.txt',
    ]);
    expect(complaints).toEqual([]);
  });

  it('are looked at by keyboard, one picture after the other', async () => {
    const { page, raised, complaints } = await atTicket();
    for (const [name, hue] of [
      ['one.png', 10],
      ['two.png', 130],
    ] as const) {
      await attached(raised.id, await pictureFile(page, name, hue));
      await attached(raised.id, textFile(`${name}.txt`));
    }
    await expect.poll(() => names(page)).toHaveLength(4);
    await page.getByRole('button', { name: 'Show one.png' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const shown = dialog.getByRole('img');
    const loaded = () => page.evaluate<number>(`document.querySelector('dialog img').naturalWidth`);
    await dialog.getByText('1 of 2').waitFor();
    await expect.poll(loaded).toBe(1_200);
    await takePicture(page, 'attachment-viewer', 860);
    await page.keyboard.press('ArrowRight');
    await dialog.getByText('2 of 2').waitFor();
    await expect.poll(() => shown.getAttribute('alt')).toBe('two.png');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await dialog.getByText('1 of 2').waitFor();
    expect(await seriousIn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Show one.png');
    expect(complaints).toEqual([]);
  });

  it('come with a note, which keeps text and files where it fails', async () => {
    const { page, raised } = await atTicket();
    const form = '.card:has(> .card-head h2:text-is("Add a note"))';
    await page.getByLabel('Note', { exact: true }).fill('Two pictures.\nSecond line.');
    await pick(page, [textFile('tool.exe', Buffer.from('\x7fELF\x02\x01\x01'))], form);
    await drop(page, `.file-drop:has(.chosen-files)`, [textFile('a.txt')]);
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator(form).getByText('Files of this type are not accepted').waitFor();
    await expect
      .poll(() => page.getByLabel('Note', { exact: true }).inputValue())
      .toContain('Two pictures');
    await page.getByRole('button', { name: 'Leave out tool.exe' }).click();
    await copyPicture(page, await pictureFile(page, 'tap', 200));
    await page.getByLabel('Note', { exact: true }).focus();
    await page.keyboard.press('Control+V');
    await page
      .locator(form)
      .getByText(/^Screenshot/)
      .waitFor();
    await page
      .locator(form)
      .getByLabel(/^Public/)
      .check();
    expect(await seriousIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add note' }).click();
    const note = page.locator('.timeline li', { hasText: 'Two pictures.' });
    await note.getByRole('link', { name: 'a.txt' }).waitFor();
    await expect.poll(() => names(page)).toHaveLength(2);
    const all = await attachmentsOf(raised.id);
    expect(new Set(all.map(({ noteId }: { noteId: string }) => noteId)).size).toBe(1);
    expect(all[0].visibility).toBe('public');
    await expect.poll(() => page.getByLabel('Note', { exact: true }).inputValue()).toBe('');
  });

  it('fit a phone', async () => {
    const { page, raised } = await atTicket({ viewport: { width: 390, height: 844 } });
    await attached(raised.id, await pictureFile(page, 'one.png', 10));
    await attached(raised.id, textFile(`${'a'.repeat(150)}.txt`));
    await expect.poll(() => names(page)).toHaveLength(2);
    expect(await widerThanWindow(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show one.png' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await widerThanWindow(page)).toEqual([]);
    expect(await seriousIn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator(card).scrollIntoViewIfNeeded();
    if (process.env['LOOK']) await page.screenshot({ path: '/tmp/phone.png' });
  });
});
