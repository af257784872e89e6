import { codecOf } from '../../engine/log/codec.ts';
import type { PersonalEvent } from '../../engine/personal/personal-data.ts';
import { sealedTypes } from '../../engine/personal/sealed-types.ts';
import { viewEventSchemas, type ViewEvent } from './events.ts';

const author = ({ actor: { kind, id } }: PersonalEvent) =>
  kind === 'user'
    ? [
        {
          subject: `user:${id}`,
          purpose: 'identity' as const,
          standIns: { author: { kind, id: 'erased' } },
        },
      ]
    : [];

export const viewCodec = codecOf<ViewEvent>(sealedTypes(viewEventSchemas, { ViewCreated: author }));
