/**
 * Bytes to one client. Where nothing waits in the library they go straight to the connection: its
 * queue, its callbacks and its events cost more than the write.
 */
import type { Duplex } from 'node:stream';
import type { Burst } from './frames.ts';

/** Of a connection of Engine.IO; some of it is private in its types. */
export interface Sending {
  readonly readyState: string;
  readonly transport: { readonly name: string };
  /** What waits for the transport. */
  readonly writeBuffer: readonly unknown[];
  write(packet: string, options?: object): unknown;
}

/** True: it is counted among what waits in the connection; false: it waits in the library. */
export type Send = (burst: Burst) => boolean;

/** @param wire Of a session that began as a WebSocket; the others leave all to the library. */
export const sender =
  (connection: Sending, wire: Duplex | undefined): Send =>
  ({ frames, bytes }) => {
    const { transport, writeBuffer, readyState } = connection;
    if (transport.name !== 'websocket') {
      for (const { packet } of frames) connection.write(packet);
      return false;
    }
    // What the library has handed over before lies in the connection already, in its order.
    if (wire?.writable && writeBuffer.length === 0 && readyState === 'open') {
      wire.write(bytes);
      return true;
    }
    // This is how the library's own rooms hand their frames to the transport.
    connection.write(frames[0]!.packet, { compress: false, wsPreEncodedFrame: [bytes] });
    return false;
  };
