/** Tools of sandboxes and of the virtual clock. */
import { z } from 'zod';
import { ToolRefusal } from './answers.ts';
import { commandHeader, idempotencyKey, tool, type Agent, type Tool } from './tool.ts';

const sandboxId = z.string().regex(/^sbx_[0-9a-z]{16}$/);
const isOffered = ({ control }: Agent): boolean => control !== null;
const hasClock = (agent: Agent): boolean => agent.hasClock;

const controlOf = ({ control }: Agent) => {
  if (control) return control;
  throw new ToolRefusal('NOT_FOUND', 'Sandboxes are controlled at the server itself.');
};

const listSandboxes = tool({
  name: 'list_sandboxes',
  title: 'List sandboxes',
  description: 'The sandboxes of the caller, with status, address and time of expiry.',
  effect: 'reads',
  input: {},
  isOffered,
  async run(_, agent, signal) {
    const { data } = await controlOf(agent).GET('/api/v1/sandboxes', { signal });
    return data;
  },
});

const createSandbox = tool({
  name: 'create_sandbox',
  title: 'Create a sandbox',
  description:
    'Requests an isolated copy of the platform with a generated building. It is ' +
    'provisioned in the background: list_sandboxes shows when its status is ready.',
  effect: 'adds',
  input: {
    name: z.string().min(1).max(100),
    buildingType: z.enum(['office', 'mall']).exactOptional(),
    storeys: z.int().min(1).max(50).exactOptional(),
    areaSqm: z.number().min(50).max(1_000_000).exactOptional(),
    ttlDays: z.int().min(1).max(30).exactOptional(),
    seedTelemetryDays: z.int().min(0).max(30).exactOptional(),
    seed: z
      .string()
      .min(1)
      .max(100)
      .exactOptional()
      .describe('The same seed produces the same building.'),
    idempotencyKey,
  },
  isOffered,
  async run({ idempotencyKey: key, ...body }, agent, signal) {
    const { data } = await controlOf(agent).POST('/api/v1/sandboxes', {
      params: commandHeader(key),
      body,
      signal,
    });
    return data;
  },
});

const extendSandbox = tool({
  name: 'extend_sandbox',
  title: 'Extend a sandbox',
  description: 'Adds days to the expiry of a sandbox; at most twice.',
  effect: 'adds',
  input: { sandboxId, days: z.int().min(1).max(30), idempotencyKey },
  isOffered,
  async run({ sandboxId: id, days, idempotencyKey: key }, agent, signal) {
    const { data } = await controlOf(agent).POST('/api/v1/sandboxes/{id}/extend', {
      params: { path: { id }, ...commandHeader(key) },
      body: { days },
      signal,
    });
    return data;
  },
});

const resetSandbox = tool({
  name: 'reset_sandbox',
  title: 'Reset a sandbox',
  description: 'Deletes everything in a sandbox and creates its building again.',
  effect: 'changes',
  input: { sandboxId, idempotencyKey },
  isOffered,
  async run({ sandboxId: id, idempotencyKey: key }, agent, signal) {
    const { data } = await controlOf(agent).POST('/api/v1/sandboxes/{id}/reset', {
      params: { path: { id }, ...commandHeader(key) },
      signal,
    });
    return data;
  },
});

const deleteSandbox = tool({
  name: 'delete_sandbox',
  title: 'Delete a sandbox',
  description: 'Deletes a sandbox with everything in it.',
  effect: 'changes',
  input: { sandboxId },
  isOffered,
  async run({ sandboxId: id }, agent, signal) {
    await controlOf(agent).DELETE('/api/v1/sandboxes/{id}', { params: { path: { id } }, signal });
    return { deleted: id };
  },
});

const readClock = tool({
  name: 'read_clock',
  title: 'Read the virtual clock',
  description: 'The time of the sandbox, and whether it is being advanced.',
  effect: 'reads',
  input: {},
  isOffered: hasClock,
  async run(_, { platform }, signal) {
    const { data } = await platform.GET('/api/v1/clock', { signal });
    return data;
  },
});

const advanceClock = tool({
  name: 'advance_clock',
  title: 'Advance the virtual clock',
  description:
    'Moves the time of the sandbox forward; everything that falls due in between ' +
    'happens. The clock never goes back. While read_clock returns a target, it is still ' +
    'advancing.',
  effect: 'changes',
  input: {
    advance: z
      .string()
      .regex(/^P(?=.)[\dDHMSTW.]+$/)
      .max(64)
      .describe('An ISO 8601 duration, such as PT4H.'),
    idempotencyKey,
  },
  isOffered: hasClock,
  async run({ advance, idempotencyKey: key }, { platform }, signal) {
    const { data } = await platform.POST('/api/v1/clock', {
      params: commandHeader(key),
      body: { advance },
      signal,
    });
    return data;
  },
});

export const sandboxTools: readonly Tool[] = [
  listSandboxes,
  createSandbox,
  extendSandbox,
  resetSandbox,
  deleteSandbox,
  readClock,
  advanceClock,
];
