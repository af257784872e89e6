/** Configurations of a service desk, with what a test does not care about filled in. */
import type { Configuration, RoutingRule } from '../../../src/domain/service-desk/configuration.ts';
import { emptyConfiguration } from '../../../src/domain/service-desk/configuration.ts';
import type { Routable } from '../../../src/domain/service-desk/routing.ts';

export const configured = (parts: Partial<Configuration>): Configuration => ({
  ...emptyConfiguration,
  ...parts,
});

/** A rule about every ticket, called by its id. */
export const rule = (ruleId: string, parts: Partial<RoutingRule> = {}): RoutingRule => ({
  ruleId,
  name: `Rule ${ruleId}`,
  match: {},
  ...parts,
});

export const routable = (parts: Partial<Routable> = {}): Routable => ({
  requestType: 'general',
  priority: 'medium',
  category: null,
  buildingId: '0b000000-0000-4000-8000-000000000001',
  storeyId: null,
  spaceId: null,
  elementId: null,
  subject: null,
  description: 'The lamp flickers.',
  ...parts,
});
