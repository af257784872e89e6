import { expect, it } from 'vitest';
import { telemetryCodec } from '../../../src/domain/telemetry/codecs.ts';

it('an alarm without a value has 0 where older releases may read it', () => {
  const { writtenBefore } = telemetryCodec.types.get('AlarmTriggered')!;
  const alarm = { type: 'AlarmTriggered', threshold: 60 };
  expect(writtenBefore).toMatchObject({ version: 1 });
  expect(writtenBefore!.data({ ...alarm, value: null })).toEqual({ ...alarm, value: 0 });
  expect(writtenBefore!.data({ ...alarm, value: false })).toEqual({ ...alarm, value: false });
});
