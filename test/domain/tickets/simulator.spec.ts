import { describe, expect, it } from 'vitest';
import { isRefusal, type Refusal } from '../../../src/engine/aggregates/decider.ts';
import type { Configuration } from '../../../src/domain/service-desk/configuration.ts';
import { simulatorsOf, type Simulator } from '../../../src/domain/tickets/simulation.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';
import { noon } from '../../support/domain/specify.ts';
import { draft } from '../../support/domain/tickets.ts';

const configuration = configured({
  routingRules: [
    rule('water', { match: { text: 'water' }, raisePriorityTo: 'critical', note: 'The valve.' }),
    rule('lift', { match: { text: 'lift' }, assignTeamId: 'lifts' }),
  ],
  slaPolicies: [
    {
      name: 'lifts',
      match: { text: 'lift' },
      firstResponseMinutes: 10,
      resolutionMinutes: 20,
    },
  ],
});
const NOTE_IDS = ['7d0c1a52-8c0e-4f0c-9d39-000000000001', '7d0c1a52-8c0e-4f0c-9d39-000000000002'];
const simulatorOf = (of: Configuration) => simulatorsOf([of])[0];
const descriptions = ['Water in the lift.', 'A draught.', 'The lift is stuck.', 'Water.'];

const simulatedBy = (simulate: Simulator | Refusal, description: string) => {
  if (isRefusal(simulate)) throw new Error(simulate.refused);
  const of = { ...draft, description };
  return simulate({ type: 'OpenTicket', draft: of, noteIds: NOTE_IDS }, noon);
};

describe('a simulator', () => {
  it('simulates each of several tickets as one of its own would', () => {
    const simulate = simulatorOf(configuration);
    const together = descriptions.map((description) => simulatedBy(simulate, description));
    expect(together).toEqual(
      descriptions.map((description) => simulatedBy(simulatorOf(configuration), description)),
    );
    expect(together[0]).toMatchObject({ ticket: { priority: 'critical' } });
    expect(together[1]).toMatchObject({ terms: { policy: null } });
    expect(together[2]).toMatchObject({ terms: { policy: 'lifts' } });
  });

  it('prepares the texts of a configuration once, however many tickets it simulates', () => {
    let reads = 0;
    const counted: Configuration = {
      ...configuration,
      routingRules: configuration.routingRules.map((one) => ({
        ...one,
        match: {
          get text() {
            reads += 1;
            return one.match.text!;
          },
        },
      })),
    };
    const simulate = simulatorOf(counted);
    simulatedBy(simulate, 'A draught.');
    const afterOne = reads;
    simulatedBy(simulate, 'A draught.');
    const perTicket = reads - afterOne;
    // Each rule is compared with the ticket, and no text is prepared again.
    expect(perTicket).toBeLessThanOrEqual(configuration.routingRules.length);
    expect(afterOne).toBeGreaterThan(perTicket);
  });

  it('searches a ticket once for several configurations', () => {
    const readsBy = (configurations: readonly Configuration[]) => {
      let reads = 0;
      const counted = {
        ...draft,
        get description() {
          reads += 1;
          return 'Water in the lift.';
        },
      };
      for (const simulate of simulatorsOf(configurations)) {
        if (isRefusal(simulate)) throw new Error(simulate.refused);
        simulate({ type: 'OpenTicket', draft: counted, noteIds: NOTE_IDS }, noon);
      }
      return reads;
    };
    expect(readsBy([configuration, configuration])).toBeLessThan(2 * readsBy([configuration]));
  });

  it('is refused for a configuration that a PUT refuses', () => {
    const twice = configured({ routingRules: [rule('a'), rule('a')] });
    expect(simulatorOf(twice)).toMatchObject({ refused: 'VALIDATION_FAILED' });
    // It counts as it was given, without the ids of places that are added to it.
    const [given] = simulatorsOf([configured({})], [twice]);
    expect(given).toMatchObject({ refused: 'VALIDATION_FAILED' });
    expect(isRefusal(simulatorsOf([twice], [configured({})])[0])).toBe(false);
  });
});
