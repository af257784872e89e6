import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { emptyConfiguration } from '../../../src/domain/service-desk/configuration.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { tryConfiguration } from '../../../src/use-cases/tickets/try-configuration.ts';
import { noon } from '../../support/domain/specify.ts';
import { draft, opened } from '../../support/domain/tickets.ts';

it('a trial leaves out tickets that cannot be read, and those that are gone', async () => {
  const log = memoryEventStore();
  const meta = { commandId: randomUUID(), organisation: 'acme', ...noon };
  const fact = ticketCodec.encode(randomUUID(), opened(), meta);
  await log.append(`ticket-${draft.ticketId}`, 'no_stream', [fact]);
  const broken = randomUUID();
  const damaged = { ...fact, id: randomUUID(), data: { ...(fact.data as object), number: 1 } };
  await log.append(`ticket-${broken}`, 'no_stream', [damaged]);
  const tried = await tryConfiguration(
    {
      graph: { aliasesOf: async () => new Map(), successorsOf: async (_, places) => places },
      log,
      lastExpiryAfter: async () => -1,
    },
    'acme',
    [broken, randomUUID(), draft.ticketId],
    { before: emptyConfiguration, after: emptyConfiguration },
  );
  expect(tried).toMatchObject([{ ticketId: draft.ticketId, title: 'Sink' }]);
});
