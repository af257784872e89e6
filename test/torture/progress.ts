/** How far a torture is: a line written over on a terminal; elsewhere one a step, or 5 s. */
export interface Progress {
  /** The current round and step, and the number of acknowledged events in it. */
  at(round: string, step: string, acknowledged: number): void;
  end(): void;
}

export const progress = (out: NodeJS.WriteStream = process.stderr): Progress => {
  const began = performance.now();
  let lastStep = '';
  let saidAt = -Infinity;
  return {
    at(round, step, acknowledged) {
      const seconds = Math.round((performance.now() - began) / 1_000);
      const line = `${seconds} s  ${round}  ${step}  ${acknowledged} acknowledged`;
      if (out.isTTY) out.write(`\r\u001b[K${line}`);
      else if (`${round} ${step}` !== lastStep || seconds - saidAt >= 5) {
        out.write(`${line}\n`);
        lastStep = `${round} ${step}`;
        saidAt = seconds;
      }
    },
    end() {
      if (out.isTTY) out.write('\n');
    },
  };
};
