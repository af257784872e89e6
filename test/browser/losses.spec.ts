/**
 * No typed text is lost, and no change of other users is overwritten: a spec per way to lose work.
 * `UPDATE_SCREENSHOTS=1` renews the picture in docs/portal.md.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { loseAnswer } from '../support/browser/lost-answers.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, signInAs, type OpenPortal } from '../support/browser/portal.ts';

const AGENT = 'agent@acme.test';

/** In the page: collects the texts with which the status region is inserted. */
const WATCH_INSERTED = `globalThis.inserted = []; new MutationObserver((records) => {
  for (const { addedNodes } of records)
    for (const node of addedNodes)
      if (node instanceof Element && node.matches('.said')) inserted.push(node.textContent);
}).observe(document.body, { subtree: true, childList: true })`;

describe.skipIf(!hasChromium)('work', () => {
  const { open, raise, ticket, colleague, server } = portalServer();

  const atTicket = async (body: object = {}, email = AGENT) => {
    const raised = await raise({ priority: 'low', category: 'water', ...body });
    const portal = await open(email);
    await portal.page.clock.install();
    await portal.at(`#/tickets/${raised.id}`, 'Tap drips');
    return { ...portal, raised };
  };
  const dialogIn = ({ page }: OpenPortal) => page.getByRole('dialog').last();
  /** The page looks at the ticket again every 15 s, but not under an open form. */
  const lookAgain = (page: Page) => page.clock.runFor(16_000);
  const patched = (page: Page) =>
    page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  const asksToDiscard = (page: Page) =>
    page.getByRole('heading', { name: 'Discard what you typed?' }).waitFor();

  describe('of other users', () => {
    it('stays: editing sends only changed fields, with the opened revision', async () => {
      const at = await atTicket();
      await at.press('Edit');
      await dialogIn(at).getByLabel('Subject').fill('Tap drips all night');
      const others = { description: 'Gas smell, evacuate.', priority: 'critical', category: 'gas' };
      await colleague('PATCH', at.raised.id, others);
      await lookAgain(at.page);
      await at.press('Save');
      await dialogIn(at).waitFor({ state: 'detached' });
      expect(await ticket(at.raised.id)).toMatchObject({
        subject: 'Tap drips all night',
        ...others,
      });
    });

    it('stays when a save was refused and is pressed again', async () => {
      const at = await atTicket();
      await at.press('Edit');
      await dialogIn(at).getByLabel('Description').fill('Worse today.');
      await colleague('PATCH', at.raised.id, { description: 'Gas smell, evacuate.' });
      await Promise.all([patched(at.page), at.press('Save')]);
      await dialogIn(at).getByRole('alert').waitFor();
      await lookAgain(at.page);
      await Promise.all([patched(at.page), at.press('Save')]);
      expect((await ticket(at.raised.id))['description']).toContain('Gas smell, evacuate.');
    });

    it('stays: assigning sends only changed members', async () => {
      const at = await atTicket();
      await at.press('Assign');
      await dialogIn(at).getByLabel('User').fill('agent');
      await colleague('POST', at.raised.id, { assignedTeamId: 'fire-brigade' }, '/assign');
      await dialogIn(at).getByRole('button', { name: 'Assign', exact: true }).click();
      await dialogIn(at).waitFor({ state: 'detached' });
      expect(await ticket(at.raised.id)).toMatchObject({
        assignedUserId: 'agent',
        assignedTeamId: 'fire-brigade',
      });
    });

    const moving = async () => {
      const at = await atTicket();
      await at.press('With a note');
      await dialogIn(at).getByLabel('To').selectOption('Cancelled');
      await dialogIn(at).getByLabel('Internal note (optional)').fill('Not ours.');
      await colleague('POST', at.raised.id, { state: 'triaged' }, '/transition');
      await colleague('POST', at.raised.id, { state: 'in_progress' }, '/transition');
      return at;
    };
    const move = (at: OpenPortal) =>
      dialogIn(at).getByRole('button', { name: 'Move', exact: true }).click();

    it('stays: a move is not sent over another one, and is then chosen again', async () => {
      const at = await moving();
      await at.page.locator('.page-head').getByText('In progress').waitFor();
      await move(at);
      await dialogIn(at).getByText('moved it to In progress meanwhile').waitFor();
      expect((await ticket(at.raised.id))['state']).toBe('in_progress');
      await expect
        .poll(() => dialogIn(at).getByLabel('To').getByRole('option').allTextContents())
        .toEqual(['Waiting', 'Resolved', 'Cancelled']);
      await move(at);
      await dialogIn(at).waitFor({ state: 'detached' });
      expect((await ticket(at.raised.id))['state']).toBe('cancelled');
      await at.page.locator('.timeline').getByText('Not ours.').waitFor();
    });

    it('stays when a move is restored as a draft', async () => {
      const at = await moving();
      await at.page.close({ runBeforeUnload: false });
      const page = await at.page.context().newPage();
      const later = { ...at, page };
      await page.goto(`${server().url}/#/tickets/${at.raised.id}`);
      await page.locator('.page-head').getByText('In progress').waitFor();
      await page.getByRole('button', { name: 'With a note' }).click();
      const to = dialogIn(later).getByLabel('To');
      await expect.poll(() => to.inputValue()).toBe('cancelled');
      await move(later);
      await dialogIn(later).getByText('moved it to In progress meanwhile').waitFor();
      expect((await ticket(at.raised.id))['state']).toBe('in_progress');
    });

    it('stays: a state that the ticket cannot reach any more is not chosen', async () => {
      const at = await atTicket();
      await at.press('With a note');
      await dialogIn(at).getByLabel('To').selectOption('Cancelled');
      await colleague('POST', at.raised.id, { state: 'triaged' }, '/transition');
      await colleague('POST', at.raised.id, { state: 'resolved' }, '/transition');
      await at.page.locator('.page-head').getByText('Resolved').waitFor();
      await move(at);
      await dialogIn(at).getByText('It cannot become Cancelled any more.').waitFor();
      await expect.poll(() => dialogIn(at).getByLabel('To').inputValue()).toBe('closed');
      expect((await ticket(at.raised.id))['state']).toBe('resolved');
    });
  });

  describe('in a conflict', () => {
    /** Presses Save, and types the description before the server has the request. */
    const typeWhileSaving = async (at: Awaited<ReturnType<typeof atTicket>>, text: string) => {
      const typed = Promise.withResolvers<void>();
      await at.page.route(`**/requests/${at.raised.id}`, async (route) => {
        if (route.request().method() === 'PATCH') await typed.promise;
        await route.continue();
      });
      await at.press('Save');
      await dialogIn(at).getByLabel('Description').fill(text);
      typed.resolve();
    };

    const inConflict = async () => {
      const at = await atTicket({ description: 'One.\nTwo.\nThree.' });
      await at.press('Edit');
      await dialogIn(at).getByLabel('Description').fill('One, mine.\nTwo.\nThree.');
      await dialogIn(at).getByLabel('Category').fill('taps');
      await colleague('PATCH', at.raised.id, {
        description: 'One.\nTwo.\nThree, theirs.',
        priority: 'high',
      });
      await at.press('Save');
      await dialogIn(at).getByText('changed the same').waitFor();
      return at;
    };

    it('is merged by a proposal, and a field that only one has changed is not asked', async () => {
      const at = await inConflict();
      await expect.poll(() => dialogIn(at).getByRole('group').count()).toBe(1);
      await expect
        .poll(() => dialogIn(at).getByLabel('Description').inputValue())
        .toBe('One, mine.\nTwo.\nThree, theirs.');
      expect(await seriousIn(at.page)).toEqual([]);
      await takePicture(at.page, 'conflict');
      await at.press('Save');
      await dialogIn(at).waitFor({ state: 'detached' });
      expect(await ticket(at.raised.id)).toMatchObject({
        description: 'One, mine.\nTwo.\nThree, theirs.',
        category: 'taps',
        priority: 'high',
      });
    });

    it('is kept as a note when the other version wins', async () => {
      const at = await inConflict();
      await dialogIn(at).getByLabel('Theirs').check();
      await at.press('Save');
      await dialogIn(at).waitFor({ state: 'detached' });
      expect(await ticket(at.raised.id)).toMatchObject({
        description: 'One.\nTwo.\nThree, theirs.',
      });
      await at.page.locator('.timeline').getByText('One, mine.').waitFor();
    });

    it('keeps text typed while the save was under way, over a second conflict too', async () => {
      const at = await atTicket({ description: 'Before.' });
      await at.press('Edit');
      const description = dialogIn(at).getByLabel('Description');
      await description.fill('Mine.');
      await colleague('PATCH', at.raised.id, { description: 'Theirs.' });
      await typeWhileSaving(at, 'Mine, and typed later.');
      await dialogIn(at).getByText('changed the same').waitFor();
      await expect.poll(() => description.inputValue()).toBe('Mine, and typed later.\nTheirs.');
      await dialogIn(at).getByLabel('Theirs').check();
      await dialogIn(at).getByLabel('Category').fill('taps');
      await colleague('PATCH', at.raised.id, { category: 'gas' });
      await at.press('Save');
      const category = dialogIn(at).getByRole('group', { name: 'Category' });
      await category.getByLabel('Mine').check();
      await at.press('Save');
      await dialogIn(at).waitFor({ state: 'detached' });
      expect(await ticket(at.raised.id)).toMatchObject({
        description: 'Theirs.',
        category: 'taps',
      });
      await at.page.locator('.timeline').getByText('Mine, and typed later.').waitFor();
    });

    it('keeps text typed while a save succeeded, for the next one', async () => {
      const at = await atTicket({ description: 'Before.' });
      await at.press('Edit');
      const description = dialogIn(at).getByLabel('Description');
      await description.fill('Mine.');
      await typeWhileSaving(at, 'Mine, and typed later.');
      await at.page.getByText(`${at.raised.number} is changed.`).waitFor();
      expect((await ticket(at.raised.id))['description']).toBe('Mine.');
      expect(await description.inputValue()).toBe('Mine, and typed later.');
      await at.press('Save');
      await dialogIn(at).waitFor({ state: 'detached' });
      expect((await ticket(at.raised.id))['description']).toBe('Mine, and typed later.');
    });

    it('can overwrite the other version', async () => {
      const at = await inConflict();
      await dialogIn(at).getByLabel('Mine').check();
      await at.press('Save');
      await dialogIn(at).waitFor({ state: 'detached' });
      expect((await ticket(at.raised.id))['description']).toBe('One, mine.\nTwo.\nThree.');
      // The replaced text is in the timeline.
      const entry = at.page.locator('.timeline li', { hasText: 'Acme Agent edited' });
      await entry.locator('summary').click();
      await entry.getByText('Three, theirs.').waitFor();
    });

    const path = '/api/service-desk/configuration';
    const stored = async () => (await server().call('manager@acme.test', 'GET', path)).body;
    const set = async (change: object) => {
      const { status } = await server().call('manager@acme.test', 'PUT', path, {
        body: { ...(await stored()), ...change },
      });
      expect(status).toBe(200);
    };

    it('of the configuration shows both, section by section', async () => {
      const policy = (name: string) => ({
        name,
        firstResponseMinutes: 10,
        resolutionMinutes: 100,
      });
      await set({ slaPolicies: [policy('Before')], routingRules: [] });
      const at = await open('manager@acme.test');
      await at.at('#/desk/json', 'Service desk');
      const document = at.page.getByLabel('The configuration as JSON');
      const typed = JSON.parse(await document.inputValue());
      await document.fill(
        JSON.stringify({
          ...typed,
          slaPolicies: [policy('Mine')],
          workflows: [{ requestType: 'general', transitions: { new: ['triaged'] } }],
        }),
      );
      const rule = { ruleId: 'r1', name: 'Theirs', match: {}, assignTeamId: 'plumbers' };
      await set({ slaPolicies: [policy('Theirs')], routingRules: [rule] });
      await at.press('Save');
      await at.page.getByText('changed the same').waitFor();
      await at.page.getByText('“Theirs”: (nothing)').waitFor();
      await at.page.getByRole('radio', { name: 'Mine' }).check();
      await at.press('Save');
      await at.page.getByText('The configuration is saved.').waitFor();
      expect(await stored()).toMatchObject({
        slaPolicies: [{ name: 'Mine' }],
        routingRules: [{ name: 'Theirs' }],
        workflows: [{ requestType: 'general' }],
      });
    });

    it('of the configuration removes what the chosen version does not have', async () => {
      await set({ requesterAccess: 'anyone' });
      const at = await open('manager@acme.test');
      await at.at('#/desk/people', 'Service desk');
      await at.page.getByLabel('Signed-in requesters').check();
      await set({ requesterAccess: undefined });
      await at.press('Save');
      const choices = at.page.getByRole('group', { name: 'Who may report a problem' }).first();
      await choices.getByText('(nothing)').waitFor();
      await choices.getByRole('radio', { name: 'Theirs' }).check();
      await expect.poll(() => at.page.getByLabel('Staff only').isChecked()).toBe(true);
      await at.press('Save');
      await at.page.getByText('The configuration is saved.').waitFor();
      expect((await stored()).requesterAccess).toBeUndefined();
    });
  });

  describe('with a lost answer', () => {
    const notesOf = async (id: string) => {
      const { body } = await server().call(
        AGENT,
        'GET',
        `/api/service-desk/requests/${id}/updates`,
      );
      return JSON.stringify(body).split('Not ours.').length - 1;
    };
    /** Presses twice: the first answer is lost, and the page has heard of the change before. */
    const pressTwice = async (at: OpenPortal, name: string, route: RegExp, change: string) => {
      await dialogIn(at).getByLabel('Internal note (optional)').fill('Not ours.');
      const connect = await loseAnswer(at.page, route, { isAway: true });
      const press = () => dialogIn(at).getByRole('button', { name, exact: true }).click();
      await press();
      await dialogIn(at).getByText('The server cannot be reached.').waitFor();
      await at.page.locator('.timeline').getByText(change).waitFor();
      await connect();
      await press();
      await dialogIn(at).waitFor({ state: 'detached' });
    };

    it('is the same move when it is pressed again', async () => {
      const at = await atTicket();
      await at.press('With a note');
      await pressTwice(at, 'Move', /\/transition$/, 'from New to Triaged');
      expect(await ticket(at.raised.id)).toMatchObject({ state: 'triaged' });
      expect(await notesOf(at.raised.id)).toBe(1);
    });

    it('is the same assignment when it is pressed again', async () => {
      const at = await atTicket();
      await at.press('Assign');
      await dialogIn(at).getByLabel('Team').fill('painters');
      await pressTwice(at, 'Assign', /\/assign$/, 'assigned it to team painters');
      expect(await ticket(at.raised.id)).toMatchObject({ assignedTeamId: 'painters' });
      expect(await notesOf(at.raised.id)).toBe(1);
    });

    it('is a note where nothing but a note is left of an assignment', async () => {
      const at = await atTicket();
      await at.press('Assign');
      await dialogIn(at).getByLabel('Internal note (optional)').fill('Not ours.');
      await dialogIn(at).getByRole('button', { name: 'Assign', exact: true }).click();
      await at.page.getByText(`The note is on ${at.raised.number}.`).waitFor();
      await dialogIn(at).waitFor({ state: 'detached' });
      expect(await notesOf(at.raised.id)).toBe(1);
    });
  });

  describe('that was typed', () => {
    const noteIn = ({ page }: OpenPortal) => page.getByLabel('Note', { exact: true });

    it('is asked about before Esc closes its dialog, and editing continues', async () => {
      const at = await atTicket();
      await at.press('Edit');
      await dialogIn(at).getByLabel('Subject').fill('Half an hour of typing');
      await at.page.keyboard.press('Escape');
      await asksToDiscard(at.page);
      expect(await seriousIn(at.page)).toEqual([]);
      // The focus is on "Keep editing".
      await at.page.keyboard.press('Enter');
      await at.page.getByText('Discard what you typed?').waitFor({ state: 'detached' });
      await expect
        .poll(() => at.page.getByLabel('Subject').inputValue())
        .toBe('Half an hour of typing');
      // A browser closes a dialog by itself where Esc is pressed again and again.
      for (let times = 1; times <= 3; times += 1) {
        await at.page.keyboard.press('Escape');
        await asksToDiscard(at.page);
        await at.page.keyboard.press('Escape');
        await at.page.getByText('Discard what you typed?').waitFor({ state: 'detached' });
        await at.page.getByLabel('Subject').waitFor();
      }
      await at.page.keyboard.press('Escape');
      await at.press('Discard');
      await at.page.getByRole('dialog').waitFor({ state: 'detached' });
      await at.press('Edit');
      await expect.poll(() => at.page.getByLabel('Subject').inputValue()).toBe('Tap drips');
    });

    it('is asked about before another page is opened, and before going back', async () => {
      const at = await atTicket();
      await at.at('#/tickets', 'Tickets');
      await at.at(`#/tickets/${at.raised.id}`, 'Tap drips');
      await noteIn(at).fill('Half an hour of typing');
      await at.page.getByRole('link', { name: 'Buildings' }).click();
      await asksToDiscard(at.page);
      await at.press('Keep editing');
      await expect.poll(() => at.page.url()).toContain(at.raised.id);
      await expect.poll(() => noteIn(at).inputValue()).toBe('Half an hour of typing');

      await at.page.goBack();
      await asksToDiscard(at.page);
      await at.press('Keep editing');
      await expect.poll(() => at.page.url()).toContain(at.raised.id);
      await expect.poll(() => noteIn(at).inputValue()).toBe('Half an hour of typing');

      await at.page.goBack();
      await at.press('Discard');
      await at.page.getByRole('heading', { name: 'Tickets', level: 1 }).waitFor();
      await at.at(`#/tickets/${at.raised.id}`, 'Tap drips');
      await expect.poll(() => noteIn(at).inputValue()).toBe('');
    });

    it('is asked about by the browser before the page is left', async () => {
      const at = await atTicket();
      await noteIn(at).fill('Half an hour of typing');
      const asked = at.page.waitForEvent('dialog');
      const reloading = at.page.reload();
      const dialog = await asked;
      expect(dialog.type()).toBe('beforeunload');
      await dialog.accept();
      await reloading;
    });

    it('survives a crash as a draft, and is removed when sent', async () => {
      const at = await atTicket();
      await noteIn(at).fill('Half an hour of typing');
      await at.press('Edit');
      await dialogIn(at).getByLabel('Subject').fill('Tap drips all night');
      // As after a crash: the page ends without a question.
      await at.page.close({ runBeforeUnload: false });
      const page = await at.page.context().newPage();
      await page.goto(`${server().url}/#/tickets/${at.raised.id}`);
      await page.getByText(/^Draft from \d\d:\d\d restored/).waitFor();
      await expect
        .poll(() => page.getByLabel('Note', { exact: true }).inputValue())
        .toBe('Half an hour of typing');
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.locator('.timeline').getByText('Half an hour of typing').waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      const subject = page.getByRole('dialog').getByLabel('Subject');
      await expect.poll(() => subject.inputValue()).toBe('Tap drips all night');
      expect(await seriousIn(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
      await expect.poll(() => subject.inputValue()).toBe('Tap drips');
      expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toContain('draft');
    });

    it('is not removed by the same form in another tab', async () => {
      const at = await atTicket();
      const other = await at.page.context().newPage();
      await other.goto(`${server().url}/#/tickets/${at.raised.id}`);
      const otherNote = other.getByLabel('Note', { exact: true });
      await otherNote.waitFor();
      await noteIn(at).fill('Half an hour of typing');
      await otherNote.fill('A short one');
      await other.getByRole('button', { name: 'Add note' }).click();
      await other.locator('.timeline').getByText('A short one').waitFor();
      await at.page.close({ runBeforeUnload: false });
      await other.reload();
      await expect.poll(() => otherNote.inputValue()).toBe('Half an hour of typing');
    });

    it('is hidden from other users of the browser', async () => {
      const at = await atTicket();
      await noteIn(at).fill('Half an hour of typing');
      await at.page.close({ runBeforeUnload: false });
      await at.page.context().clearCookies();
      await signInAs(at.page.context(), server(), 'manager@acme.test');
      const page = await at.page.context().newPage();
      await page.goto(`${server().url}/#/tickets/${at.raised.id}`);
      const note = page.getByLabel('Note', { exact: true });
      await note.waitFor();
      await expect.poll(() => note.inputValue()).toBe('');
    });
  });

  describe('kept as a draft', () => {
    const PREFIX = 'atrium.draft:';
    const draftsIn = async (page: Page) => {
      const entries = await page.evaluate<[string, string][]>('Object.entries(localStorage)');
      return entries.filter(([key]) => key.startsWith(PREFIX)).map(([key]) => key);
    };
    const keep = (page: Page, name: string, at: number) =>
      page.evaluate(`localStorage.setItem('${PREFIX}${name}', '{"at":${at},"content":{}}')`);

    it('is bounded in number: the oldest is evicted', async () => {
      const at = await atTicket();
      const now = Date.now();
      for (let age = 1; age <= 60; age += 1) await keep(at.page, `of${age}`, now - age * 1_000);
      await at.page.getByLabel('Note', { exact: true }).fill('One more');
      const kept = await draftsIn(at.page);
      expect(kept).toHaveLength(50);
      expect(kept).toContain(`${PREFIX}of49`);
      expect(kept).not.toContain(`${PREFIX}of50`);
    });

    it('is bounded in age: it is deleted after seven days', async () => {
      const at = await atTicket();
      const weekAgo = Date.now() - 7 * 86_400_000;
      await keep(at.page, 'old', weekAgo - 60_000);
      await keep(at.page, 'young', weekAgo + 60_000);
      await at.page.getByLabel('Note', { exact: true }).fill('One more');
      const kept = await draftsIn(at.page);
      expect(kept).toContain(`${PREFIX}young`);
      expect(kept).not.toContain(`${PREFIX}old`);
    });

    it('is bounded in size, and the form names fields that are not kept', async () => {
      const at = await open('manager@acme.test');
      await at.at('#/desk/json', 'Service desk');
      await at.page.getByLabel('The configuration as JSON').fill(' '.repeat(200_001));
      await at.page.getByText('too long to be saved as a draft').waitFor();
      expect(await draftsIn(at.page)).toEqual([]);
    });

    it('is no longer kept where the browser has no room, and the form says so', async () => {
      const at = await atTicket();
      await at.page.evaluate(`(() => {
        for (let length = 2 ** 22, n = 0; length >= 1; length /= 2)
          try {
            for (;;) localStorage.setItem(\`of another program \${n++}\`, 'x'.repeat(length));
          } catch {}
      })()`);
      await at.page.getByLabel('Note', { exact: true }).fill('One more');
      await at.page.getByText('This browser has no room to keep it').waitFor();
      expect(await seriousIn(at.page)).toEqual([]);
    });
  });

  describe('with a dialog', () => {
    it('begins in its first field and ends at the button that opened it', async () => {
      const at = await atTicket();
      const edit = at.page.getByRole('button', { name: 'Edit' });
      await edit.focus();
      await at.page.keyboard.press('Enter');
      await at.page.getByText('Discard what you typed?').waitFor({ state: 'detached' });
      const subject = dialogIn(at).getByLabel('Subject');
      await subject.waitFor();
      expect(await subject.evaluate((field) => field.matches(':focus'))).toBe(true);
      await at.page.keyboard.press('Escape');
      await at.page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await edit.evaluate((button) => button.matches(':focus'))).toBe(true);
    });

    it('that is saved confirms it in words that screen readers announce', async () => {
      const at = await atTicket();
      await at.press('Edit');
      await dialogIn(at).getByLabel('Subject').fill('Tap leaks');
      await at.page.evaluate(WATCH_INSERTED);
      await at.press('Save');
      await at.page.getByRole('status').filter({ hasText: 'is changed.' }).waitFor();
      // Words that are inserted with their region are not announced.
      expect(await at.page.evaluate('inserted')).toEqual(['']);
    });
  });
});
