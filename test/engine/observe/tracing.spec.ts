/** The export of spans to a collector, and their loss where there is none. */
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { SamplerName, Sampling } from '../../../src/engine/observe/sampling.ts';
import { untraced, within, type NewSpan } from '../../../src/engine/observe/tracing.ts';
import { openTelemetry } from '../../../src/engine/observe/open-telemetry.ts';
import { importsOf, text } from '../../support/sources.ts';
import { collector } from '../../support/tracing/collector.ts';
import { until } from '../../support/until.ts';

const settings = {
  sampling: { sampler: 'parentbased_always_on', ratio: 1 },
  serviceName: 'atrium',
  version: '1.2.3',
  instance: 'test',
  queueSpansMax: 2_048,
  sendEveryMs: 10,
} as const;

/** Ends with the test. */
const tracingTo = (endpoint: string, sampling: Sampling = settings.sampling) => {
  const tracing = openTelemetry({ ...settings, endpoint, sampling });
  onTestFinished(() => tracing.close());
  return tracing;
};

const collecting = async () => {
  const made = await collector();
  onTestFinished(() => made.close());
  return made;
};

const NOWHERE = 'http://127.0.0.1:1/v1/traces';

const span = (name: string) => (): NewSpan => ({ name, kind: 'internal', attributes: {} });

const traceparent = (flags = '01') =>
  `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-${flags}`;

const traceOf = (from: string) => from.split('-')[1]!;

it('exports a child span and its parent, with the attributes of the service', async () => {
  const collected = await collecting();
  const tracing = tracingTo(collected.endpoint);
  const caller = traceparent();
  const outer = tracing.begin(span('outer'), caller)!;
  await within(outer, () => within(tracing.child(span('inner')), () => nextTurn()));
  const inner = await collected.span(traceOf(caller), 'outer', 'inner');
  expect(inner.resource).toMatchObject({ 'service.name': 'atrium', 'service.version': '1.2.3' });
  expect(inner.parentSpanId).toBe(outer.traceparent.split('-')[2]);
});

it('begins a new trace for a caller without a valid traceparent', () => {
  const tracing = tracingTo(NOWHERE);
  for (const caller of [
    undefined,
    '',
    'x',
    '00-0-0-01',
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
  ])
    expect(tracing.begin(span('it'), caller)?.traceparent).toMatch(
      /^00-[\da-f]{32}-[\da-f]{16}-01$/,
    );
});

it('continues only a valid, sampled trace', () => {
  const tracing = tracingTo(NOWHERE, { sampler: 'always_on', ratio: 1 });
  expect(tracing.child(span('it'))).toBeNull();
  expect(tracing.follow(span('it'), undefined)).toBeNull();
  expect(tracing.follow(span('it'), 'x')).toBeNull();
  expect(tracing.follow(span('it'), traceparent('00'))).toBeNull();
  const cause = traceparent();
  expect(traceOf(tracing.follow(span('it'), cause)!.traceparent)).toBe(traceOf(cause));
});

it.each<[SamplerName, number, { root: boolean; sampled: boolean; unsampled: boolean }]>([
  ['parentbased_always_on', 1, { root: true, sampled: true, unsampled: false }],
  ['parentbased_always_off', 1, { root: false, sampled: true, unsampled: false }],
  ['parentbased_traceidratio', 0, { root: false, sampled: true, unsampled: false }],
  ['always_on', 1, { root: true, sampled: true, unsampled: true }],
  ['traceidratio', 0, { root: false, sampled: false, unsampled: false }],
  ['always_off', 1, { root: false, sampled: false, unsampled: false }],
])('%s with %d samples as specified', (sampler, ratio, expected) => {
  const tracing = tracingTo(NOWHERE, { sampler, ratio });
  const samples = (caller?: string) => tracing.begin(span('it'), caller) !== null;
  expect({
    root: samples(),
    sampled: samples(traceparent('01')),
    unsampled: samples(traceparent('00')),
  }).toEqual(expected);
});

it("detaches shared work, and the work that it starts, from a caller's trace", async () => {
  const tracing = tracingTo(NOWHERE);
  const one = tracing.begin(span('one'), undefined)!;
  await one.run(async () => {
    expect(tracing.logged()).toEqual({
      trace_id: traceOf(one.traceparent),
      span_id: one.traceparent.split('-')[2],
    });
    await tracing.apart(async () => {
      await nextTurn();
      expect(tracing.current()).toBeUndefined();
      expect(tracing.logged()).toEqual({});
    });
    expect(tracing.current()).toBe(one.traceparent);
  });
  expect(tracing.current()).toBeUndefined();
});

it('records the error type of a failed span, and rethrows the error', async () => {
  const collected = await collecting();
  const tracing = tracingTo(collected.endpoint);
  const caller = traceparent();
  const failing = within(tracing.begin(span('it'), caller), () =>
    Promise.reject(new RangeError('too far')),
  );
  await expect(failing).rejects.toThrow('too far');
  expect(await collected.span(traceOf(caller), 'it')).toMatchObject({
    failed: true,
    attributes: { 'error.type': 'RangeError' },
  });
});

it('drops spans that the collector rejects, warns once, and delays no caller', async () => {
  const collected = await collecting();
  collected.status = 400;
  const tracing = tracingTo(collected.endpoint);
  const warnings: object[] = [];
  tracing.reportTo({ warn: (details) => void warnings.push(details) });
  const end = () => tracing.begin(span('lost'), undefined)!.end();
  end();
  await until(() => warnings.length > 0, 'that spans are lost');
  expect(warnings).toEqual([{ err: expect.any(Error) as unknown, spans: 1 }]);
  collected.status = 200;
  const caller = traceparent();
  tracing.begin(span('kept'), caller)!.end();
  await collected.span(traceOf(caller), 'kept');
  expect(warnings).toHaveLength(1);
});

it('buffers at most a queue and a batch of spans, and drops the rest', async () => {
  const collected = await collecting();
  const tracing = tracingTo(collected.endpoint);
  const caller = traceparent();
  for (let count = 0; count < 5_000; count += 1) tracing.begin(span('it'), caller)!.end();
  await tracing.close();
  expect(collected.of(traceOf(caller))).toHaveLength(2_048 + 512);
  // A span after the close is not recorded, and does not fail.
  tracing.begin(span('late'), undefined)?.end();
});

it('stops in time without a collector', async () => {
  const tracing = openTelemetry({ ...settings, endpoint: NOWHERE });
  tracing.begin(span('it'), undefined)!.end();
  await tracing.close();
});

it('creates no span and loads no library where it is off', async () => {
  expect(
    untraced.begin(() => expect.fail('nobody asks what it would be'), traceparent()),
  ).toBeNull();
  expect(untraced.current()).toBeUndefined();
  expect(await within(null, async () => 'done')).toBe('done');
  const importing = (path: string) =>
    importsOf('src/start.ts', text('src/start.ts')).includes(path);
  expect(importing('src/engine/observe/open-telemetry.ts')).toBe(true);
  expect(text('src/start.ts')).not.toMatch(/^import .*observe\/open-telemetry/m);
});
