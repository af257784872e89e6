import { codecOf } from '../../engine/log/codec.ts';
import { deskEventSchemas, type DeskEvent } from './desk.ts';

export const serviceDeskCodec = codecOf<DeskEvent>(deskEventSchemas);
