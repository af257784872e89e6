/** The outbox in IndexedDB, which has room for photos. */
import type { OutboxStore, Waiting } from './waiting.ts';

const DATABASE = 'atrium';
const STORE = 'outbox';

/** @param owner The person and the organisation: other users of the browser do not see it. */
export const outboxStore = (owner: readonly (string | null)[]): OutboxStore => {
  const ownerKey = JSON.stringify(owner);
  const keyOf = (id: string) => [ownerKey, id];
  const transact = async <Result>(
    mode: IDBTransactionMode,
    ask: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> => {
    const database = await opened();
    try {
      const transaction = database.transaction(STORE, mode, { durability: 'strict' });
      const request = ask(transaction.objectStore(STORE));
      await new Promise<void>((resolve, reject) => {
        transaction.addEventListener('complete', () => resolve());
        transaction.addEventListener('abort', () => reject(transaction.error!));
      });
      return request.result;
    } finally {
      database.close();
    }
  };
  return {
    async all() {
      const range = IDBKeyRange.bound([ownerKey], [ownerKey, []]);
      const found = await transact<Waiting[]>('readonly', (store) => store.getAll(range));
      return found.toSorted((a, b) => a.at - b.at);
    },
    async put(waiting) {
      await transact('readwrite', (store) => store.put(waiting, keyOf(waiting.id)));
    },
    async remove(id) {
      await transact('readwrite', (store) => store.delete(keyOf(id)));
    },
  };
};

const opened = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error!));
  });
