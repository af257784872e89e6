/** contract.md section 11: expiry of a closed ticket's personal data, and concurrent commands. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TicketCommand } from '../../../src/domain/tickets/commands.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { expireTicket, forgetKeysOf } from '../../../src/use-cases/erasures/expire-ticket.ts';
import { noon } from '../../support/domain/specify.ts';
import { acme, draft, transition } from '../../support/domain/tickets.ts';
import { ticketRepository } from '../../../src/use-cases/tickets/tickets.ts';

const { ticketId } = draft;
const monthsLater = (months: number) => new Date(Date.UTC(2026, 2 + months, 3)).toISOString();
const note = (): TicketCommand => ({
  type: 'AddNote',
  authority: acme,
  noteId: randomUUID(),
  body: 'Zyxwvut called',
  visibility: 'internal',
});

/** A ticket that was cancelled at noon of 2 March 2026, kept for a month. */
const desk = async ({ personalDataMonths = 1 }: { personalDataMonths?: number | null } = {}) => {
  const log = memoryEventStore();
  const tickets = ticketRepository(log);
  const give = (command: TicketCommand, at = noon.at) =>
    tickets.give(ticketId, { commandId: randomUUID(), command }, { ...noon, at });
  await give({ type: 'OpenTicket', draft: { ...draft, reporterName: 'Zyxwvut' } });
  const keys = new Set([`ticket:${ticketId}`, 'ticket:other']);
  const parts = {
    log,
    tickets,
    keys: {
      keysOf: async (_: string, subjects: readonly string[]) =>
        subjects.flatMap((subject) =>
          keys.has(subject) ? [{ keyId: subject, subject, purpose: 'identity' as const }] : [],
        ),
      destroy: async (ids: readonly string[]) => ids.forEach((id) => keys.delete(id)),
    },
    configurationOf: async () => (personalDataMonths === null ? {} : { personalDataMonths }),
  };
  const expiries = async () =>
    (await log.readStream(`ticket-${ticketId}`)).filter(
      ({ type }) => type === 'TicketPersonalDataErased',
    ).length;
  const close = () => give(transition('cancelled'));
  const look = async () => (await tickets.look(ticketId))!.view;
  return { parts, give, close, keys, expiries, look };
};

describe('the personal data of a ticket', () => {
  it('expires once, when it was closed for long enough, with the ticket’s own keys', async () => {
    const { parts, close, keys, expiries, look } = await desk();
    await close();
    expect(await expireTicket(parts, ticketId, '2026-04-02T11:59:00.000Z')).toBe(false);
    expect(await expireTicket(parts, ticketId, '2026-04-02T12:01:00.000Z')).toBe(true);
    expect(await look()).toMatchObject({ reporterName: null, reporterErased: true });
    expect([...keys]).toEqual(['ticket:other']);
    expect(await expireTicket(parts, ticketId, monthsLater(3))).toBe(false);
    expect(await expiries()).toBe(1);
  });

  it.each([
    ['is not closed', async () => desk()],
    ['is kept by its organisation', async () => desk({ personalDataMonths: null })],
  ])('stays when the ticket %s', async (what, made) => {
    const { parts, close, keys, expiries } = await made();
    if (what !== 'is not closed') await close();
    expect(await expireTicket(parts, ticketId, monthsLater(5))).toBe(false);
    expect(await expiries()).toBe(0);
    expect(keys.size).toBe(2);
  });

  it('stays with a note that is added while it expires, and expires with it later', async () => {
    const { parts, give, close, keys, expiries, look } = await desk();
    await close();
    let isAdded = false;
    const racing = {
      ...parts,
      tickets: {
        // After the facts were read, before the ticket decides.
        give: async (...command: Parameters<typeof parts.tickets.give>) => {
          if (!isAdded) await give(note(), monthsLater(2));
          isAdded = true;
          return parts.tickets.give(...command);
        },
      },
    };
    expect(await expireTicket(racing, ticketId, monthsLater(2))).toBe(false);
    expect(await look()).toMatchObject({ reporterName: 'Zyxwvut' });
    expect([await expiries(), keys.size]).toEqual([0, 2]);
    expect(await expireTicket(parts, ticketId, monthsLater(4))).toBe(true);
    expect([await expiries(), keys.size]).toEqual([1, 1]);
  });

  it('expires again after something was added', async () => {
    const { parts, give, close, expiries } = await desk();
    await close();
    await expireTicket(parts, ticketId, monthsLater(2));
    await give(note(), monthsLater(3));
    expect(await expireTicket(parts, ticketId, monthsLater(3))).toBe(false);
    expect(await expireTicket(parts, ticketId, monthsLater(5))).toBe(true);
    expect(await expiries()).toBe(2);
  });

  it('loses keys left by a kill, and no key that newer data needs', async () => {
    const { parts, give, close, keys } = await desk();
    await close();
    const killed = {
      ...parts,
      keys: { ...parts.keys, keysOf: () => Promise.reject(new Error('killed')) },
    };
    await expect(expireTicket(killed, ticketId, monthsLater(2))).rejects.toThrow('killed');
    expect(keys.size).toBe(2);
    await forgetKeysOf(parts, ticketId);
    expect([...keys]).toEqual(['ticket:other']);
    keys.add(`ticket:${ticketId}`);
    await give(note(), monthsLater(3));
    await forgetKeysOf(parts, ticketId);
    expect(keys.size).toBe(2);
  });
});
