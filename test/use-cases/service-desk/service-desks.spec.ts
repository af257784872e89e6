import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { serviceDeskCodec } from '../../../src/domain/service-desk/codecs.ts';
import { deskDecider } from '../../../src/domain/service-desk/desk.ts';
import { emptyConfiguration } from '../../../src/domain/service-desk/configuration.ts';
import type { Configuration } from '../../../src/domain/service-desk/configuration.ts';
import { serviceDeskRepository } from '../../../src/use-cases/service-desk/service-desks.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';
import { noon } from '../../support/domain/specify.ts';

const workflow = { requestType: 'repair', transitions: { new: ['cancelled' as const] } };

/** ServiceDesks on a log that records its reads. */
const setUp = () => {
  const log = memoryEventStore();
  const read: string[] = [];
  const counted: EventStore = {
    ...log,
    readStream: (stream, options) => {
      read.push(`${stream} from ${options?.from ?? 0}`);
      return log.readStream(stream, options);
    },
  };
  const set = (organisation: string, configuration: Configuration) =>
    serviceDeskRepository(log).give(
      organisation,
      {
        commandId: randomUUID(),
        command: { type: 'ReplaceConfiguration', organisation, configuration },
        organisation,
      },
      noon,
    );
  return { log, read, set, desks: serviceDeskRepository(counted) };
};

describe('the configuration read by a create', () => {
  it('is empty by default', async () => {
    const { desks: all } = setUp();
    expect(await all.configurationOf('acme')).toEqual(emptyConfiguration);
    expect(await all.workflowOf('acme', 'repair')).toBeUndefined();
  });

  it("is the organisation's current one, also when set by another process", async () => {
    const { desks: all, set } = setUp();
    for (const ruleId of ['a', 'b']) {
      await set('acme', configured({ routingRules: [rule(ruleId)], workflows: [workflow] }));
      expect((await all.configurationOf('acme')).routingRules).toEqual([rule(ruleId)]);
    }
    expect(await all.workflowOf('acme', 'repair')).toEqual(workflow);
    expect(await all.workflowOf('acme', 'general')).toBeUndefined();
    expect(await all.configurationOf('globex')).toEqual(emptyConfiguration);
  });

  it('costs one read of the tail, shared by concurrent callers', async () => {
    const { desks: all, read, set } = setUp();
    await set('acme', configured({ routingRules: [rule('a')] }));
    await all.configurationOf('acme');
    await all.configurationOf('acme');
    expect(read).toEqual(['serviceDesk-acme from 0', 'serviceDesk-acme from 1']);
    read.length = 0;
    await Promise.all(Array.from({ length: 50 }, () => all.configurationOf('acme')));
    // One for the first caller, and one for all callers after that read was sent.
    expect(read).toEqual(['serviceDesk-acme from 1', 'serviceDesk-acme from 1']);
  });

  it('is in the log under the organisation, and round-trips', async () => {
    const { log, set } = setUp();
    const configuration = configured({ routingRules: [rule('a', { match: { text: 'gas' } })] });
    await set('acme', configuration);
    const [stored] = await log.readStream('serviceDesk-acme');
    const { event, organisation } = serviceDeskCodec.decode(stored!);
    expect(organisation).toBe('acme');
    expect(deskDecider.evolve(event, null, noon.at)).toEqual(configuration);
  });
});
