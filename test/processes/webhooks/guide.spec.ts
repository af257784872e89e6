/** The guide's events, and its code for receivers, run as printed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { webhookEventTypes } from '../../../src/domain/webhooks/subscription/events.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { text } from '../../support/sources.ts';

const guide = text('docs/guides/receive-webhooks.md');

it('lists the events that can be subscribed to', () => {
  const [, rows] = /^\| event \| raised by \|\n.+\n((?:\|.+\n)+)/m.exec(guide)!;
  const cells = rows!.split('\n').map((row) => row.split('|')[1] ?? '');
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(named).toEqual(webhookEventTypes);
});

/** The first block of a language after the heading. */
const block = (language: string): string => {
  const from = guide.indexOf('## Verify before you parse');
  const found = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide.slice(from))?.[1];
  if (!found) throw new Error(`no block of ${language}`);
  return found;
};

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body = '{"event":"building.point.updated","data":{"value":21.5},"timestamp":"…"}';
const right = createHmac('sha256', secret).update(body).digest('hex');
const wrong = right.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
const directory = temporaryDirectory('guide');

const answers: Readonly<Record<string, (signature: string) => boolean>> = {
  js(signature) {
    const file = join(directory, 'verify.mjs');
    const asked = `isFromAtrium(Buffer.from(process.argv[2]), process.argv[3], process.argv[4])`;
    writeFileSync(file, `${block('js')}\nprocess.stdout.write(String(${asked}));\n`);
    const answer = execFileSync(process.execPath, [file, body, signature, secret]);
    return answer.toString() === 'true';
  },
  python(signature) {
    const file = join(directory, 'verify.py');
    const asked = 'is_from_atrium(sys.argv[1].encode(), sys.argv[2], sys.argv[3])';
    writeFileSync(file, `${block('python')}\nimport sys\nsys.exit(0 if ${asked} else 1)\n`);
    return spawnSync('python3', [file, body, signature, secret]).status === 0;
  },
  sh(signature) {
    writeFileSync(join(directory, 'body.json'), body);
    const asked = 'is_from_atrium "$1" "$2" < body.json';
    const script = `${block('sh')}\n${asked}`;
    const given = ['-c', script, 'sh', signature, secret];
    return spawnSync('sh', given, { cwd: directory }).status === 0;
  },
};

const isHere = (program: string) => spawnSync(program, ['--version']).error === undefined;
const needs: Readonly<Record<string, string>> = { python: 'python3', sh: 'openssl' };

describe.each(Object.entries(answers))('the lines in %s', (language, verify) => {
  it.skipIf(!isHere(needs[language] ?? process.execPath))('accept signed messages only', () => {
    expect(verify(right)).toBe(true);
    expect(verify(wrong)).toBe(false);
    expect(verify('')).toBe(false);
  });
});
