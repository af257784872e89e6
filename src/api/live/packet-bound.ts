/**
 * Limits a client's packets per second: reading them costs event loop time, whatever the answer.
 */
import { LIVE_PACKETS_A_SECOND_MAX } from './limits.ts';

export interface Packets {
  on(event: 'packet', heard: () => void): unknown;
}

/** Calls `exceeded` once. */
export const boundPackets = (
  connection: Packets,
  exceeded: () => void,
  now: () => number = () => performance.now(),
): void => {
  let [secondBegan, count, isOver] = [now(), 0, false];
  connection.on('packet', () => {
    if (now() - secondBegan >= 1_000) [secondBegan, count] = [now(), 0];
    count += 1;
    if (isOver || count <= LIVE_PACKETS_A_SECOND_MAX) return;
    isOver = true;
    exceeded();
  });
};
