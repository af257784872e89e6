/** Organisations' keys in the log: `keyring-<first 12 characters of a keyId>`. */
import type { KeyringEvent } from '../../domain/keys/events.ts';
import { keyringDecider, type KeyringCommand } from '../../domain/keys/keyring.ts';
import { keyringAfter, type KeyringView } from '../../domain/keys/view.ts';
import { aggregate, type Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { Codec } from '../../engine/log/codec.ts';
import { keyringCodec } from '../../domain/keys/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { KeyringAnnouncements } from '../../identity/keys/key-use-log.ts';
import { streamOf } from '../../engine/log/streams.ts';

/** @param codec How their facts are written. Default: as this release does. */
export const keyringRepository = (
  log: EventStore,
  uses: Pick<KeyringAnnouncements, 'announce'>,
  codec: Codec<KeyringEvent> = keyringCodec,
): Aggregate<KeyringCommand, KeyringView> => {
  const keyrings = aggregate({
    log,
    category: 'keyring',
    codec,
    decider: keyringDecider,
    viewAfter: keyringAfter,
  });
  return {
    look: (id) => keyrings.look(id),
    async give(id, given, occasion) {
      const answer = await keyrings.give(id, given, occasion);
      // Even if nothing was recorded: the process that recorded the change may have died before it
      // announced it.
      await uses.announce(streamOf('keyring', id), answer.revision);
      return answer;
    },
  };
};
