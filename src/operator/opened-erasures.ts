import type { Config } from '../config/config.ts';
import { ERASURE_FILES, openFileStores } from '../files/stores.ts';
import { erasureListIn, type ErasureList } from '../use-cases/erasures/erasure-list.ts';

/** The list of erasures of the configured store of files, until it is disposed of. */
export const openedErasures = ({
  files,
  dataDirectory,
}: Pick<Config, 'files' | 'dataDirectory'>): AsyncDisposable & { readonly list: ErasureList } => {
  const stores = openFileStores(files, dataDirectory);
  return {
    list: erasureListIn(stores.of(ERASURE_FILES)),
    [Symbol.asyncDispose]: () => stores.close(),
  };
};
