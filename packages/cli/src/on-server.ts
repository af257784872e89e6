/** The parts of the server's code that carry out an operator's commands. */
export type ServerPart =
  | 'main'
  | 'operator/import-command'
  | 'operator/events/tail-command'
  | 'operator/events/export-command'
  | 'operator/events/import-command'
  | 'operator/keys/mint-command'
  | 'operator/keys/replay-command'
  | 'operator/keys/verify-command'
  | 'operator/projections/commands';

/** The server's code, beside this package in a checkout or an image. Loaded only when needed. */
export type OnServer = (name: ServerPart) => Promise<Record<string, unknown>>;
