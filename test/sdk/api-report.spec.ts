/** The package's public API: a change is detected, and noted in its changelog. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { apiReport } from '../../packages/sdk/scripts/api-report.ts';
import { filesOf, text } from '../support/sources.ts';

const changelog = () => text('packages/sdk/CHANGELOG.md');
const manifest = () =>
  JSON.parse(text('packages/sdk/package.json')) as { version: string; dependencies: object };

/** Printed once, because it needs a compiler. */
let printed: string | undefined;
const report = () => (printed ??= apiReport());

describe('the exports of the SDK', () => {
  it('are those of the committed report, each @stable or @experimental', async () =>
    expect(report()).toMatchFileSnapshot('../../packages/sdk/api-report.md'));

  it('that are stable change with an entry in the changelog, which names their digest', () => {
    const stable = report().split('## @experimental')[0]!;
    const digest = createHash('sha256').update(stable).digest('hex').slice(0, 12);
    const [latest] = changelog().match(/^## .+?(?=^## |(?![^]))/ms) ?? [];
    expect(latest).toMatch(new RegExp(`^## ${manifest().version}\\b`));
    expect(latest).toContain(digest);
  });

  it('that are deprecated say until when they stay', () => {
    const deprecated = filesOf('packages/sdk/src/*.ts')
      .flatMap((path) => text(path).split('\n'))
      .filter((line) => line.includes('@deprecated'));
    for (const line of deprecated) expect(line).toMatch(/@deprecated .*\d{4}-\d{2}-\d{2}/);
  });
});

describe('the SDK', () => {
  it('runs in browsers: it imports nothing of Node, but for its way in for Node alone', () => {
    const forNode = /\/(node|testing)(-\w+)?\.ts$/;
    const found = filesOf('packages/sdk/src/*.ts')
      .filter((path) => !forNode.test(path))
      .filter((path) => /from 'node:|from '\.\/node|\bBuffer\b|\bprocess\./.test(text(path)));
    expect(found).toEqual([]);
  });

  it('depends on nothing but openapi-fetch', () =>
    expect(Object.keys(manifest().dependencies)).toEqual(['openapi-fetch']));
});
