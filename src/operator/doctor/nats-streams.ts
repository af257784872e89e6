import { layoutOf } from '../../bus/nats/layout.ts';
import type { StreamUsage } from '../../bus/nats/nats.ts';
import type { NatsUsage } from '../../bus/nats/usage.ts';
import type { Config, NatsConfig } from '../../config/config.ts';
import { NATS_FULLNESS_MAX, NATS_FULLNESS_WARNING } from '../limits.ts';
import { graded, none, type Finding } from './check.ts';

/** Whether a stream is near its size limit: a full one rejects messages. Creates no stream. */
export const natsStreamsFinding = async (
  nats: NatsConfig,
  { busPrefix }: Pick<Config, 'busPrefix'>,
  withinMs: number,
): Promise<Finding> => {
  // Loaded on demand, because the client takes long to load.
  const { natsUsage } = await import('../../bus/nats/usage.ts');
  return judgedStreams(await natsUsage(nats, layoutOf(busPrefix), withinMs));
};

/** Includes the account if its storage is limited. */
export const judgedStreams = ({ streams, account }: NatsUsage): Finding => {
  const isBounded = account.bytesMax !== null;
  const usages = [...streams, ...(isBounded ? [{ ...account, name: 'the account' }] : [])];
  if (usages.length === 0) return none('no streams yet; the server makes them when it starts');
  const beyond = (share: number) =>
    usages.filter(({ bytes, bytesMax }) => bytesMax !== null && bytes > bytesMax * share);
  const wrong = beyond(NATS_FULLNESS_MAX);
  const soon = beyond(NATS_FULLNESS_WARNING).filter((one) => !wrong.includes(one));
  return graded({
    wrong: wrong.map(lineOf),
    soon: soon.map(lineOf),
    detail: usages.map(lineOf).join('; '),
  });
};

const lineOf = ({ name, bytes, bytesMax }: StreamUsage): string => {
  const size = `${name} has ${Math.ceil(bytes / 1024 ** 2)} MiB`;
  if (bytesMax === null) return `${size}, bounded by the server alone`;
  const percent = Math.floor((bytes / bytesMax) * 100);
  return `${size}, ${percent} % of its bound`;
};
