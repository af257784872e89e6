import { codecOf } from '../../engine/log/codec.ts';
import { allowanceEventSchemas, type AllowanceEvent } from './allowance.ts';
import { sandboxEventSchemas, type SandboxEvent } from './events.ts';
import { snapshotEventSchemas, type SnapshotEvent } from './snapshots/events.ts';

export const allowanceCodec = codecOf<AllowanceEvent>(allowanceEventSchemas);
export const sandboxCodec = codecOf<SandboxEvent>(sandboxEventSchemas);
export const snapshotCodec = codecOf<SnapshotEvent>(snapshotEventSchemas);
