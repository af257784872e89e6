import { randomUUID } from 'node:crypto';
import { keyLabel } from '../../api/keys/schemas.ts';
import type { Actor } from '../../engine/aggregates/decider.ts';
import { keyScopes, type KeyringEvent, type KeyScope } from '../../domain/keys/events.ts';
import type { KeyAt } from '../../domain/keys/view.ts';
import { isOrganisationAlias } from '../../domain/organisation.ts';
import { Refused } from '../../engine/aggregates/aggregate.ts';
import type { Codec } from '../../engine/log/codec.ts';
import { keyringCodec } from '../../domain/keys/codecs.ts';
import { keyringAnnouncements } from '../../identity/keys/key-use-log.ts';
import { keyringRepository } from '../../use-cases/keys/keyrings.ts';
import { mintKey } from '../../use-cases/keys/mint-key.ts';
import { clockOf } from '../open-log.ts';
import type { Env } from '../command-logger.ts';
import { onPlatformLog } from '../on-platform-log.ts';
import { OperatorError, UsageError } from '../operator-error.ts';

export interface MintCommand {
  readonly organisation: string;
  readonly label: string;
  readonly scope: string;
  readonly withoutScope?: boolean;
  readonly json?: boolean;
  readonly env: Env;
}

/** The audit's actor for commands run on the server. */
const OPERATOR: Actor = { kind: 'system', id: 'atrium-keys' };

/**
 * `atrium keys mint`: a key that never expires, for an operator on the server. It counts towards
 * the organisation's limit of five. The token is written to standard output, once, and the rest to
 * standard error; with JSON all of it is one object on standard output. contract.md section 3.
 *
 * @returns The exit code: 0.
 * @throws {@link OperatorError} with one line; nothing was minted.
 */
export const mintCommand = async (command: MintCommand): Promise<number> => {
  const { organisation, label, withoutScope = false } = command;
  const scope = withoutScope ? 'full' : scopeOf(command.scope);
  checkOrganisation(organisation);
  const fit = keyLabel.safeParse(label);
  if (!fit.success) throw new UsageError(`the label ${fit.error.issues[0]?.message}`);

  return onPlatformLog(command.env, async (log, config) => {
    if (withoutScope && config.environment !== 'development') {
      throw new OperatorError('--without-scope is for development alone');
    }
    const clock = await clockOf(config, log);
    const uses = keyringAnnouncements({ log, clock });
    const keyrings = keyringRepository(log, uses, withoutScope ? codecBeforeScopes : keyringCodec);
    const at = clock.now();
    try {
      const { key, token } = await mintKey({ keyrings })(
        { organisation, label, scope, expiresInDays: null },
        { at, by: OPERATOR, origin: 'system' },
        { commandId: randomUUID() },
      );
      const { revokedAt: _, revokedBy: __, ...minted } = key;
      if (command.json) {
        process.stdout.write(`${JSON.stringify({ organisation, ...minted, token })}\n`);
      } else {
        process.stderr.write(aboutOf(organisation, minted));
        process.stdout.write(`${token}\n`);
      }
      return 0;
    } catch (error) {
      if (error instanceof Refused) {
        const { refused } = error.refusal;
        throw new OperatorError(`${error.message} (${refused})`, error);
      }
      throw error;
    }
  });
};

const aboutOf = (organisation: string, { keyId, scope }: Pick<KeyAt, 'keyId' | 'scope'>): string =>
  `key ${keyId} of ${organisation}, scope ${scope}, never expires; ` +
  'the token is printed only once:\n';

const scopeOf = (text: string): KeyScope => {
  const scope = keyScopes.find((candidate) => candidate === text);
  if (!scope) throw new UsageError(`there is no scope ${text}; there are ${keyScopes.join(', ')}`);
  return scope;
};

/** As for sign-in: no caller could see a key of an alias that no token can have. */
const checkOrganisation = (alias: string): void => {
  if (isOrganisationAlias(alias)) return;
  throw new UsageError(
    'the organisation is named by its alias: letters, digits, - _ . after a letter or a digit',
  );
};

/** Writes issuances in schema version 1, which had no scope, so that upgrades can be tried. */
const codecBeforeScopes: Codec<KeyringEvent> = {
  encode(id, event, record) {
    const encoded = keyringCodec.encode(id, event, record);
    if (event.type !== 'KeyIssued') return encoded;
    const { scope: _, ...data } = encoded.data as Readonly<Record<string, unknown>>;
    return { ...encoded, data, meta: { ...encoded.meta, schema: '1' } };
  },
  decode: (stored) => keyringCodec.decode(stored),
};
