/** The parts of the server's code that carry out an operator's commands. */
export type ServerPart =
  | 'main'
  | 'ops/import-command'
  | 'ops/events/tail-command'
  | 'ops/events/export-command'
  | 'ops/events/import-command'
  | 'ops/keys/mint-command'
  | 'ops/keys/replay-command'
  | 'ops/keys/verify-command'
  | 'ops/projections/commands';

/** The server's code, beside this package in a checkout or an image. Loaded only when needed. */
export type OnServer = (name: ServerPart) => Promise<Record<string, unknown>>;
