/** The EventStoreDB of one file, beside the one that the others share. */
import { afterAll, beforeAll, inject } from 'vitest';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../../support/eventstoredb/server.ts';

export interface OwnServer {
  /** Of its own server; where there is no program to run one, of the one that all share. */
  readonly url: string;
  /** May be broken; `null`: there is none but the one that all share. */
  readonly server: EventStoreServer | null;
}

/** Started before the tests of the file it is called in, and ended after them. */
export const ownServer = (): OwnServer => {
  const given = inject('eventstoreUrl');
  const program = eventstoreProgram();
  let server: EventStoreServer | null = null;
  beforeAll(async () => {
    server = program ? await eventstoreServer(program) : null;
  });
  afterAll(() => server?.release());
  return {
    get url() {
      return server?.url ?? given;
    },
    get server() {
      return server;
    },
  };
};
