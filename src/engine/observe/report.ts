/** What a part says to the operator in passing. A pino logger is one. */
export interface Report {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export const silent: Report = { info: () => {}, warn: () => {} };
