import { codecOf } from '../../engine/log/codec.ts';
import {
  ERASED_USER_ID,
  subjectOfUser,
  type PersonalEvent,
} from '../../engine/log/personal-data.ts';
import { sealedTypes } from '../../engine/personal/sealed-types.ts';
import { viewEventSchemas, type ViewEvent } from './events.ts';

const author = ({ actor: { kind, id } }: PersonalEvent) =>
  kind === 'user'
    ? [
        {
          subject: subjectOfUser(id),
          purpose: 'identity' as const,
          standIns: { author: { kind, id: ERASED_USER_ID } },
        },
      ]
    : [];

export const viewCodec = codecOf<ViewEvent>(sealedTypes(viewEventSchemas, { ViewCreated: author }));
