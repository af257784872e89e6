import { Gauge } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import type { MetricRegistry } from '../engine/observe/metrics.ts';
import { builtFrom } from './commit.ts';

/** Declares `atrium_build_info`. An unknown commit is an empty label. */
export const buildInfo = (
  { registry }: MetricRegistry,
  config: Pick<Config, 'commit' | 'eventstoreUrl'>,
): void => {
  const info = new Gauge({
    name: 'atrium_build_info',
    help: '1; labels name the release, its commit, and where the event log is',
    labelNames: ['version', 'commit', 'log'],
    registers: [registry],
  });
  const log = config.eventstoreUrl === null ? 'postgres' : 'eventstoredb';
  info.set({ version: manifest.version, commit: builtFrom(config) ?? '', log }, 1);
};
