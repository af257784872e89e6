/** Organisations' keys in the log: `keyring-<first 12 characters of a keyId>`. */
import type { KeyringEvent } from '../../domain/keyring/events.ts';
import { keyringDecider, type KeyringCommand } from '../../domain/keyring/keyring.ts';
import { keyringAfter, type KeyringView } from '../../domain/keyring/view.ts';
import { aggregate, type Aggregate } from '../aggregate.ts';
import type { Codec } from '../codec.ts';
import { keyringCodec } from '../codecs.ts';
import type { EventStore } from '../event-store.ts';

/** @param codec How their facts are written. Default: as this release does. */
export const keyringRepository = (
  log: EventStore,
  codec: Codec<KeyringEvent> = keyringCodec,
): Aggregate<KeyringCommand, KeyringView> =>
  aggregate({
    log,
    category: 'keyring',
    codec,
    decider: keyringDecider,
    viewAfter: keyringAfter,
  });
