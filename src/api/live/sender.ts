/**
 * Sends bytes to one client. If the library has nothing buffered, they are written directly to the
 * connection: its queue, callbacks and events cost more than the write.
 */
import type { Duplex } from 'node:stream';
import type { Burst } from './frames.ts';

/** Engine.IO's connection; its types declare some of this private. */
export interface Sending {
  readonly readyState: string;
  readonly transport: { readonly name: string };
  /** The library's send buffer. */
  readonly writeBuffer: readonly unknown[];
  write(packet: string, options?: object): unknown;
}

/** True: the bytes are in the connection's buffer; false: in the library's. */
export type Send = (burst: Burst) => boolean;

/** @param wire Of a session that began as a WebSocket; other sessions send through the library. */
export const sender =
  (connection: Sending, wire: Duplex | undefined): Send =>
  ({ frames, bytes }) => {
    const { transport, writeBuffer, readyState } = connection;
    if (transport.name !== 'websocket') {
      for (const { packet } of frames) connection.write(packet);
      return false;
    }
    // Bytes that the library sent before are already in the connection's buffer, in order.
    if (wire?.writable && writeBuffer.length === 0 && readyState === 'open') {
      wire.write(bytes);
      return true;
    }
    // The way in which the library's own rooms pass frames to the transport.
    connection.write(frames[0]!.packet, { compress: false, wsPreEncodedFrame: [bytes] });
    return false;
  };
