/** contract.md section 11: whose texts the requests of an erasure mean. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ErasureEvent, TextChoice } from '../../../src/domain/erasures/events.ts';
import { identityKeysOfTexts, requestsIn } from '../../../src/domain/erasures/requests.ts';
import type { Actor } from '../../../src/engine/aggregates/decider.ts';

const erasureId = randomUUID();
const manager: Actor = { kind: 'user', id: 'ana' };
const system: Actor = { kind: 'system', id: 'process:erasing' };

const asked = (texts: TextChoice, identityKeys: readonly string[], by = manager) => ({
  event: {
    type: 'ErasureRequested',
    erasureId,
    organisation: 'acme',
    identityKeys,
    textKeys: [],
    texts,
    reason: 'Asked.',
    sessions: 0,
  } satisfies ErasureEvent,
  by,
});
const finished = {
  event: {
    type: 'ErasureFinished',
    erasureId,
    requests: 1,
    found: { tickets: 0, notes: 0, attachments: 0, sessions: 0 },
  } satisfies ErasureEvent,
  by: system,
};

describe('the identity keys of the texts that open requests erase', () => {
  it.each<[string, readonly Parameters<typeof requestsIn>[0][number][], readonly string[]]>([
    ['are those of the request', [asked('erase', ['a'])], ['a']],
    ['are none where the texts are kept', [asked('keep', ['a'])], []],
    ['include earlier requests', [asked('keep', ['a']), asked('erase', ['b'])], ['a', 'b']],
    ['include finished ones', [asked('keep', ['a']), finished, asked('erase', [])], ['a']],
    ['leave out a later one that keeps', [asked('erase', ['a']), asked('keep', ['b'])], ['a']],
    ['are none after the end', [asked('erase', ['a']), finished, asked('keep', ['b'])], []],
    [
      'are not widened by the process',
      [asked('erase', ['a']), asked('keep', ['b']), asked('erase', [], system)],
      ['a'],
    ],
    [
      'are those of a repeat after a restore alone',
      [asked('keep', ['b'], system), finished, asked('erase', ['a'], system)],
      ['a'],
    ],
  ])('%s', (_, recorded, keys) => expect(identityKeysOfTexts(requestsIn(recorded))).toEqual(keys));
});
