import { codecOf } from '../../engine/log/codec.ts';
import { auditChainEventSchemas, type AuditChainEvent } from './audit-chain.ts';
import { keyringEventSchemas, type KeyringEvent } from './events.ts';
import { sharedJournalEventSchemas, type SharedJournalEvent } from './shared-journals.ts';
import { useIndexEventSchemas, type UsesIndexed } from './use-index.ts';
import { keyUseEventSchemas, type KeyUseEvent } from './uses.ts';

/**
 * Version 2 of a use has the same members, but it is written only once no older release runs: only
 * then may one journal hold uses of several organisations. docs/decisions/0055.
 */
export const keyUseCodec = codecOf<KeyUseEvent>({
  ...keyUseEventSchemas,
  KeyUsed: {
    schema: keyUseEventSchemas.KeyUsed,
    version: 2,
    readableAs: 1,
    upcasters: { 1: (data) => data },
    writtenBefore: { version: 1, data: (data) => data },
  },
});
export const useIndexCodec = codecOf<UsesIndexed>(useIndexEventSchemas);
export const sharedJournalCodec = codecOf<SharedJournalEvent>(sharedJournalEventSchemas);
export const auditChainCodec = codecOf<AuditChainEvent>(auditChainEventSchemas);
/** An unknown member may restrict a key, so a release that does not know it denies the key. */
export const keyringCodec = codecOf<KeyringEvent>(
  {
    ...keyringEventSchemas,
    // Keys issued before there were scopes had full access.
    KeyIssued: {
      schema: keyringEventSchemas.KeyIssued,
      version: 2,
      upcasters: { 1: (data) => ({ ...data, scope: 'full' }) },
    },
  },
  { unknownMembers: 'refused' },
);
