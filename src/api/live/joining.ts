/**
 * Joining and leaving a building's room. Missed messages are replayed first, then each message is
 * sent once.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Graph } from '../../building/graph/graph.ts';
import { LIVE_MESSAGES_AT_ONCE_MAX, LIVE_REPLAY_PASSES_MAX } from './limits.ts';
import { chunksOf } from '../../engine/concurrency/chunks.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { Problem } from '../http/problems.ts';
import { cursorText, type Cursor } from './cursor.ts';
import type { LiveFollower } from './follower.ts';
import { missedSince, type Missed, type ReplayedLog } from './replay.ts';
import type { Listener, Rooms } from './rooms.ts';

export interface Joined {
  readonly ok: true;
  /** Everything up to here has been sent, or is older than the join. */
  readonly position: string;
  /**
   * The missed messages are not replayed: the client reloads the building's state and continues
   * from here.
   */
  readonly resync?: true;
}

/** A listener with the state for joining. */
export interface Session extends Listener {
  readonly organisation: string;
  readonly caller: string;
  readonly joined: Set<string>;
  isGone(): boolean;
}

export interface JoiningParts {
  readonly log: ReplayedLog;
  readonly graph: Pick<Graph, 'building'>;
  readonly follower: LiveFollower;
  readonly rooms: Rooms;
  readonly replays: FairSemaphore;
  readonly roomsOfConnectionMax: number;
}

export interface Joining {
  /** @throws {@link Problem}, `NoPermit`, `LogUnavailable`. */
  join(session: Session, request: JoinInput): Promise<Joined>;
  leave(session: Session, buildingId: string): Joined;
  leaveAll(session: Session): void;
}

export interface JoinInput {
  readonly buildingId: string;
  readonly since?: Cursor | undefined;
}

export const joining = (parts: JoiningParts): Joining => {
  const { log, graph, follower, rooms, replays, roomsOfConnectionMax } = parts;

  const enter = (session: Session, buildingId: string) => {
    session.joined.add(buildingId);
    rooms.enter(buildingId, session);
  };

  const exit = (session: Session, buildingId: string) => {
    session.joined.delete(buildingId);
    rooms.leave(buildingId, session);
  };

  const here = (buildingId: string): Joined => ({
    ok: true,
    position: cursorText(follower.cursorOf(buildingId)),
  });

  const permitOf = ({ organisation, caller }: Session) => replays.acquire({ organisation, caller });

  /** Enters the room exactly at `upTo`; false: the follower is past it. */
  const enterAt = (session: Session, buildingId: string, upTo: Missed['upTo']) =>
    new Promise<boolean>((resolve) => {
      follower.at(upTo, (inTime) => {
        if (inTime && !session.isGone()) enter(session, buildingId);
        resolve(inTime);
      });
    });

  /** Yields to other work between batches. */
  const replay = async (session: Session, messages: Missed['messages']) => {
    const chunks = chunksOf(messages, LIVE_MESSAGES_AT_ONCE_MAX);
    for (const [index, chunk] of [...chunks].entries()) {
      if (index > 0) await turn();
      if (session.isGone()) return;
      rooms.sendTo(session, chunk);
    }
  };

  /**
   * False: more messages were missed than the bounds of a replay allow.
   *
   * @param release Of the permit of the first pass.
   */
  const caughtUp = async (
    session: Session,
    buildingId: string,
    since: Cursor,
    release: () => void,
  ) => {
    // A cursor from before a restore of the log: its position is another event now.
    const { timeline } = follower.cursorOf(buildingId);
    if (since.timeline !== timeline) return false;
    const atLeast = () => follower.cursorOf(buildingId).after;
    let from = since;
    for (let pass = 0; pass < LIVE_REPLAY_PASSES_MAX && !session.isGone(); pass += 1) {
      const leave = pass === 0 ? release : await permitOf(session);
      const reading = missedSince(log, buildingId, from, atLeast, () => session.isGone());
      const backlog = await reading.finally(leave);
      if (!backlog) return false;
      await replay(session, backlog.messages);
      if (await enterAt(session, buildingId, backlog.upTo)) return true;
      from = { ...from, after: backlog.upTo, messages: 0 };
    }
    return false;
  };

  return {
    async join(session, { buildingId, since }) {
      if (!(await graph.building(session.organisation, buildingId)))
        throw new Problem('NOT_FOUND', 'No building has this id.');
      const isNew = !session.joined.has(buildingId);
      if (isNew && session.joined.size >= roomsOfConnectionMax)
        throw new Problem(
          'RATE_LIMITED',
          `A connection can join at most ${roomsOfConnectionMax} buildings.`,
        );
      await follower.begun();
      if (since === undefined) {
        if (!session.isGone()) enter(session, buildingId);
        return here(buildingId);
      }
      const release = await permitOf(session);
      exit(session, buildingId);
      const { position } = here(buildingId);
      /** A member stays one. It has missed nothing since it left the room, or must reload. */
      const failed = (error: unknown): false => {
        if (!isNew && here(buildingId).position !== position) return false;
        if (!isNew && !session.isGone()) enter(session, buildingId);
        throw error;
      };
      const isCaughtUp = await caughtUp(session, buildingId, since, release)
        .catch(failed)
        .finally(release);
      if (isCaughtUp) return here(buildingId);
      if (!session.isGone()) enter(session, buildingId);
      return { ...here(buildingId), resync: true };
    },

    leave(session, buildingId) {
      exit(session, buildingId);
      return here(buildingId);
    },

    leaveAll(session) {
      for (const buildingId of session.joined) exit(session, buildingId);
    },
  };
};
