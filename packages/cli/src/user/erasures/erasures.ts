/** Erasures of persons at the terminal. contract.md section 11. */
import type { Atrium, components } from '../../../../sdk/src/index.ts';
import type { Invocation } from '../../invocation.ts';
import { localTime, record } from '../../terminal/text.ts';
import { awaited } from '../awaited.ts';
import { underKey } from '../given.ts';
import { pageOf, printList, type Columns, type LimitOptions } from '../list.ts';
import { platformOf, type SandboxOption } from '../platform.ts';
import { subjectOf, type SubjectOptions } from '../subjects/subject.ts';

type Erasure = components['schemas']['Erasure'];
type NewErasure = components['schemas']['NewErasure'];

const PAGE_MAX = 500;
const LOOK_MS = 1_000;
/** How long `--wait` waits. */
const ERASED_MAX_MS = 15 * 60_000;

const foundBy = ({ found }: Erasure): string | null =>
  found &&
  Object.entries(found)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');

const COLUMNS: Columns<Erasure> = {
  id: ({ erasureId }) => erasureId,
  status: ({ status }) => status,
  texts: ({ texts }) => texts,
  requested: ({ requestedAt }) => localTime(requestedAt),
  by: ({ requestedBy: { name, id } }) => name ?? id,
  reason: ({ reason }) => reason,
};

const described = (erasure: Erasure): string =>
  record({
    id: erasure.erasureId,
    status: erasure.status,
    texts: erasure.texts,
    reason: erasure.reason,
    requested: localTime(erasure.requestedAt),
    by: erasure.requestedBy.name ?? erasure.requestedBy.id,
    finished: erasure.finishedAt && localTime(erasure.finishedAt),
    found: foundBy(erasure),
  });

export const listErasures = async (
  invocation: Invocation<SandboxOption & LimitOptions>,
): Promise<void> => {
  const { client } = await platformOf(invocation);
  const query = pageOf(invocation.options, PAGE_MAX);
  const erasures = client.items('/api/v1/erasures', { params: { query } });
  await printList(invocation, erasures, COLUMNS, 'There are no erasures.');
};

const read = async (client: Atrium, erasureId: string): Promise<Erasure> => {
  const params = { path: { erasureId } };
  return (await client.GET('/api/v1/erasures/{erasureId}', { params })).data;
};

export const getErasure = async (invocation: Invocation<SandboxOption>): Promise<void> => {
  const { client } = await platformOf(invocation);
  const erasure = await read(client, invocation.words[0]!);
  invocation.terminal.print(erasure, () => described(erasure));
};

interface CreateOptions extends SandboxOption, SubjectOptions {
  readonly texts: NewErasure['texts'];
  readonly reason: string;
  readonly wait?: true;
  readonly yes?: true;
  readonly idempotencyKey?: string;
}

/** @throws {@link CommandFailed} unless one person is named, by address or account. */
export const createErasure = async (invocation: Invocation<CreateOptions>): Promise<void> => {
  const { options, terminal } = invocation;
  const { texts, reason, idempotencyKey } = options;
  const subject = subjectOf(options);
  const { client } = await platformOf(invocation);
  const name = Object.values(subject)[0]!;
  if (!options.yes) await terminal.confirm(`Erase ${name}? This cannot be undone.`);
  const body = { subject, texts, reason };
  const { data } = await client.POST('/api/v1/erasures', { body, ...underKey(idempotencyKey) });
  const erasure = options.wait ? await whenFinished(client, data) : data;
  terminal.print(erasure, () => described(erasure));
};

/** @throws {@link CommandFailed} where it takes longer than {@link ERASED_MAX_MS}. */
const whenFinished = (client: Atrium, { erasureId }: Erasure): Promise<Erasure> =>
  awaited(
    async () => {
      const erasure = await read(client, erasureId);
      return erasure.status === 'running' ? null : erasure;
    },
    {
      everyMs: LOOK_MS,
      withinMs: ERASED_MAX_MS,
      late:
        'the erasure continues on the server; see its state with: atrium erasures get ' + erasureId,
    },
  );
