/** Events of a building as they happen. Needs `socket.io-client` beside this package. */
export {
  createLive,
  type Live,
  type LiveHandlers,
  type LiveOptions,
  type LiveServerOptions,
} from './live-loop.ts';
export { LiveRefusedError, type LiveEvent, type LiveItem, type LiveResync } from './live-items.ts';
