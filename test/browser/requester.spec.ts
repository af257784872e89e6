/** The pages of requesters on a telephone. `UPDATE_SCREENSHOTS=1` renews their pictures. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer, type RaisedTicket } from '../support/browser/portal-server.ts';
import {
  pressUntil,
  seriousIn,
  signInAs,
  widerThanWindow,
  type OpenPortal,
} from '../support/browser/portal.ts';
import {
  PHONE,
  REQUESTER,
  sha256,
  takenPhoto,
  withRequesters,
} from '../support/browser/requester.ts';
import { missedByTab } from '../support/browser/tabbing.ts';

const AGENT = 'agent@acme.test';
const REQUESTS = '/api/service-desk/requests';

/** In the page: controls smaller than a touch target. */
const SMALL = `[...document.querySelectorAll(
  'main a, main button, main input, main select, main textarea, main summary, main label.button, ' +
  'header a, header button, nav a')]
  .filter((one) => one.checkVisibility() && !one.matches('.visually-hidden, .written a'))
  .filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return height < 43.9 || width < 43.9;
  })
  .map((one) => one.outerHTML.slice(0, 120))`;

describe.skipIf(!hasChromium)('the pages of requesters', () => {
  const portal = portalServer();
  const { as, open, call, ticket, colleague, server } = portal;
  const building = withRequesters(portal);

  const onPhone = (use: (portal: OpenPortal) => Promise<void>, more = {}) =>
    as(
      REQUESTER,
      async (at) => {
        await use(at);
        // The browser logs the 404 of an organisation without anonymous reports.
        const { complaints } = at;
        complaints.splice(0, complaints.length, ...complaints.filter((one) => !/404/.test(one)));
      },
      { ...PHONE, ...more },
    );
  const raised = (body: object = {}): Promise<RaisedTicket> =>
    call(REQUESTER, 'POST', REQUESTS, {
      buildingId: building().id,
      description: 'The tap drips.',
      ...body,
    });
  const moved = async (id: string, ...states: readonly string[]) => {
    for (const state of states) await colleague('POST', id, { state }, '/transition');
  };
  const attachmentsOf = async (id: string) =>
    (await call(AGENT, 'GET', `${REQUESTS}/${id}/attachments`)).items as {
      readonly sha256: string;
      readonly bytes: number;
    }[];
  const ticketsOf = async (description: string) => {
    const { items } = await call(AGENT, 'GET', `${REQUESTS}?limit=100`);
    return (items as RaisedTicket[]).filter((one) => one['description'] === description);
  };
  /** By key: a photo that appears meanwhile moves the button away from the pointer. */
  const send = (page: Page) =>
    page.getByRole('button', { name: 'Send', exact: true }).press('Enter');
  const write = (page: Page, text: string) => page.getByLabel('What is wrong?').fill(text);
  const attach = (page: Page, photo: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
    page.getByLabel('Take a photo').setInputFiles(photo);
  const numberOn = async (page: Page) => {
    await page.getByRole('heading', { name: 'We have it' }).waitFor();
    return page.locator('.page-head .lead strong').innerText();
  };
  const idOn = (page: Page) => page.url().split('/').at(-1)!;

  it('are two, and none of staff', () =>
    onPhone(async ({ page }) => {
      await page.getByRole('heading', { name: 'Report something' }).waitFor();
      const links = page.getByRole('navigation').getByRole('link');
      await expect.poll(() => links.allInnerTexts()).toEqual(['Report something', 'My reports']);
      for (const hash of ['tickets', 'desk', 'buildings', 'keys']) {
        await page.goto(`${server().url}/#/${hash}`);
        await page.getByText('There is no such page').waitFor();
      }
    }));

  it('send a report and a photo from a scanned label', () =>
    onPhone(async ({ page }) => {
      const room = building().rooms[1]!;
      const photo = await takenPhoto(page, 'a wet floor');
      await page.goto(building().labelOf(room));
      await page.getByText(`${room.code} ${room.name}`).waitFor();
      await write(page, 'The floor is wet.');
      await attach(page, photo);
      await page.getByRole('img', { name: /^Photo 1/ }).waitFor();
      await takePicture(page, 'requester-report', 844, 390);
      await send(page);
      const number = await numberOn(page);
      const id = idOn(page);
      expect(await ticket(id)).toMatchObject({
        number,
        spaceId: room.id,
        description: 'The floor is wet.',
      });
      await page.getByRole('link', { name: photo.name }).waitFor();
      expect((await attachmentsOf(id)).map((one) => one.sha256)).toEqual([sha256(photo.buffer)]);
      // Back leads to an empty form.
      await page.goBack();
      await expect.poll(() => page.getByLabel('What is wrong?').inputValue()).toBe('');
    }));

  it('make a large photo smaller before it is sent', () =>
    onPhone(async ({ page }) => {
      const large = { width: 2_400, height: 1_800, type: 'image/jpeg' };
      const photo = await takenPhoto(page, 'as large as a camera has it', large);
      await page.goto(building().labelOf(building().rooms[0]!));
      await write(page, 'A large photo.');
      await attach(page, photo);
      await send(page);
      await numberOn(page);
      const id = idOn(page);
      await expect.poll(() => attachmentsOf(id)).toHaveLength(1);
      const [stored] = await attachmentsOf(id);
      expect(stored!.bytes).toBeLessThan(photo.buffer.length / 2);
    }));

  it('find the place without a label: by storey, by search and on the plan', () =>
    onPhone(async ({ page }) => {
      const { id: buildingId } = building();
      const plan = await call(AGENT, 'GET', `/api/v1/buildings/${buildingId}/plan`);
      await page.getByLabel('Storey').selectOption(plan.storey.id);
      await page.getByText('Find it on the plan').click();
      await page.locator('.tap-plan [data-room]').nth(1).click();
      const roomId = await page.locator('.tap-plan .plan-here').getAttribute('data-room');
      await expect.poll(() => page.getByLabel('Room', { exact: true }).inputValue()).toBe(roomId);
      await write(page, 'Found on the plan.');
      await send(page);
      await numberOn(page);
      expect((await ticket(idOn(page)))['spaceId']).toBe(roomId);
    }));

  // A label's page goes on to that of requesters: a route that is set meanwhile may miss its
  // requests, so routes are set before the label is opened.
  describe('on a bad connection', () => {
    /** The server cannot be reached by commands. */
    const offline = async (page: Page) => {
      await page
        .context()
        .route(`**${REQUESTS}*`, (route) =>
          route.request().method() === 'POST' ? route.abort() : route.continue(),
        );
    };
    const online = (page: Page) => page.context().unroute(`**${REQUESTS}*`);

    it('keep a report and its photo over a reload, and send them once', async () => {
      const { page } = await open(REQUESTER, PHONE);
      const photo = await takenPhoto(page, 'no line');
      const text = 'Typed in the basement.';
      await offline(page);
      await page.goto(building().labelOf(building().rooms[0]!));
      await write(page, text);
      await attach(page, photo);
      await send(page);
      await page.getByText('Report: waiting to be sent').waitFor();
      await page.getByText(text).waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await takePicture(page, 'requester-waiting', 844, 390);
      await page.reload();
      await page.getByText('Report: waiting to be sent').waitFor();
      expect(await ticketsOf(text)).toEqual([]);
      await online(page);
      const sent = page.getByRole('link', { name: text });
      await pressUntil(
        page.getByRole('button', { name: 'Send it now' }),
        async () => (await sent.count()) > 0,
      );
      await expect.poll(() => page.locator('.unsent').count()).toBe(0);
      const [only, ...others] = await ticketsOf(text);
      expect(others).toEqual([]);
      expect((await attachmentsOf(only!.id)).map((one) => one.sha256)).toEqual([
        sha256(photo.buffer),
      ]);
      await page.context().close();
    });

    it('make one ticket of a report whose answer was lost', async () => {
      const { page } = await open(REQUESTER, PHONE);
      const text = 'The answer is lost.';
      let lost = 0;
      await page.route(`**${REQUESTS}`, async (route) => {
        if (route.request().method() !== 'POST' || lost > 0) return route.continue();
        lost += 1;
        expect((await route.fetch()).status()).toBe(201);
        return route.abort();
      });
      await page.goto(building().labelOf(building().rooms[0]!));
      await write(page, text);
      await send(page);
      await numberOn(page);
      expect(lost).toBe(1);
      await expect.poll(() => ticketsOf(text)).toHaveLength(1);
      await page.context().close();
    });

    it('discard a waiting report', async () => {
      const { page } = await open(REQUESTER, PHONE);
      await offline(page);
      await page.goto(building().labelOf(building().rooms[0]!));
      await write(page, 'Never mind.');
      await send(page);
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect.poll(() => page.locator('.unsent').count()).toBe(0);
      await online(page);
      await page.reload();
      await page.getByRole('heading', { name: 'My reports' }).waitFor();
      expect(await page.locator('.unsent').count()).toBe(0);
      expect(await ticketsOf('Never mind.')).toEqual([]);
      await page.context().close();
    });

    it('send a report once its building is known, and keep its text until then', async () => {
      const { page } = await open(REQUESTER, PHONE);
      const buildings = '**/api/v1/buildings?*';
      await page.route(buildings, (route) => route.abort());
      await page.reload();
      await write(page, 'Before the buildings.');
      await page.getByRole('alert').waitFor();
      const button = page.getByRole('button', { name: 'Send', exact: true });
      expect(await button.isDisabled()).toBe(true);
      await page.unroute(buildings);
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await expect.poll(() => button.isDisabled()).toBe(false);
      await send(page);
      await numberOn(page);
      expect(await ticketsOf('Before the buildings.')).toHaveLength(1);
      await page.context().close();
    });

    it('ask for the building where there are several', async () => {
      const { page } = await open(REQUESTER, PHONE);
      await page.route('**/api/v1/buildings?*', async (route) => {
        const answer = await route.fetch();
        const list = await answer.json();
        const other = { ...list.items[0], id: crypto.randomUUID(), name: 'Another building' };
        return route.fulfill({
          response: answer,
          json: { ...list, items: [other, ...list.items] },
        });
      });
      await page.reload();
      const field = page.getByLabel('Building');
      await expect.poll(() => field.inputValue()).toBe('');
      await write(page, 'In one of two.');
      await send(page);
      await page.locator('select:focus:invalid').waitFor();
      await field.selectOption(building().id);
      await send(page);
      await numberOn(page);
      expect((await ticket(idOn(page)))['buildingId']).toBe(building().id);
      await page.context().close();
    });

    it('change a report that was refused after it had waited', async () => {
      const { page } = await open(REQUESTER, PHONE);
      const room = building().rooms[1]!;
      const photo = await takenPhoto(page, 'refused');
      await page.goto(building().labelOf(room));
      await offline(page);
      await write(page, 'Refused later.');
      await attach(page, photo);
      await send(page);
      await page.getByText('Report: waiting to be sent').waitFor();
      const refused = `**${REQUESTS}`;
      // Before the connection is back, so that no attempt of the page comes between.
      await page.route(refused, (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        const body = { ...route.request().postDataJSON(), description: ' ' };
        return route.continue({ postData: JSON.stringify(body) });
      });
      await online(page);
      const change = page.getByRole('link', { name: 'Change it' });
      await pressUntil(
        page.getByRole('button', { name: 'Send it now' }),
        async () => (await change.count()) > 0,
      );
      await page.unroute(refused);
      await change.click();
      await page.getByText(`${room.code} ${room.name}`).waitFor();
      await page.getByRole('img', { name: /^Photo 1/ }).waitFor();
      expect(await page.getByLabel('What is wrong?').inputValue()).toBe('Refused later.');
      await page.getByRole('button', { name: 'Remove photo 1' }).click();
      await page.getByRole('link', { name: 'My reports' }).click();
      const asks = page.getByRole('dialog', { name: 'Discard the removal of the photos?' });
      await asks.getByRole('button', { name: 'Discard' }).click();
      await change.click();
      await page.getByRole('img', { name: /^Photo 1/ }).waitFor();
      // It waits until the changed one is sent.
      await page.reload();
      await page.getByText(`${room.code} ${room.name}`).waitFor();
      await write(page, 'Accepted now.');
      await page.getByRole('img', { name: /^Photo 1/ }).waitFor();
      await send(page);
      await numberOn(page);
      const id = idOn(page);
      expect(await ticket(id)).toMatchObject({ spaceId: room.id, description: 'Accepted now.' });
      await page.getByRole('link', { name: photo.name }).waitFor();
      await page.goto(`${server().url}/#/mine`);
      await page.getByRole('link', { name: 'Accepted now.' }).waitFor();
      await expect.poll(() => page.locator('.unsent').count()).toBe(0);
      expect(await ticketsOf('Refused later.')).toEqual([]);
      await page.context().close();
    });

    it('change a note that was refused after it had waited', async () => {
      const { page } = await open(REQUESTER, PHONE);
      const { id } = await raised({ description: 'Noted.' });
      await page.goto(`${server().url}/#/mine/${id}`);
      const updates = `**${REQUESTS}/${id}/updates`;
      await page.route(updates, (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
      await page.getByLabel('Your note').fill('Refused note.');
      await send(page);
      await page.getByText('Answer: waiting to be sent').waitFor();
      // Until then, a refusal is shown in the form.
      await expect.poll(() => page.getByLabel('Your note').inputValue()).toBe('');
      // Before the other one, so that no attempt comes between.
      await page.route(updates, (route) =>
        route.request().method() === 'POST'
          ? route.continue({ postData: JSON.stringify({ body: ' ', visibility: 'public' }) })
          : route.continue(),
      );
      const change = page.getByRole('link', { name: 'Change it' });
      await pressUntil(
        page.getByRole('button', { name: 'Send it now' }),
        async () => (await change.count()) > 0,
      );
      await page.unroute(updates);
      await change.click();
      await expect.poll(() => page.getByLabel('Your note').inputValue()).toBe('Refused note.');
      await page.getByLabel('Your note').fill('Accepted note.');
      await send(page);
      await page.getByRole('listitem').filter({ hasText: 'Accepted note.' }).waitFor();
      await expect.poll(() => page.locator('.unsent').count()).toBe(0);
      await expect.poll(() => page.getByLabel('Your note').inputValue()).toBe('');
      await page.context().close();
    });

    it('hide a waiting report from other users of the browser', async () => {
      const { page } = await open(REQUESTER, PHONE);
      await offline(page);
      await page.goto(building().labelOf(building().rooms[0]!));
      await write(page, 'Between us.');
      await send(page);
      await page.getByText('Report: waiting to be sent').waitFor();
      await signInAs(page.context(), server(), 'requester2@acme.test');
      const isOfOther = page.waitForEvent('load');
      // The open page retries, and finds that another user has signed in.
      await online(page);
      await isOfOther;
      await page.goto(`${server().url}/#/mine`);
      await page.getByText('You have reported nothing yet').waitFor();
      expect(await page.locator('.unsent').count()).toBe(0);
      expect(await ticketsOf('Between us.')).toEqual([]);
      // It is sent once its author is back.
      await signInAs(page.context(), server(), REQUESTER);
      await page.reload();
      await expect.poll(() => ticketsOf('Between us.')).toHaveLength(1);
      await page.context().close();
    });
  });

  it('keep a draft while another label is opened, whose place is gone', async () => {
    const { page } = await open(REQUESTER, PHONE);
    await page.goto(`${server().url}/#/report`);
    await write(page, 'Typed before.');
    const gone = '018f0000-0000-7000-8000-000000000000';
    await page.close({ runBeforeUnload: false });
    const next = await page.context().newPage();
    await next.goto(`${server().url}/#/report?building=${building().id}&space=${gone}`);
    await next.getByText('no longer in the building').waitFor();
    await expect.poll(() => next.getByLabel('What is wrong?').inputValue()).toBe('Typed before.');
    await next.close({ runBeforeUnload: false });
    const last = await page.context().newPage();
    await last.goto(`${server().url}/#/report`);
    await expect.poll(() => last.getByLabel('What is wrong?').inputValue()).toBe('Typed before.');
    await last.context().close();
  });

  it('ask before photos are lost, and ask for them again where a draft is restored', async () => {
    const { page } = await open(REQUESTER, PHONE);
    const photo = await takenPhoto(page, 'lost');
    const pictures = page.getByRole('img', { name: /^Photo/ });
    const leaves = async (from: Page, question: string, name: string) => {
      await from.getByRole('link', { name: 'My reports' }).click();
      await from.getByRole('heading', { name: question }).waitFor();
      await from.getByRole('dialog').getByRole('button', { name }).click();
      await from.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await page.goto(`${server().url}/#/report`);
    await attach(page, photo);
    await pictures.waitFor();
    await leaves(page, 'Discard the photos?', 'Keep editing');
    expect(await pictures.count()).toBe(1);
    await write(page, 'With a photo.');
    await attach(page, photo);
    await expect.poll(() => pictures.count()).toBe(2);

    await page.close({ runBeforeUnload: false });
    const next = await page.context().newPage();
    await next.goto(`${server().url}/#/report`);
    await next.getByText('The 2 chosen photos were not saved').waitFor();
    expect(await next.getByLabel('What is wrong?').inputValue()).toBe('With a photo.');
    expect(await seriousIn(next)).toEqual([]);
    await next.getByRole('button', { name: 'Discard' }).click();
    await next.getByText('were not saved').waitFor({ state: 'detached' });
    await next.reload();
    await next.getByLabel('What is wrong?').waitFor();
    expect(await next.getByText('not saved').count()).toBe(0);
    await write(next, 'Typed before its photo.');
    await attach(next, photo);
    await next.getByRole('img', { name: /^Photo/ }).waitFor();
    await leaves(next, 'Discard what you typed and the photos?', 'Discard');
    await next.getByRole('heading', { name: 'My reports' }).waitFor();
    await next.goto(`${server().url}/#/report`);
    await expect.poll(() => next.getByLabel('What is wrong?').inputValue()).toBe('');
    expect(await next.getByText('not saved').count()).toBe(0);
    await next.context().close();
  });

  it('ask before a photo that is being reduced is lost, and dismiss that it was', async () => {
    const { page } = await open(REQUESTER, PHONE);
    const photo = await takenPhoto(page, 'reduced');
    await page.goto(`${server().url}/#/report`);
    await page.evaluate('globalThis.createImageBitmap = () => new Promise(() => {});0');
    await attach(page, photo);
    await page.getByRole('link', { name: 'My reports' }).click();
    const asks = page.getByRole('dialog', { name: 'Discard the photos?' });
    await asks.getByRole('button', { name: 'Keep editing' }).click();
    await page.close({ runBeforeUnload: false });
    const next = await page.context().newPage();
    await next.goto(`${server().url}/#/report`);
    const lost = next.getByText('The chosen photo was not saved');
    await lost.waitFor();
    expect(await seriousIn(next)).toEqual([]);
    await next.getByRole('button', { name: 'Dismiss' }).click();
    await lost.waitFor({ state: 'detached' });
    await next.reload();
    await next.getByLabel('What is wrong?').waitFor();
    expect(await lost.count()).toBe(0);
    await next.context().close();
  });

  it('show a refusal in the form, and keep the input', async () => {
    const { page } = await open(REQUESTER, PHONE);
    const gone = { id: '018f0000-0000-7000-8000-000000000000', code: 'GONE', name: '' };
    await page.goto(building().labelOf(gone));
    await page.getByText('no longer in the building').waitFor();
    await page.getByLabel('Storey').waitFor();
    await page.route(`**${REQUESTS}`, (route) =>
      route.continue({ postData: JSON.stringify({ buildingId: building().id, description: ' ' }) }),
    );
    await write(page, 'Something');
    await send(page);
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByLabel('What is wrong?').inputValue()).toBe('Something');
    await page.context().close();
  });

  describe('of one report', () => {
    it('cancel it while it is new', () =>
      onPhone(async (at) => {
        const { id } = await raised({ description: 'A mistake.' });
        await at.at(`#/mine/${id}`, 'A mistake.');
        await at.press('Cancel this report');
        await at.press('Cancel the report');
        await at.page.getByRole('heading', { name: 'Cancelled' }).waitFor();
        expect((await ticket(id))['state']).toBe('cancelled');
        expect(await at.page.getByRole('button', { name: 'Cancel this report' }).count()).toBe(0);
      }));

    it('show its timeline in plain words, and update live', () =>
      onPhone(async (at) => {
        const { page } = at;
        const { id } = await raised({ description: 'The lamp flickers.' });
        await page.clock.install();
        await at.at(`#/mine/${id}`, 'The lamp flickers.');
        await page.getByRole('heading', { name: 'We have it' }).waitFor();
        await colleague(
          'POST',
          id,
          { body: 'A colleague comes at ten.', visibility: 'public' },
          '/updates',
        );
        await colleague('POST', id, { body: 'He always says that.' }, '/updates');
        await moved(id, 'triaged', 'in_progress');
        await page.clock.runFor(16_000);
        await page.getByRole('heading', { name: 'Somebody is on it' }).waitFor();
        await page.getByText('A colleague comes at ten.').waitFor();
        expect(await page.getByText('He always says that.').count()).toBe(0);
        expect(await page.getByText('Acme Manager').count()).toBe(0);
        await page.goto(`${server().url}/#/mine`);
        await page.getByRole('link', { name: /The lamp flickers.*Somebody is on it/s }).waitFor();
        await takePicture(page, 'requester-mine', 844, 390);
      }));

    it('begin a text on the side of its script', () =>
      onPhone(async ({ page }) => {
        const { id } = await raised({ description: '(3) المصعد لا يعمل!' });
        await page.goto(`${server().url}/#/mine/${id}`);
        await page.getByRole('heading', { level: 1 }).getByText('لا يعمل').waitFor();
        /** Whether the last character of an element is left of its first. */
        const isFromRight = `((element) => {
          const at = (index) => {
            const range = document.createRange();
            range.setStart(element.firstChild, index);
            range.setEnd(element.firstChild, index + 1);
            return range.getBoundingClientRect().left;
          };
          return at(element.firstChild.length - 1) < at(0);
        })(document.querySelector('h1'))`;
        expect(await page.evaluate(isFromRight)).toBe(true);
        expect(await page.getByLabel('Your note').getAttribute('dir')).toBe('auto');
      }));

    it('say that a note is added, and keep the focus on its button', () =>
      onPhone(async (at) => {
        const { page } = at;
        const { id } = await raised({ description: 'The bell rings.' });
        await at.at(`#/mine/${id}`, 'The bell rings.');
        await page.getByLabel('Your note').fill('It rings at night.');
        await send(page);
        await page.getByRole('status').filter({ hasText: 'The note is added.' }).waitFor();
        await page.locator('button[type=submit]:focus').waitFor();
      }));

    it('say that a note is added, behind an open question too', () =>
      onPhone(async (at) => {
        const { page, press } = at;
        const { id } = await raised({ description: 'The gate rattles.' });
        await at.at(`#/mine/${id}`, 'The gate rattles.');
        const asked = Promise.withResolvers<void>();
        await page.route(`**${REQUESTS}/${id}/updates`, async (route) => {
          if (route.request().method() === 'POST') await asked.promise;
          await route.continue();
        });
        await page.getByLabel('Your note').fill('In the wind.');
        await send(page);
        await press('Sign out');
        const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
        await question.waitFor();
        asked.resolve();
        await question.getByRole('status').filter({ hasText: 'The note is added.' }).waitFor();
        await press('Keep editing');
        await question.waitFor({ state: 'detached' });
      }));

    it('answer whether it is fixed', () =>
      onPhone(async (at) => {
        const { page } = at;
        const { id } = await raised({ description: 'The door sticks.' });
        await moved(id, 'triaged', 'in_progress', 'resolved');
        await at.at(`#/mine/${id}`, 'The door sticks.');
        await page.getByRole('heading', { name: 'Done: is it fixed?' }).waitFor();
        await takePicture(page, 'requester-one', 844, 390);
        await at.press('No, still broken');
        await page.getByLabel('What is still broken?').fill('It sticks again.');
        await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
        await page.getByRole('heading', { name: 'Open again' }).waitFor();
        await page.getByText('It sticks again.').waitFor();
        await moved(id, 'in_progress', 'resolved');
        await page.reload();
        await at.press('Yes, fixed');
        await page.getByRole('heading', { name: 'Finished' }).waitFor();
        expect((await ticket(id))['state']).toBe('closed');
      }));

    it('send what is still broken as a note where the ticket is closed meanwhile', () =>
      onPhone(async (at) => {
        const { page } = at;
        const { id } = await raised({ description: 'The gate sticks.' });
        await moved(id, 'triaged', 'in_progress', 'resolved');
        await page.clock.install();
        await at.at(`#/mine/${id}`, 'The gate sticks.');
        await at.press('No, still broken');
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('What is still broken?').fill('It sticks in the rain.');
        await moved(id, 'closed');
        await page.clock.runFor(16_000);
        await dialog.getByText('can be sent as a note').waitFor();
        const text = dialog.getByLabel('What is still broken?');
        expect(await text.inputValue()).toBe('It sticks in the rain.');
        await at.press('Send as a note');
        await dialog.waitFor({ state: 'detached' });
        await page.getByText('It sticks in the rain.').waitFor();
        expect((await ticket(id))['state']).toBe('closed');
      }));

    it("do not include other users' reports", () =>
      onPhone(async ({ page }) => {
        const { id } = await call('requester2@acme.test', 'POST', REQUESTS, {
          buildingId: building().id,
          description: 'Not yours.',
        });
        await page.goto(`${server().url}/#/mine/${id}`);
        await page.getByRole('alert').waitFor();
        expect(await page.getByText('Not yours.').count()).toBe(0);
      }));
  });

  it('ask for required answers at once, and keep answers by request type', async () => {
    const manager = 'manager@acme.test';
    const path = '/api/service-desk/configuration';
    const configuration = await call(manager, 'GET', path);
    const source = {
      key: 'source',
      label: 'Where from?',
      kind: 'choice',
      required: true,
      options: [{ value: 'tap', label: 'A tap' }],
    };
    const size = { key: 'size', label: 'How many litres?', kind: 'number' };
    const leak = { requestType: 'leak', name: 'Leak', fields: [source, size] };
    const lost = { requestType: 'lost', name: 'Lost property', fields: [] };
    await call(manager, 'PUT', path, { ...configuration, requestTypes: [leak, lost] });
    await onPhone(async ({ page }) => {
      await page.reload();
      const field = (name: string) => page.getByLabel(name, { exact: true });
      await field('What is it about?').selectOption('leak');
      await field('How many litres? (optional)').fill('3');
      await write(page, 'Answered.');
      await send(page);
      await page.getByText('Is required', { exact: true }).waitFor();
      await field('What is it about?').selectOption('lost');
      await field('What is it about?').selectOption('leak');
      expect(await field('How many litres? (optional)').inputValue()).toBe('3');
      await field('Where from?').selectOption('tap');
      await send(page);
      await numberOn(page);
      expect(await ticket(idOn(page))).toMatchObject({
        requestType: 'leak',
        formData: { source: 'tap', size: 3 },
      });
    });
    await call(manager, 'PUT', path, configuration);
  });

  it.each(['light', 'dark'] as const)('are accessible, %s', (colorScheme) =>
    onPhone(
      async ({ page }) => {
        const { id } = await raised({ description: 'For everybody.' });
        await moved(id, 'triaged', 'in_progress', 'resolved');
        for (const [hash, heading] of [
          ['report', 'Report something'],
          ['mine', 'My reports'],
          [`mine/${id}`, 'For everybody.'],
        ] as const) {
          await page.goto(`${server().url}/#/${hash}`);
          await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
          await page.locator('main .loading').first().waitFor({ state: 'detached' });
          for (const width of [390, 320]) {
            await page.setViewportSize({ width, height: 844 });
            expect(await widerThanWindow(page), `${hash} at ${width}`).toEqual([]);
            expect(await seriousIn(page), `${hash} at ${width}`).toEqual([]);
            expect(await page.evaluate(SMALL), `${hash} at ${width}`).toEqual([]);
          }
          await expect.poll(() => missedByTab(page), { message: hash }).toEqual([]);
        }
        await page.setViewportSize({ width: 390, height: 844 });
        await page.evaluate('scrollTo(0, 0)');
        if (colorScheme === 'dark') await takePicture(page, 'requester-dark', 844, 390);
      },
      { colorScheme },
    ),
  );
});
