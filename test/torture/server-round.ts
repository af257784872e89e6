/** Whole servers under callers that do not give up, killed one after the other. */
import { rmSync } from 'node:fs';
import { temporaryDirectory } from '../support/directory.ts';
import { freePort } from '../support/servers/port.ts';
import { servers } from '../support/servers/servers.ts';
import { comparison, settled, ticketLoad } from '../support/servers/ticket-load.ts';
import type { Progress } from './progress.ts';
import type { Verdict } from './verdict.ts';
import { letPass } from '../support/until.ts';

export interface ServerRound {
  /** Where the log is; read models are in a Postgres of the server's own. */
  readonly environment: Record<string, string>;
  readonly kills: number;
  readonly said: Progress;
}

const LISTED_WITHIN_MS = 60_000;

/** Every command is given until it is acknowledged: the list holds these tickets and no other. */
export const serverRound = async (round: ServerRound): Promise<Verdict> => {
  const { kills, said } = round;
  const ATRIUM_DATA = temporaryDirectory('torture-server');
  const env = { ...round.environment, ATRIUM_DATA, PORT: String(await freePort()) };
  const name = `${kills} kill -9 of the server`;
  const running = servers();
  try {
    let server = await running.start(env);
    const before = await settled(server);
    const load = await ticketLoad({ servers: () => [server], lanes: 8 });
    for (let kill = 1; kill <= kills; kill += 1) {
      await load.more(20);
      await server.signal('SIGKILL');
      server = await running.start(env);
      said.at(name, `${kill}/${kills}`, load.acknowledged.size);
    }
    await load.more(20);
    await load.stop();

    const compared = () => comparison(server, before, load.acknowledged);
    let found = await compared();
    const givenUpAt = performance.now() + LISTED_WITHIN_MS;
    while (found.missing > 0 && performance.now() < givenUpAt) {
      await letPass(200, 'the list follows the log');
      found = await compared();
    }
    await server.signal('SIGTERM');
    const { missing, unknown, twice, numbersTwice } = found;
    return {
      round: name,
      acknowledged: load.acknowledged.size,
      stored: load.acknowledged.size - missing + unknown,
      read: [load.acknowledged.size - missing + unknown],
      lost: missing,
      unanswered: unknown,
      twice: twice + numbersTwice,
      twiceIn: [],
      holes: 0,
      holds: missing + unknown + twice + numbersTwice === 0,
    };
  } finally {
    await running.release();
    rmSync(ATRIUM_DATA, { recursive: true, force: true });
  }
};
