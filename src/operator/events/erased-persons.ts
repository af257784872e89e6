import { erasureCodec } from '../../domain/erasures/codecs.ts';
import { datedCache } from '../../engine/concurrency/dated-cache.ts';
import { PERSON_KEY_TRUSTED_MS, PERSON_KEYS_CACHED_MAX } from '../../engine/limits.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { historyOf } from '../../engine/log/history.ts';
import { streamOf } from '../../engine/log/streams.ts';
import { userIdIn } from '../../engine/log/personal-data.ts';
import type { ErasedSince, StoredSealerParts } from '../../engine/personal/stored-sealer.ts';
import type { Secrets } from '../../engine/secrets/secrets.ts';
import { ERASURE_CATEGORY, erasureIdsOf } from '../../use-cases/erasures/erasures.ts';
import { personNamed } from '../../use-cases/erasures/person.ts';
import { serviceDeskRepository } from '../../use-cases/service-desk/service-desks.ts';

interface Erased {
  readonly at: string;
  readonly what: ErasedSince;
}

/**
 * Finds the erasures of a person in the log. An erasure is named by an HMAC of the requested
 * address or account; the service desk's directory supplies the other one of the two.
 */
export const erasedPersonsIn = (
  log: EventStore,
  secrets: Pick<Secrets, 'derived'>,
): StoredSealerParts['erasedAfter'] => {
  const desks = serviceDeskRepository(log);
  const erasuresByPerson = datedCache<Promise<readonly Erased[]>>(
    PERSON_KEYS_CACHED_MAX,
    PERSON_KEY_TRUSTED_MS,
  );

  const subjectsWith = async (organisation: string, subject: string) => {
    const userId = userIdIn(subject);
    const email = subject.startsWith('email:') ? subject.slice('email:'.length) : null;
    if (userId === null && email === null) return [];
    const { directory } = await desks.configurationOf(organisation);
    return personNamed(userId === null ? { email: email! } : { userId }, directory).subjects;
  };

  const erasuresOf = async (organisation: string, subject: string): Promise<readonly Erased[]> => {
    const erased: Erased[] = [];
    for (const one of await subjectsWith(organisation, subject))
      for (const id of erasureIdsOf(secrets, organisation, one)) {
        const stream = streamOf(ERASURE_CATEGORY, id);
        for (const { at, event } of await historyOf(log, erasureCodec, stream))
          if (event.type === 'ErasureRequested')
            erased.push({ at, what: event.texts === 'erase' ? 'all' : 'identity' });
      }
    return erased;
  };

  return async ({ organisation, subject }, at) => {
    const name = JSON.stringify([organisation, subject]);
    let found = erasuresByPerson.get(name)?.value;
    if (!found) {
      found = erasuresOf(organisation, subject);
      erasuresByPerson.set(name, found, performance.now());
    }
    const since = (await found).filter((one) => at === undefined || one.at > at);
    if (since.length === 0) return null;
    return since.some(({ what }) => what === 'all') ? 'all' : 'identity';
  };
};
