import { setTimeout as sleep } from 'node:timers/promises';
import { PROGRESS_LINE_MS, PROGRESS_TERMINAL_MS, REQUEST_LOOK_MS } from '../../limits.ts';
import type { Asked, ProjectionRequest } from '../../projections/read-models.ts';
import { ProjectionsRefused, type Opened } from './open-models.ts';
import { bar, progressLine } from './print.ts';

/** Shows lines that change: written over on a terminal, now and then elsewhere. */
export const shower = (out: NodeJS.WriteStream = process.stderr) => {
  const everyMs = out.isTTY ? PROGRESS_TERMINAL_MS : PROGRESS_LINE_MS;
  let shownAt = -Infinity;
  return {
    show(line: () => string) {
      const now = performance.now();
      if (now - shownAt < everyMs) return;
      shownAt = now;
      out.write(out.isTTY ? `\r${CLEAR}${line()}` : `${line()}\n`);
    },
    clear() {
      if (out.isTTY) out.write(`\r${CLEAR}`);
    },
  };
};

/** To the end of the line. */
const CLEAR = '\u001B[K';
const BAR_CHARACTERS = 24;

/**
 * Asks for something and waits until it is carried out, here or by whichever process feeds the
 * read model. Ctrl-C cancels a rebuild or a verification, and waits for that; of anything else it
 * only ends the waiting.
 *
 * @throws {@link ProjectionsRefused} if the waiting was ended.
 */
export const requested = async (
  { models, feed, signal }: Opened,
  name: string,
  asked: Asked,
): Promise<ProjectionRequest> => {
  await feed();
  const { id } = await models.ask(name, asked);
  const shown = shower();
  const cancellable = asked.kind === 'rebuild' || asked.kind === 'verify';
  const cancel = () => {
    if (!cancellable) return;
    models.cancel(name).catch((error: unknown) => {
      process.stderr.write(`${name} could not be cancelled: ${(error as Error).message}\n`);
    });
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const request = (await models.requests(name)).find((one) => one.id === id);
      if (!request) throw new Error('the request is gone');
      if (request.endedAt !== null) return request;
      if (signal.aborted && !cancellable) {
        throw new ProjectionsRefused(
          `not waited for; the ${asked.kind} is carried out all the same`,
        );
      }
      const { progress, kind } = request;
      shown.show(
        () =>
          `${kind} ${progress ? `${bar(progress, BAR_CHARACTERS)} ` : ''}${progressLine(progress)}`,
      );
      await sleep(REQUEST_LOOK_MS);
    }
  } finally {
    shown.clear();
  }
};
