import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeStepText, encodeStepText } from '../../../../src/building/imports/ifc/step-text.ts';

const decoded = (raw: string, encoding: BufferEncoding = 'utf8') =>
  decodeStepText(Buffer.from(raw, encoding));

const { raw } = String;

describe('the text of a STEP file (ISO 10303-21, 6.4.3)', () => {
  it.each([
    ['a doubled quote', "it''s", "it's"],
    ['a doubled backslash', raw`a\\b`, raw`a\b`],
    ['a shifted letter', raw`\S\d`, 'ä'],
    ['a shifted quote', raw`\S\' 5`, '§ 5'],
    ['another alphabet', raw`\PE\\S\0`, 'А'],
    ['a byte', raw`\X\FC`, 'ü'],
    ['two-byte letters', raw`\X2\00FC00DF\X0\x`, 'üßx'],
    ['a surrogate pair', raw`\X2\D83DDE00\X0\ `, '😀 '],
    ['four-byte letters', raw`\X4\0001F600\X0\ `, '😀 '],
    ['small digits', raw`\x2\00fc\x0\ `, 'ü '],
    ['a line break of the file', raw`a\N\b`, 'ab'],
    ['UTF-8', 'Büro 会議', 'Büro 会議'],
    ['a backslash that begins no directive', raw`C:\Temp\x`, raw`C:\Temp\x`],
    ['a backslash at its end', 'a\\', 'a\\'],
  ])('with %s is decoded', (_, encoded, text) => {
    expect(decoded(encoded)).toEqual({ text, flaw: null });
  });

  it.each([
    ['no end', raw`B\X2\00FCro`, 'Büro', raw`a malformed \X2\ `],
    ['digits left over', raw`B\X2\00FC0\X0\ro`, 'Büro', raw`a malformed \X2\ `],
    ['no digits', raw`B\X2\ro`, 'Bro', raw`a malformed \X2\ `],
    ['no such letter', raw`\X4\00110000\X0\x`, '\ufffdx', raw`a malformed \X4\ `],
    ['no hexadecimal digits', raw`\X\GGa`, 'GGa', raw`a malformed \X\ `],
  ])('with a directive that has %s keeps the rest, with a warning', (_, encoded, text, flaw) => {
    expect(decoded(encoded)).toEqual({ text, flaw: flaw.trimEnd() });
  });

  it('that is not UTF-8 is read as Latin-1', () => {
    expect(decoded('Büro – Süd'.replace('–', '-'), 'latin1')).toEqual({
      text: 'Büro - Süd',
      flaw: 'bytes that are not UTF-8; read as Latin-1',
    });
  });

  it('round-trips through encoding and decoding', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decoded(encodeStepText(text.toWellFormed())).text).toBe(text.toWellFormed());
      }),
    );
  });

  it('is decoded to well-formed text, whatever its bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(decodeStepText(bytes).text.isWellFormed()).toBe(true);
      }),
    );
  });
});
