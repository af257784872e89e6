/** The chains of the audit where the log is a real EventStoreDB. docs/decisions/0048. */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { useJournal } from '../../src/domain/keys/journals.ts';
import { checkJournal } from '../../src/operator/audit-chain/journal-check.ts';
import { chainedJournals } from '../../src/operator/audit-chain/journals.ts';
import { AuditChains } from '../../src/processes/keys/audit-chains.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { keyIssued } from '../support/log/key-audit.ts';

describe('on a real EventStoreDB', () => {
  const log = eventstoreDbStore({ url: inject('eventstoreUrl') });
  afterAll(() => log.close());

  const chained = async () => {
    const organisation = `org-${randomUUID().slice(0, 8)}`;
    const at = systemClock.now();
    const key = await keyIssued(log, organisation, at);
    const journal = useJournal(organisation, at);
    await key.usedBefore(Array.from({ length: 5 }, () => key.use(at)));
    const chains = new AuditChains({ log, clock: systemClock });
    const records = await log.readStream(journal);
    chains.add(records);
    await chains.flush();
    return { journal, ids: records.map(({ id }) => id) };
  };
  const check = (journal: string) => checkJournal(journal, { log, followed: null, against: null });

  it('finds an untouched journal in order', async () => {
    const { journal } = await chained();
    expect(await check(journal)).toEqual({ chained: 5, waiting: 0, differences: [] });
    expect([...(await chainedJournals(log, systemClock.now()))]).toContain(journal);
  });

  it('names records that an administrator has truncated', async () => {
    const { journal, ids } = await chained();
    await log.truncateStream(journal, 2);
    expect((await check(journal)).differences).toEqual([
      `${journal}, revisions 0 to 1: the records were removed: ${ids[0]}, ${ids[1]}`,
    ]);
  });

  it('reports a journal that an administrator has deleted as missing', async () => {
    const { journal } = await chained();
    await log.deleteStream(journal);
    expect((await check(journal)).differences).toEqual([`${journal} is missing: 5 records`]);
  });
});
