import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { viewAfter } from '../../../src/domain/tickets/view.ts';
import { untraced, within } from '../../../src/engine/observe/tracing.ts';
import { aggregate } from '../../../src/engine/aggregates/aggregate.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import type { NewEvent } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { tracedCommands } from '../../../src/engine/aggregates/traced-commands.ts';
import { tracedLog } from '../../../src/engine/log/traced-log.ts';
import { noon } from '../../support/domain/specify.ts';
import { draft } from '../../support/domain/tickets.ts';
import { collectedTracing } from '../../support/tracing/collected.ts';

const traced = async () => {
  const { collected, tracing, close } = await collectedTracing();
  onTestFinished(close);
  const kept = memoryEventStore();
  const begin = (name: string) =>
    tracing.begin(() => ({ name, kind: 'internal', attributes: {} }), undefined)!;
  return { collected, tracing, kept, log: tracedLog(kept, tracing), begin };
};

const happened = (meta: Record<string, string> = {}): NewEvent => ({
  id: randomUUID(),
  type: 'Happened',
  data: {},
  meta,
});

const traceOf = (traceparent: string | undefined) => traceparent?.split('-')[1];

it("stores each event's own trace, else the trace of its append", async () => {
  const { collected, kept, log, begin } = await traced();
  const [own, others] = [begin('mine'), begin('others')];
  await within(own, () =>
    log.append('it-1', 'any', [happened(), happened({ traceparent: others.traceparent })]),
  );
  others.end();
  const [first, second] = await kept.readStream('it-1');
  const spans = await Promise.all([
    collected.span(traceOf(own.traceparent)!, 'mine', 'append it'),
    collected.span(traceOf(others.traceparent)!, 'others', 'append it'),
  ]);
  expect([first, second].map((event) => event!.meta['traceparent'])).toEqual(
    spans.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
  );
  expect(spans[0].attributes).toMatchObject({
    'messaging.system': 'memory',
    'messaging.destination.name': 'it-1',
    'messaging.destination.template': 'it-{id}',
    'messaging.batch.message_count': 2,
  });
});

it('stores no trace outside of a trace', async () => {
  const { kept, log } = await traced();
  const event = happened({ commandId: 'c' });
  await log.append('it-1', 'any', [event]);
  expect((await kept.readStream('it-1'))[0]!.meta).toEqual({ commandId: 'c' });
  expect(tracedLog(kept, untraced)).toBe(kept);
});

it('replays a command within a trace, where the log cannot detect repeats', async () => {
  const { collected, tracing, kept, log, begin } = await traced();
  const withoutRepeats = logWith(log, {
    capabilities: { ...kept.capabilities, tellsEveryRepeat: false },
  });
  const tickets = tracedCommands(
    tracing,
    'ticket',
    aggregate({
      log: withoutRepeats,
      category: 'ticket',
      codec: ticketCodec,
      decider: ticketDecider,
      viewAfter,
    }),
  );
  const open = () =>
    tickets.give(
      draft.ticketId,
      { commandId: draft.ticketId, bodyHash: 'h', command: { type: 'OpenTicket', draft } },
      noon,
    );
  const [one, two] = [begin('one'), begin('two')];
  expect(await within(one, open)).toMatchObject({ replayed: false });
  // The same command within another trace is the same command.
  expect(await within(two, open)).toMatchObject({ replayed: true });
  const stream = `ticket-${draft.ticketId}`;
  const stored = await kept.readStream(stream);
  expect(stored.map(({ meta }) => traceOf(meta['traceparent']))).toEqual(
    stored.map(() => traceOf(one.traceparent)),
  );
  await collected.span(traceOf(one.traceparent)!, 'one', 'command ticket', 'append ticket');
  expect(await collected.span(traceOf(two.traceparent)!, 'two', 'command ticket')).toMatchObject({
    attributes: { 'atrium.stream': stream, 'atrium.command.replayed': true },
  });
});
