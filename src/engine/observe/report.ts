/** Log messages of a component for operators. A pino logger implements it. */
export interface Report {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export const silent: Report = { info: () => {}, warn: () => {} };
